"""The policies of efg: the translator writes the described game, another game, or what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from games.native.efg.kinds import FEATURES, KINDS, GameKind
from games.native.efg.notation import HEADER, efg, end, move
from games.native.efg.rules import EXAMPLE
from games.randomness import RandomStream
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

TRANSLATOR = "translator"
Change: TypeAlias = Callable[[str], str]


def suite(stages: int) -> ShortcutSuite | None:
    """Returns the policies for games of the four kinds; None for generated games."""
    return None if stages else _SUITE


def described(turn: ScriptedTurn) -> str:
    """Returns the described game."""
    return _kind(turn).written(turn.data["numbers"], turn.data["features"])


def _kind(turn: ScriptedTurn) -> GameKind:
    return KINDS[turn.data["kind"]]


def _random(kind: GameKind, stream: RandomStream) -> str:
    return kind.written(kind.numbers(stream), stream.choice(FEATURES))


def _fixed(turn: ScriptedTurn) -> str:
    """Returns the same game of each kind."""
    return _random(_kind(turn), RandomStream(1))


def _exchanged(game: str) -> str:
    """Returns the tree with 1 and 2 exchanged in its decisions."""
    other = {"1": "2", "2": "1"}
    return re.sub(r'^p "" ([12])', lambda player: f'p "" {other[player[1]]}', game, flags=re.MULTILINE)


def _levelled(game: str) -> str:
    """Returns the tree in which every end pays what the first pays."""
    first = re.search(r"\{ (-?\d+, -?\d+) \}", game)
    return re.sub(r"\{ -?\d+, -?\d+ \}", f"{{ {first[1]} }}", game) if first else game


def _shortcut(name: str, policy: Scripted) -> Shortcut:
    return Shortcut(name, {TRANSLATOR: policy})


def _changed(name: str, change: Change) -> Shortcut:
    return _shortcut(name, lambda turn: change(described(turn)))


_END = efg("one", ("Ann", "Bob"), [end(1, 0, 0)])
_ZEROS = efg("zeros", ("Ann", "Bob"), [move(1, 1, ("left", "right")), end(1, 0, 0), end(2, 0, 0)])
_SUITE = ShortcutSuite(
    honest={TRANSLATOR: lambda turn: _random(_kind(turn), turn.stream)},
    competent={TRANSLATOR: described},
    shortcuts=(
        _shortcut("the example of the rules", says(EXAMPLE)),
        _shortcut("a game that is only an end", says(_END)),
        _shortcut("a game that pays nothing", says(_ZEROS)),
        _shortcut("always the same game", says(_random(KINDS["matrix"], RandomStream(1)))),
        _shortcut("the same game of each kind", _fixed),
        _changed("the first line alone", lambda game: game.partition("\n")[0]),
        _changed("with the players exchanged", _exchanged),
        _changed("with all payoffs of the first end", _levelled),
        _changed("without the last line", lambda game: game.rpartition("\n")[0]),
        _shortcut("a claim", says("This is the described game.", f"{HEADER} correct")),
    ),
)
