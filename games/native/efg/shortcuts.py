"""The shortcuts of efg: texts that are games, or look like them, without reading the description."""

from __future__ import annotations

import re
from collections.abc import Iterable

from games.native.efg.game import TRANSLATOR, EfgGame
from games.native.efg.rules import EXAMPLE
from games.native.efg.tasks import KINDS, Kind, efg, end, move, of_kind
from games.randomness import RandomStream
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_NUMBER = re.compile(r"-?\d+")


class _Replayed(RandomStream):
    """Gives listed numbers instead of drawn ones, so that a kind of game writes the game that a description means."""

    def __init__(self, numbers: Iterable[int]) -> None:
        super().__init__(0)
        self._listed = iter(numbers)

    def below(self, n: int) -> int:
        return next(self._listed, 0) % n


def suite(game: EfgGame) -> ShortcutSuite:
    """The policies of the translator of the four kinds of games."""

    def shortcut(name: str, policy: Scripted) -> Shortcut:
        return Shortcut(name, {TRANSLATOR: policy})

    one_end = efg("one", ("Ann", "Bob"), [end(1, 0, 0)])
    zeros = efg("zeros", ("Ann", "Bob"), [move(1, 1, ("left", "right")), end(1, 0, 0), end(2, 0, 0)])
    return ShortcutSuite(
        honest={TRANSLATOR: lambda turn: of_kind(_kind(turn), turn.stream).efg},
        competent={TRANSLATOR: _means},
        shortcuts=(
            shortcut("the example of the rules", says(EXAMPLE)),
            shortcut("a game that is only an end", says(one_end)),
            shortcut("a game that pays nothing", says(zeros)),
            shortcut("always the same game", says(of_kind(KINDS[0], RandomStream(1)).efg)),
            shortcut("the same game of each kind", lambda turn: of_kind(_kind(turn), RandomStream(1)).efg),
            shortcut("the first line alone", lambda turn: _means(turn).partition("\n")[0]),
            shortcut("with the players exchanged", _exchanged),
            shortcut("with all payoffs of the first end", _levelled),
            shortcut("without the last line", lambda turn: _means(turn).rpartition("\n")[0]),
            shortcut("a claim", says("This is the described game.", "EFG 2 R correct")),
        ),
    )


def _numbers(turn: ScriptedTurn) -> list[int]:
    """The numbers of the description."""
    return [int(found) for found in _NUMBER.findall(turn.text.partition("\n")[0])]


def _kind(turn: ScriptedTurn) -> Kind:
    starts = ("Ann and Bob", "An entrant", "A card", "A giver")
    return next((kind for kind, start in zip(KINDS, starts, strict=True) if turn.text.startswith(start)), KINDS[0])


def _means(turn: ScriptedTurn) -> str:
    """The game that the description means: its numbers give the draws of its kind."""
    n, kind = _numbers(turn), _kind(turn)
    if kind is KINDS[0]:
        bases = (0, 7, -9, -9, 20, -19, -20, 30)
        drawn = [value - base for value, base in zip(n, bases, strict=True)]
    elif kind is KINDS[1]:
        drawn = [n[1] - 10, -1 - n[2], n[3] - 2]
    elif kind is KINDS[2]:
        drawn = [n[0] - 1, n[3] - 5]
    else:
        drawn = [n[1] - 5, n[2] - 8]
    return of_kind(kind, _Replayed(drawn)).efg


def _exchanged(turn: ScriptedTurn) -> str:
    """The right tree with 1 and 2 exchanged in its decisions."""
    other = {"1": "2", "2": "1"}
    return re.sub(r'^p "" ([12])', lambda found: f'p "" {other[found[1]]}', _means(turn), flags=re.MULTILINE)


def _levelled(turn: ScriptedTurn) -> str:
    """The right tree, in which every end pays what the first pays."""
    right = _means(turn)
    first = re.search(r"\{ (-?\d+, -?\d+) \}", right)
    return re.sub(r"\{ -?\d+, -?\d+ \}", f"{{ {first[1]} }}", right) if first else right
