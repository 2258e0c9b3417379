"""The shortcuts of pragmatic-v0: constant answers, and private codes that both seats agree on beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.native.pragmatic.game import LISTENER, SPEAKER, PragmaticGame
from games.native.pragmatic.scripted import listens, position, speaks
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_Rank = Callable[[Sequence[str]], list[int]]
"""from a list to the order in which a code reads it"""


def suite(game: PragmaticGame) -> ShortcutSuite:
    """The policies of both roles: honest players are of level 0, competent ones S1 and L1."""

    def code(name: str, rank: _Rank) -> Shortcut:
        return Shortcut(f"a code: {name}", {SPEAKER: _codes(rank), LISTENER: _decodes(rank)})

    return ShortcutSuite(
        honest={SPEAKER: speaks(0), LISTENER: _guesses},
        competent={SPEAKER: speaks(1), LISTENER: listens(1)},
        shortcuts=(
            Shortcut("always the first string", {SPEAKER: lambda turn: _answer(position(turn.text).strings[0])}),
            Shortcut("writes the target", {SPEAKER: lambda turn: _answer(_target(turn))}),
            Shortcut(
                "writes the letter of the target",
                {SPEAKER: lambda t: _answer(chr(65 + (position(t.text).target or 0)))},
            ),
            Shortcut("always A", {LISTENER: says("<answer>A</answer>")}),
            Shortcut("all letters", {LISTENER: says("<answer>A, B, C, D, E, F</answer>")}),
            Shortcut("an empty pattern", {LISTENER: says("<answer></answer>", "<answer>()</answer>")}),
            Shortcut("any string at all", {LISTENER: says("<answer>.*</answer>", "<answer>(.|..)*</answer>")}),
            Shortcut("a pattern for everything", {LISTENER: says("<answer>(0|1)*</answer>")}),
            code("the place in the list", lambda items: list(range(len(items)))),
            code("the order of the alphabet", lambda items: sorted(range(len(items)), key=lambda i: items[i])),
            code("the shape", lambda items: sorted(range(len(items)), key=lambda i: (_shape(items[i]), items[i]))),
            code("the different symbols", lambda items: sorted(range(len(items)), key=lambda i: len(set(items[i])))),
            code("the lengths", lambda items: sorted(range(len(items)), key=lambda i: (len(items[i]), items[i]))),
        ),
    )


def _shape(text: str) -> str:
    """The text with its symbols numbered in their order, which exchanging symbols leaves as it is."""
    order = list(dict.fromkeys(c for c in text if c in "012"))
    return "".join(str(order.index(c)) if c in order else c for c in text)


def _codes(rank: _Rank) -> Scripted:
    """Shows the string whose rank is that of the target among the patterns."""

    def policy(turn: ScriptedTurn) -> str:
        seen = position(turn.text)
        return _answer(seen.strings[rank(seen.strings)[rank(seen.patterns).index(seen.target or 0)]])

    return policy


def _decodes(rank: _Rank) -> Scripted:
    """Names the pattern whose rank is that of the last example among the strings."""

    def policy(turn: ScriptedTurn) -> str:
        seen = position(turn.text)
        if not seen.used:
            return _answer("A")
        at = rank(seen.strings).index(seen.used[-1][0])
        return _answer(chr(65 + rank(seen.patterns)[min(at, len(seen.patterns) - 1)]))

    return policy


def _target(turn: ScriptedTurn) -> str:
    seen = position(turn.text)
    return seen.patterns[seen.target or 0]


def _guesses(turn: ScriptedTurn) -> str:
    """A random pattern that was not wrong before."""
    seen = position(turn.text)
    return _answer(chr(65 + turn.stream.choice([p for p in range(len(seen.patterns)) if p not in seen.wrong])))


def _answer(text: str) -> str:
    return f"<answer>{text}</answer>"
