"""The task source `letters`: strings to copy, reverse, sort or shift, and codes to find by trial and error.

A ladder for tiny models: a guess at a string of n letters is right once in `letters`^n times, and whoever can write n
letters has only one more to learn for n + 1.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Annotated

from annotated_types import Interval

from games.errors import InputError
from games.naming import Name
from games.parameters import canonical
from games.randomness import RandomStream, derive
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource
from games.verifiers.verdict import PASS, Verdict

STRINGS: Mapping[str, tuple[str, Callable[[str, str], str]]] = {
    "copy": ("Copy", lambda word, alphabet: word),
    "reverse": ("Write from the last to the first", lambda word, alphabet: word[::-1]),
    "sort": ("Sort", lambda word, alphabet: "".join(sorted(word))),
    "next": ("Write the next letter of each", lambda word, alphabet: "".join(_after(c, alphabet) for c in word)),
}
"""family -> the wording, and the answer to a string of an alphabet"""
CODES = tuple(f"code{i}" for i in range(1, 10))
"""families of one question for each length, the beginning of a fixed random code, which only trial and error tells"""
_FEW = 30
"""so few questions of one length are not divided: they belong to `train`"""
_MOST = 5000
"""answers that a kind may list"""


class LettersSource(TaskSource):
    """Strings to copy, reverse, sort or shift by one letter, and codes. All answers of a length can be listed.

    families: names joined by +: copy, reverse, sort, next, code1 to code9; all: the first four.
    letters: the size of the alphabet, a, b, c, ...; the letter after the last is a. length: of the longest string.
    """

    name = "letters"

    def __init__(
        self,
        families: str = "all",
        letters: Annotated[int, Interval(ge=2, le=26)] = 3,
        length: Annotated[int, Interval(ge=1, le=12)] = 6,
        split: Split = "train",
    ) -> None:
        names = list(STRINGS) if families == "all" else families.split("+")
        if unknown := [name for name in names if name not in (*STRINGS, *CODES)]:
            raise InputError(f"letters has no family {unknown[0]!r}; families: {', '.join((*STRINGS, *CODES))}")
        params: dict[str, str | int] = {"families": families, "letters": letters, "length": length, "split": split}
        self._alphabet = string.ascii_lowercase[:letters]
        kinds = [TaskKind(f, f"{letters}x{n}") for f in dict.fromkeys(names) for n in range(1, length + 1)]
        kinds = [kind for kind in kinds if split == "train" or not self._are_few(kind)]
        super().__init__(str(Name(self.name, canonical(LettersSource, params))), kinds, split)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the string that the number draws, or the beginning of the code."""
        if kind.family in CODES:
            letters = RandomStream(derive(0, self.name, kind.family))
            code = [letters.choice(self._alphabet) for _ in range(_length(kind))]
            return f"Write {len(code)} letters of {kind.family}", " ".join(code)
        stream = RandomStream(derive(number, self.name, str(kind)))
        word = "".join(stream.choice(self._alphabet) for _ in range(_length(kind)))
        wording, answer = STRINGS[kind.family]
        return f"{wording}: {' '.join(word)}", " ".join(answer(word, self._alphabet))

    def canonical(self, task: SourceTask) -> str:
        """Returns the string, which decides the split, and on a second line what is asked of it."""
        return f"{task.question.partition(': ')[2]}\n{task.kind.family}"

    def split_of(self, task: SourceTask) -> Split:
        """Returns the split of the string; short strings are too few to be divided."""
        return "train" if self._are_few(task.kind) else super().split_of(task)

    def answers(self, kind: TaskKind) -> tuple[str, ...]:
        """Returns all strings of this length; () if they are too many."""
        length = _length(kind)
        return _words(self._alphabet, length) if len(self._alphabet) ** length <= _MOST else ()

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns whether these are the letters, with or without spaces between them."""
        written = "".join(answer.split()).casefold()
        if not written.isalpha() or not written.isascii():
            return Verdict("invalid", "it is not letters alone")
        return PASS if written == task.answer.replace(" ", "") else Verdict("fail", "these are other letters")

    def _are_few(self, kind: TaskKind) -> bool:
        return kind.family in CODES or len(self._alphabet) ** _length(kind) <= _FEW


def _after(letter: str, alphabet: str) -> str:
    return alphabet[(alphabet.index(letter) + 1) % len(alphabet)]


def _length(kind: TaskKind) -> int:
    return int(kind.difficulty.partition("x")[2])


@cache
def _words(alphabet: str, length: int) -> tuple[str, ...]:
    return tuple(" ".join(letters) for letters in product(alphabet, repeat=length))
