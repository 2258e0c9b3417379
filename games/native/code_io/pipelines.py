"""What a generated program does in words, and the program that such words describe: for scripted policies."""

from __future__ import annotations

import re

from games.randomness import RandomStream
from games.tasks.programs.source import TYPES, argument_of
from games.tasks.programs.steps import CONSTANTS, STEPS, Type

_STEP = re.compile(r"    x = (.+)")
_SENTENCE = re.compile(r"[^.]+\.")
_WORDS = {
    (step.takes, step.code.format(c=c)): (step.gives, step.words.format(c=c)) for step in STEPS for c in CONSTANTS
}
_CODE = {words: code for (_, code), (_, words) in _WORDS.items()}


def described(code: str) -> tuple[Type, str] | None:
    """Returns the type of the argument and the words of a generated program; None for another one."""
    for first in TYPES:
        now, words = first, list[str]()
        for line in _STEP.findall(code):
            if (now, line) not in _WORDS:
                break
            now, sentence = _WORDS[now, line]
            words.append(sentence)
        else:
            return first, " ".join(words)
    return None


def written(words: str) -> str:
    """Returns the program that a text describes step by step; "" if it describes none."""
    lines = [_CODE.get(sentence.strip(), "") for sentence in _SENTENCE.findall(words)]
    return "\n".join(["def f(x):", *(f"    x = {line}" for line in lines), "    return x"]) if all(lines) else ""


def inputs(kind: Type, count: int, stream: RandomStream) -> list[str]:
    """Returns so many different arguments of a type, as literals."""
    drawn: dict[str, None] = {}
    while len(drawn) < count:
        drawn[repr(argument_of(kind, stream))] = None
    return list(drawn)
