"""Small games, in words and as .efg texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from games.randomness import RandomStream


class Described(NamedTuple):
    """A game in words, its correct text and wrong texts."""

    words: str
    efg: str
    wrong: tuple[str, ...]


class Family(NamedTuple):
    """Four games that differ in two features: their words and texts by the two."""

    words: Callable[[bool, bool], str]
    text: Callable[[bool, bool], str]


Kind: TypeAlias = Callable[[RandomStream, bool], Family]
"""draws the payoffs of a kind of games"""


def drawn(stream: RandomStream, varied: bool = False) -> Described:
    """A game of one of four kinds, with random payoffs; see `of_kind`."""
    return of_kind(stream.choice(KINDS), stream, varied)


def of_kind(kind: Kind, stream: RandomStream, varied: bool = False) -> Described:
    """A game of a kind, with random payoffs.

    The wrong texts have one feature of another game of its kind each. `varied`: the features are drawn too, and the
    wrong texts are the three other games, so that neither what is usual nor what two texts share tells the right one.
    """
    family = kind(stream, varied)
    mine = (stream.random() < 0.5, stream.random() < 0.5) if varied else (False, False)
    others = product((False, True), repeat=2) if varied else ((True, False), (False, True))
    return Described(family.words(*mine), family.text(*mine), tuple(family.text(*o) for o in others if o != mine))


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


def _matrix(stream: RandomStream, varied: bool) -> Family:
    """Both choose at the same time, or the second player sees the first; two payoffs as they are, or swapped."""
    names, actions = ("Ann", "Bob"), ("left", "right")
    bases = ((0, 7), (-9, -9), (20, -19), (-20, 30))
    plain = [(a + stream.below(7), b + stream.below(7)) for a, b in bases]

    def paid(swapped: bool) -> list[tuple[int, int]]:
        one, two = (1, 2) if varied else (0, 1)  # where Bob sees Ann, he could rename his two actions
        pays = list(plain)
        if swapped:
            pays[one], pays[two] = pays[two], pays[one]
        return pays

    def words(seen: bool, swapped: bool) -> str:
        told = "; ".join(
            f"if Ann goes {a} and Bob {b}, Ann gets {x} and Bob {y}"
            for (a, b), (x, y) in zip(product(actions, repeat=2), paid(swapped), strict=True)
        )
        if seen:
            return f"Ann chooses left or right; Bob sees what she does and chooses left or right: {told}."
        return f"Ann and Bob each choose left or right at the same time, and neither knows what the other does: {told}."

    def text(seen: bool, swapped: bool) -> str:
        pays, nodes = paid(swapped), [move(1, 1, actions)]
        for i in range(2):
            nodes.append(move(2, 1 + (seen and i), actions))
            nodes += [end(2 * i + 1, *pays[2 * i]), end(2 * i + 2, *pays[2 * i + 1])]
        return efg("two choices" if varied else "at once", names, nodes)

    return Family(words, text)


def _entry(stream: RandomStream, varied: bool) -> Family:
    """An entrant enters or not, the owner fights or shares. A payoff; the owner has no choice, or one more payoff."""
    out, war, peace = 10 + stream.below(5), -1 - stream.below(5), 2 + stream.below(5)

    def words(harder: bool, other: bool) -> str:
        return (
            f"An entrant decides whether to open a shop. If it stays out, it gets {int(other)} and the old shop's "
            f"owner gets {out}. If it enters, the owner sees it. If the owner then fights, both get {war - harder}; if "
            f"it shares, both get {peace}."
        )

    def text(harder: bool, other: bool) -> str:
        nodes = [move(1, 1, ("stay out", "enter")), end(1, int(other and varied), out)]
        if varied or not other:
            nodes += [move(2, 1, ("fight", "share")), end(2, war - harder, war - harder)]
        return efg("entry", ("Entrant", "Owner"), [*nodes, end(3, peace, peace)])

    return Family(words, text)


def _poker(stream: RandomStream, varied: bool) -> Family:
    """One card, one raise (Myerson 1991, section 2.1). The second player sees the card; the odds."""
    small, big = 1 + stream.below(3), 5 + stream.below(4)

    def words(seen: bool, uneven: bool) -> str:
        odds = "high with chance 1/3 and low with chance 2/3" if uneven else "high or low with equal chance"
        return (
            f"A card is drawn, {odds}; {'both see' if seen else 'only the player sees'} it. The player raises or "
            f"folds. If the player folds, it gets {small} from the other with the high card and pays {small} with the "
            f"low card. If the player raises, the other{'' if seen else ', who does not see the card,'} meets or "
            f"passes. If the other passes, it pays {small} to the player. If the other meets, it pays {big} to the "
            f"player with the high card and gets {big} from the player with the low card."
        )

    def text(seen: bool, uneven: bool) -> str:
        odds = ("1/3", "2/3") if uneven else ("1/2", "1/2")
        nodes = [f'c "" 1 "" {{ "high" {odds[0]} "low" {odds[1]} }} 0']
        for card, sign in enumerate((1, -1)):
            base = 3 * card
            nodes += [move(1, card + 1, ("raise", "fold")), move(2, 1 + (seen and card), ("meet", "pass"))]
            nodes += [end(base + 1, sign * big, -sign * big), end(base + 2, small, -small)]
            nodes.append(end(base + 3, sign * small, -sign * small))
        return efg("one card", ("Player", "Other"), nodes)

    return Family(words, text)


def _ultimatum(stream: RandomStream, varied: bool) -> Family:
    """A fair or a greedy offer, accepted or not. The offer is hidden; a refusal pays."""
    half, more = 5 + stream.below(3), 8 + stream.below(4)
    less = 2 * half - more

    def words(hidden: bool, refused: bool) -> str:
        sees = "does not see the offer" if hidden else "sees the offer"
        return (
            f"A giver divides {2 * half} coins with a taker, either fairly, {half} each, or greedily, {more} for "
            f"itself and {less} for the taker. The taker {sees} and accepts or refuses it. If it refuses, both get "
            f"{int(refused)}."
        )

    def text(hidden: bool, refused: bool) -> str:
        nodes, pay = [move(1, 1, ("fair", "greedy"))], int(refused)
        for i, (x, y) in enumerate(((half, half), (more, less))):
            nodes.append(move(2, 1 if hidden else 1 + i, ("accept", "refuse")))
            nodes += [end(2 * i + 1, x, y), end(2 * i + 2, pay, pay)]
        return efg("ultimatum", ("Giver", "Taker"), nodes)

    return Family(words, text)


KINDS = (_matrix, _entry, _poker, _ultimatum)
