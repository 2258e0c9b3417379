"""The policies of pragmatic: speakers and listeners of the Rational Speech Acts model, constants, and private codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.native.pragmatic.rsa import SpeechActs, Table, acts_of, likeliest, understood
from games.native.pragmatic.texts import LETTERS, LISTENER, SPEAKER
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_Rank = Callable[[Sequence[str], Table], list[int]]
"""from a list and the table of its matches, a row for each item, to the order in which a code reads it"""


def suite(closed: bool) -> ShortcutSuite:
    """Returns the policies of both roles: honest players choose at random, competent ones are best responses to L1."""
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
        Shortcut(f"a code: {name}", {SPEAKER: _codes(rank), LISTENER: _decodes(rank)}, solves=solves)
        for name, (rank, solves) in _CODES.items()
    ]
    return ShortcutSuite(
        honest={SPEAKER: speaks(0), LISTENER: _guesses},
        competent={SPEAKER: _informs, LISTENER: listens(1)},
        shortcuts=() if closed else shortcuts,
        references={
            "literal": {SPEAKER: speaks(0), LISTENER: listens(0)},
            "pragmatic": {SPEAKER: speaks(1), LISTENER: listens(1)},
        },
    )


def speaks(level: int) -> Scripted:
    """Returns the speaker S_level, which prefers the best strings. Level 0: a random string of the list."""

    def policy(turn: ScriptedTurn) -> str:
        strings, used = turn.data["strings"], turn.data["used"]
        if level:
            return _answer(turn, strings[turn.stream.weighted(_model(turn).speaker(level, used, turn.data["target"]))])
        return _answer(turn, turn.stream.choice([s for i, s in enumerate(strings) if i not in {u for u, _ in used}]))

    return policy


def _informs(turn: ScriptedTurn) -> str:
    """Shows the string after which the listener L1 is most likely right, of several a random one."""
    model, used, target = _model(turn), turn.data["used"], turn.data["target"]
    spent = [i for i, _ in used]
    shares = [
        -1.0 if i in spent else understood(model, (*used, (i, row[target])), turn.data["wrong"], target)
        for i, row in enumerate(model.table)
    ]
    return _answer(turn, turn.data["strings"][turn.stream.choice(likeliest(shares, spent))])


def listens(level: int) -> Scripted:
    """Returns the listener L_level: a most probable pattern that was not wrong before, of several a random one."""

    def policy(turn: ScriptedTurn) -> str:
        chances = _model(turn).listener(level, turn.data["used"])
        return _answer(turn, LETTERS[turn.stream.choice(likeliest(chances, turn.data["wrong"]))])

    return policy


def _model(turn: ScriptedTurn) -> SpeechActs:
    return acts_of(turn.data["patterns"], turn.data["strings"])


def _guesses(turn: ScriptedTurn) -> str:
    left = [p for p in range(len(turn.data["patterns"])) if p not in turn.data["wrong"]]
    return _answer(turn, LETTERS[turn.stream.choice(left)])


def _answer(turn: ScriptedTurn, text: str) -> str:
    """Returns a string or a letter, in a closed game as it is listed."""
    return f"<answer>{text}</answer>" if turn.legal is None else text


def _shape(text: str) -> str:
    """Returns the text with its symbols numbered in their order, which exchanging symbols leaves as it is."""
    order = list(dict.fromkeys(c for c in text if c in "012"))
    return "".join(str(order.index(c)) if c in order else c for c in text)


def _by(key: Callable[[str], object]) -> _Rank:
    return lambda items, table: sorted(range(len(items)), key=lambda i: key(items[i]))  # type: ignore[arg-type, return-value]


def _by_table(items: Sequence[str], table: Table) -> list[int]:
    """Orders items by their matches, which neither other strings of the same meaning nor other symbols change."""
    sizes = [sum(column) for column in zip(*table, strict=True)]
    return sorted(range(len(items)), key=lambda i: (sum(table[i]), sorted(zip(sizes, table[i], strict=True))))


_READS = "its order follows which string matches which pattern: that is to read the patterns, half of the task"
_CODES: dict[str, tuple[_Rank, str]] = {
    "the place in the list": (lambda items, table: list(range(len(items))), ""),
    "the order of the alphabet": (_by(lambda text: text), ""),
    "the shape": (_by(lambda text: (_shape(text), text)), ""),
    "the different symbols": (_by(lambda text: len(set(text))), ""),
    "the lengths": (_by(lambda text: (len(text), text)), ""),
    "the matches": (_by_table, _READS),
}
"""orders of both lists, each with why it does a part of the task; "" if it does none"""


def _ranks(turn: ScriptedTurn, rank: _Rank) -> tuple[list[int], list[int]]:
    """Returns the patterns and the strings in the order of a code."""
    rows = _model(turn).table
    columns = tuple(zip(*rows, strict=True))
    return rank(turn.data["patterns"], columns), rank(turn.data["strings"], rows)


def _codes(rank: _Rank) -> Scripted:
    """Shows the string whose rank is that of the target among the patterns."""

    def policy(turn: ScriptedTurn) -> str:
        patterns, strings = _ranks(turn, rank)
        at = min(patterns.index(turn.data["target"]), len(strings) - 1)
        return _answer(turn, turn.data["strings"][strings[at]])

    return policy


def _decodes(rank: _Rank) -> Scripted:
    """Names the pattern whose rank is that of the last example among the strings."""

    def policy(turn: ScriptedTurn) -> str:
        if not turn.data["used"]:
            return _answer(turn, LETTERS[0])
        patterns, strings = _ranks(turn, rank)
        at = min(strings.index(turn.data["used"][-1][0]), len(patterns) - 1)
        return _answer(turn, LETTERS[patterns[at]])

    return policy
