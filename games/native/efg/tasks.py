"""Small games, in words and as .efg texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.randomness import RandomStream


class Described(NamedTuple):
    """A game in words, its correct text and wrong texts."""

    words: str
    efg: str
    wrong: tuple[str, ...]


def drawn(stream: RandomStream) -> Described:
    """A game of one of four kinds, with random payoffs."""
    return stream.choice(KINDS)(stream)


def efg(title: str, players: Sequence[str], nodes: Sequence[str]) -> str:
    """The text of a game, from node lines in prefix order."""
    names = " ".join(f'"{p}"' for p in players)
    return "\n".join([f'EFG 2 R "{title}" {{ {names} }} ""', *nodes])


def move(player: int, infoset: int, actions: Sequence[str]) -> str:
    """A decision node: the player's number, the number of its information set, the actions."""
    listed = " ".join(f'"{a}"' for a in actions)
    return f'p "" {player} {infoset} "" {{ {listed} }} 0'


def end(number: int, *payoffs: int) -> str:
    """An end node: the number of the outcome and the payoffs."""
    return f't "" {number} "" {{ {", ".join(map(str, payoffs))} }}'


def _matrix(stream: RandomStream) -> Described:
    """Both choose at the same time. Wrong: the second player sees the first; two payoffs are swapped."""
    names, actions = ("Ann", "Bob"), ("left", "right")
    bases = ((0, 7), (-9, -9), (20, -19), (-20, 30))
    pay = [(a + stream.below(7), b + stream.below(7)) for a, b in bases]

    def written(second: Sequence[int], pays: Sequence[tuple[int, int]]) -> str:
        nodes = [move(1, 1, actions)]
        for i in range(2):
            nodes += [move(2, second[i], actions), end(2 * i + 1, *pays[2 * i]), end(2 * i + 2, *pays[2 * i + 1])]
        return efg("at once", names, nodes)

    told = "; ".join(
        f"if Ann goes {a} and Bob {b}, Ann gets {x} and Bob {y}"
        for (a, b), (x, y) in zip([(a, b) for a in actions for b in actions], pay, strict=True)
    )
    words = f"Ann and Bob each choose left or right at the same time, and neither knows what the other does: {told}."
    swapped = [pay[1], pay[0], *pay[2:]]
    return Described(words, written((1, 1), pay), (written((1, 2), pay), written((1, 1), swapped)))


def _entry(stream: RandomStream) -> Described:
    """An entrant enters or not, the owner fights or shares. Wrong: a payoff; the owner has no choice."""
    out, war, peace = 10 + stream.below(5), -1 - stream.below(5), 2 + stream.below(5)

    def written(war: int, answer: bool = True) -> str:
        nodes = [move(1, 1, ("stay out", "enter")), end(1, 0, out)]
        nodes += [move(2, 1, ("fight", "share")), end(2, war, war)] if answer else []
        return efg("entry", ("Entrant", "Owner"), [*nodes, end(3, peace, peace)])

    words = (
        f"An entrant decides whether to open a shop. If it stays out, it gets 0 and the old shop's owner gets {out}. "
        f"If it enters, the owner sees it. If the owner then fights, both get {war}; if it shares, both get {peace}."
    )
    return Described(words, written(war), (written(war - 1), written(war, answer=False)))


def _poker(stream: RandomStream) -> Described:
    """One card, one raise (Myerson 1991, section 2.1). Wrong: the second player sees the card; the odds."""
    small, big = 1 + stream.below(3), 5 + stream.below(4)

    def written(seen: Sequence[int], odds: Sequence[str]) -> str:
        nodes = [f'c "" 1 "" {{ "high" {odds[0]} "low" {odds[1]} }} 0']
        for card, sign in enumerate((1, -1)):
            base = 3 * card
            nodes += [move(1, card + 1, ("raise", "fold")), move(2, seen[card], ("meet", "pass"))]
            nodes += [end(base + 1, sign * big, -sign * big), end(base + 2, small, -small)]
            nodes.append(end(base + 3, sign * small, -sign * small))
        return efg("one card", ("Player", "Other"), nodes)

    words = (
        "A card is drawn, high or low with equal chance; only the player sees it. The player raises or folds. If the "
        f"player folds, it gets {small} from the other with the high card and pays {small} with the low card. If the "
        "player raises, the other, who does not see the card, meets or passes. If the other passes, it pays "
        f"{small} to the player. If the other meets, it pays {big} to the player with the high card and gets {big} "
        "from the player with the low card."
    )
    even = ("1/2", "1/2")
    return Described(words, written((1, 1), even), (written((1, 2), even), written((1, 1), ("1/3", "2/3"))))


def _ultimatum(stream: RandomStream) -> Described:
    """A fair or a greedy offer, accepted or not. Wrong: the offer is hidden; a refusal pays."""
    half, more = 5 + stream.below(3), 8 + stream.below(4)
    less = 2 * half - more

    def written(second: Sequence[int], refused: int) -> str:
        nodes = [move(1, 1, ("fair", "greedy"))]
        for i, (x, y) in enumerate(((half, half), (more, less))):
            nodes += [move(2, second[i], ("accept", "refuse")), end(2 * i + 1, x, y), end(2 * i + 2, refused, refused)]
        return efg("ultimatum", ("Giver", "Taker"), nodes)

    words = (
        f"A giver divides {2 * half} coins with a taker, either fairly, {half} each, or greedily, {more} for itself "
        f"and {less} for the taker. The taker sees the offer and accepts or refuses it. If it refuses, both get 0."
    )
    return Described(words, written((1, 2), 0), (written((1, 1), 0), written((1, 2), 1)))


KINDS = (_matrix, _entry, _poker, _ultimatum)
