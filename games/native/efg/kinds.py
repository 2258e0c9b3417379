"""Four kinds of small games, in words and as .efg texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from games.native.efg.notation import chance, efg, end, move
from games.randomness import RandomStream


class Described(NamedTuple):
    """A game in words, its correct text, wrong texts, and the same description for scripted policies."""

    words: str
    efg: str
    wrong: tuple[str, ...]
    data: dict[str, Any]


Features: TypeAlias = tuple[bool, bool, bool]
Writer: TypeAlias = Callable[[Sequence[int], bool, bool], str]
"""writes a game with these numbers and the first two features"""
_PAID = re.compile(r"(?<=[{ ])-?\d+(?=, -?\d+ \}$)|-?\d+(?= \}$)", re.MULTILINE)


class GameKind(NamedTuple):
    """Games that differ in a few numbers and three features, the last of which doubles all payoffs."""

    bases: tuple[int, ...]
    ranges: tuple[int, ...]
    """a number is its base plus a draw below its range"""
    words: Writer
    text: Writer

    def numbers(self, stream: RandomStream) -> tuple[int, ...]:
        """Returns random numbers of a game."""
        return tuple(base + stream.below(n) for base, n in zip(self.bases, self.ranges, strict=True))

    def described(self, numbers: Sequence[int], features: Features) -> str:
        """Returns a game in words."""
        one, two, double = features
        return f"{self.words(numbers, one, two)} Each amount is paid {'twice' if double else 'once'}."

    def written(self, numbers: Sequence[int], features: Features) -> str:
        """Returns a game as .efg text."""
        one, two, double = features
        return _PAID.sub(lambda amount: str((1 + double) * int(amount[0])), self.text(numbers, one, two))


FEATURES: tuple[Features, ...] = tuple(product((False, True), (False, True), (False, True)))


def drawn(stream: RandomStream) -> Described:
    """Returns a game of one of four kinds, with random numbers and features.

    The wrong texts are the games with other features. So neither what is usual nor what two texts share tells the
    right one.
    """
    name = stream.choice(tuple(KINDS))
    kind = KINDS[name]
    numbers = kind.numbers(stream)
    features = stream.choice(FEATURES)
    wrong = tuple(kind.written(numbers, other) for other in FEATURES if other != features)
    data = {"kind": name, "numbers": numbers, "features": features}
    return Described(kind.described(numbers, features), kind.written(numbers, features), wrong, data)


_SIDES = ("left", "right")


def _matrix_payoffs(n: Sequence[int], swapped: bool) -> list[tuple[int, int]]:
    pays = [(n[0], n[1]), (n[2], n[3]), (n[4], n[5]), (n[6], n[7])]
    if swapped:  # not those of one choice of Ann: where Bob sees it, he could rename his two actions
        pays[1], pays[2] = pays[2], pays[1]
    return pays


def _matrix_words(n: Sequence[int], visible: bool, swapped: bool) -> str:
    """Both choose at the same time, or the second player sees the first; two payoffs as they are, or swapped."""
    ends = "; ".join(
        f"if Ann goes {a} and Bob {b}, Ann gets {x} and Bob {y}"
        for (a, b), (x, y) in zip(product(_SIDES, repeat=2), _matrix_payoffs(n, swapped), strict=True)
    )
    if visible:
        return f"Ann chooses left or right; Bob sees what she does and chooses left or right: {ends}."
    return f"Ann and Bob each choose left or right at the same time, and neither knows what the other does: {ends}."


def _matrix_text(n: Sequence[int], visible: bool, swapped: bool) -> str:
    pays, nodes = _matrix_payoffs(n, swapped), [move(1, 1, _SIDES)]
    for i in range(2):
        nodes.append(move(2, 1 + (visible and i), _SIDES))
        nodes += [end(2 * i + 1, *pays[2 * i]), end(2 * i + 2, *pays[2 * i + 1])]
    return efg("two choices", ("Ann", "Bob"), nodes)


def _entry_words(n: Sequence[int], harder: bool, paid_outside: bool) -> str:
    """An entrant enters or not, the owner fights or shares; two payoffs differ."""
    out, war, peace = n
    return (
        f"An entrant decides whether to open a shop. If it stays out, it gets {int(paid_outside)} and the old shop's "
        f"owner gets {out}. If it enters, the owner sees it. If the owner then fights, both get {war - harder}; if "
        f"it shares, both get {peace}."
    )


def _entry_text(n: Sequence[int], harder: bool, paid_outside: bool) -> str:
    out, war, peace = n
    nodes = [move(1, 1, ("stay out", "enter")), end(1, int(paid_outside), out), move(2, 1, ("fight", "share"))]
    return efg("entry", ("Entrant", "Owner"), [*nodes, end(2, war - harder, war - harder), end(3, peace, peace)])


def _poker_words(n: Sequence[int], visible: bool, uneven: bool) -> str:
    """One card, one raise (Myerson 1991, section 2.1). The second player sees the card or not; the odds."""
    small, big = n
    odds = "high with chance 1/3 and low with chance 2/3" if uneven else "high or low with equal chance"
    return (
        f"A card is drawn, {odds}; {'both see' if visible else 'only the player sees'} it. The player raises or "
        f"folds. If the player folds, it gets {small} from the other with the high card and pays {small} with the "
        f"low card. If the player raises, the other{'' if visible else ', who does not see the card,'} meets or "
        f"passes. If the other passes, it pays {small} to the player. If the other meets, it pays {big} to the "
        f"player with the high card and gets {big} from the player with the low card."
    )


def _poker_text(n: Sequence[int], visible: bool, uneven: bool) -> str:
    small, big = n
    nodes = [chance(("high", "low"), ("1/3", "2/3") if uneven else ("1/2", "1/2"))]
    for card, sign in enumerate((1, -1)):
        base = 3 * card
        nodes += [move(1, card + 1, ("raise", "fold")), move(2, 1 + (visible and card), ("meet", "pass"))]
        nodes += [end(base + 1, sign * big, -sign * big), end(base + 2, small, -small)]
        nodes.append(end(base + 3, sign * small, -sign * small))
    return efg("one card", ("Player", "Other"), nodes)


def _ultimatum_words(n: Sequence[int], hidden: bool, refused: bool) -> str:
    """A fair or a greedy offer, accepted or not. The taker sees it or not; what a refusal pays."""
    half, more = n
    return (
        f"A giver divides {2 * half} coins with a taker, either fairly, {half} each, or greedily, {more} for "
        f"itself and {2 * half - more} for the taker. The taker {'does not see' if hidden else 'sees'} the offer and "
        f"accepts or refuses it. If it refuses, both get {int(refused)}."
    )


def _ultimatum_text(n: Sequence[int], hidden: bool, refused: bool) -> str:
    half, more = n
    nodes, pay = [move(1, 1, ("fair", "greedy"))], int(refused)
    for i, (x, y) in enumerate(((half, half), (more, 2 * half - more))):
        nodes.append(move(2, 1 if hidden else 1 + i, ("accept", "refuse")))
        nodes += [end(2 * i + 1, x, y), end(2 * i + 2, pay, pay)]
    return efg("ultimatum", ("Giver", "Taker"), nodes)


KINDS = {
    "matrix": GameKind((0, 7, -9, -9, 20, -19, -20, 30), (7,) * 8, _matrix_words, _matrix_text),
    "entry": GameKind((10, -5, 2), (5, 5, 5), _entry_words, _entry_text),
    "poker": GameKind((1, 5), (3, 4), _poker_words, _poker_text),
    "ultimatum": GameKind((5, 8), (3, 4), _ultimatum_words, _ultimatum_text),
}
