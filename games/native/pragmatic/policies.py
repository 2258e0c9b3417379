"""The policies of pragmatic: speakers and listeners of the Rational Speech Acts model, constants, and private codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from games.native.pragmatic.regex import automaton
from games.native.pragmatic.rsa import SpeechActs
from games.native.pragmatic.texts import LETTERS, LISTENER, SPEAKER
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

ALPHA = 4.0
"""how strongly the competent speaker prefers better examples"""
_Rank = Callable[[Sequence[str]], list[int]]
"""from a list to the order in which a code reads it"""


def suite(closed: bool) -> ShortcutSuite:
    """Returns the policies of both roles: honest players choose at random, competent ones are S1 and L1."""
    constants: dict[str, tuple[str, Scripted]] = {
        "always the first string": (SPEAKER, lambda turn: _answer(turn, turn.data["strings"][0])),
        "writes the target": (SPEAKER, lambda turn: _answer(turn, turn.data["patterns"][turn.data["target"]])),
        "writes the letter of the target": (SPEAKER, lambda turn: _answer(turn, LETTERS[turn.data["target"]])),
        "always A": (LISTENER, says("<answer>A</answer>")),
        "all letters": (LISTENER, says("<answer>A, B, C, D, E, F</answer>")),
        "an empty pattern": (LISTENER, says("<answer></answer>", "<answer>()</answer>")),
        "any string at all": (LISTENER, says("<answer>.*</answer>", "<answer>(.|..)*</answer>")),
        "a pattern for everything": (LISTENER, says("<answer>(0|1)*</answer>")),
    }
    shortcuts = [Shortcut(name, {role: policy}) for name, (role, policy) in constants.items()]
    shortcuts += [
        Shortcut(f"a code: {name}", {SPEAKER: _codes(r), LISTENER: _decodes(r)}) for name, r in _CODES.items()
    ]
    return ShortcutSuite(
        honest={SPEAKER: speaks(0), LISTENER: _guesses},
        competent={SPEAKER: speaks(1), LISTENER: listens(1)},
        shortcuts=() if closed else shortcuts,
        references={"literal": {SPEAKER: speaks(0), LISTENER: listens(0)}},
    )


def speaks(level: int) -> Scripted:
    """Returns the speaker S_level, which prefers the best strings. Level 0: a random string of the list."""

    def policy(turn: ScriptedTurn) -> str:
        strings, used = turn.data["strings"], turn.data["used"]
        if level:
            return _answer(turn, strings[turn.stream.weighted(_model(turn).speaker(level, used, turn.data["target"]))])
        return _answer(turn, turn.stream.choice([s for i, s in enumerate(strings) if i not in {u for u, _ in used}]))

    return policy


def listens(level: int) -> Scripted:
    """Returns the listener L_level: a most probable pattern that was not wrong before, of several a random one."""

    def policy(turn: ScriptedTurn) -> str:
        chances = _model(turn).listener(level, turn.data["used"])
        return _answer(turn, LETTERS[turn.stream.choice(best(chances, _left(turn)))])

    return policy


def best(chances: Sequence[float], among: Sequence[int]) -> list[int]:
    """Returns the indices with the highest chance, up to rounding."""
    most = max(chances[i] for i in among)
    return [i for i in among if chances[i] > most - 1e-9]


def _model(turn: ScriptedTurn) -> SpeechActs:
    return _acts(turn.data["patterns"], turn.data["strings"])


@lru_cache(256)
def _acts(patterns: tuple[str, ...], strings: tuple[str, ...]) -> SpeechActs:
    return SpeechActs(tuple(tuple(automaton(p).matches(s) for p in patterns) for s in strings), ALPHA)


def _left(turn: ScriptedTurn) -> list[int]:
    """Returns the patterns that were not wrong before."""
    return [p for p in range(len(turn.data["patterns"])) if p not in turn.data["wrong"]]


def _guesses(turn: ScriptedTurn) -> str:
    return _answer(turn, LETTERS[turn.stream.choice(_left(turn))])


def _answer(turn: ScriptedTurn, text: str) -> str:
    """Returns a string or a letter, in a closed game as it is listed."""
    return f"<answer>{text}</answer>" if turn.legal is None else text


def _shape(text: str) -> str:
    """Returns the text with its symbols numbered in their order, which exchanging symbols leaves as it is."""
    order = list(dict.fromkeys(c for c in text if c in "012"))
    return "".join(str(order.index(c)) if c in order else c for c in text)


_CODES: dict[str, _Rank] = {
    "the place in the list": lambda items: list(range(len(items))),
    "the order of the alphabet": lambda items: sorted(range(len(items)), key=lambda i: items[i]),
    "the shape": lambda items: sorted(range(len(items)), key=lambda i: (_shape(items[i]), items[i])),
    "the different symbols": lambda items: sorted(range(len(items)), key=lambda i: len(set(items[i]))),
    "the lengths": lambda items: sorted(range(len(items)), key=lambda i: (len(items[i]), items[i])),
}


def _codes(rank: _Rank) -> Scripted:
    """Shows the string whose rank is that of the target among the patterns."""

    def policy(turn: ScriptedTurn) -> str:
        strings, patterns = turn.data["strings"], turn.data["patterns"]
        return _answer(turn, strings[rank(strings)[rank(patterns).index(turn.data["target"])]])

    return policy


def _decodes(rank: _Rank) -> Scripted:
    """Names the pattern whose rank is that of the last example among the strings."""

    def policy(turn: ScriptedTurn) -> str:
        strings, patterns, used = turn.data["strings"], turn.data["patterns"], turn.data["used"]
        if not used:
            return _answer(turn, LETTERS[0])
        at = rank(strings).index(used[-1][0])
        return _answer(turn, LETTERS[rank(patterns)[min(at, len(patterns) - 1)]])

    return policy
