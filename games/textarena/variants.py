"""Texts that an environment may accept: those in brackets that it mentions, variants of them (`[b2 b3]` for `[a2 a3]`),
numbers, a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.randomness import RandomStream, derive

_ATOM = re.compile(r"\d+|[A-Za-z]+")
_ALONE = re.compile(r"(?<![^\W_])(\d{1,2}|[A-Za-z])(?![^\W_])")
"""A number or a letter that stands alone, such as the labels of a board."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_WORD = re.compile(r"[^\W\d_]{2,}")
_NEARBY = 2500
"""Characters at the end of the observation whose words may belong to a move."""
_NEWEST = 1000
"""Characters at the end of the observation, where the board is."""
_TRIES = 3000
_FORMS = 12
"""How many forms are varied, the newest ones."""


def variants(mentioned: Sequence[str], observation: str) -> Iterator[str]:
    """Different texts that have the form of a mentioned one, in an order that the observation `observation` determines.

    A number becomes another number, a letter one that stands alone in the observation, and a placeholder (`X` in
    `[play X]`) a number or a letter. Words stay.
    """
    forms = list({re.sub(r"\d+", "0", text): text for text in reversed(mentioned) if _varies(text)}.values())[:_FORMS]
    if not forms:
        return
    alone = _Alone.of(observation[-_NEWEST:])
    stream = RandomStream(derive(0, "variants", observation))
    tried = set(mentioned)
    for _ in range(_TRIES):
        form = stream.choice(forms)
        text = _ATOM.sub(_Draw(stream, alone, form).other, form)
        if text not in tried:
            tried.add(text)
            yield text


def other_words(mentioned: Sequence[str], observation: str) -> Iterator[str]:
    """Yields different texts: a mentioned text of two or more words, with words of the observation instead."""
    forms = [text for text in mentioned if len(_WORD.findall(text)) > 1][:_FORMS]
    words = list(dict.fromkeys(_WORD.findall(observation[-_NEARBY:])))
    if not forms or not words:
        return
    stream = RandomStream(derive(0, "words", observation))
    tried = set(mentioned)
    for _ in range(_TRIES):
        text = _WORD.sub(lambda _: stream.choice(words), stream.choice(forms))
        if text not in tried:
            tried.add(text)
            yield text


def _is_short(atom: str) -> bool:
    """Returns whether this is a letter or a placeholder such as `XX`, not a word."""
    return len(atom) == 1 or set(atom) == {"X"}


def _varies(text: str) -> bool:
    return any(atom.isdigit() or _is_short(atom) for atom in _ATOM.findall(text))


@dataclass(frozen=True, slots=True)
class _Alone:
    """The numbers and letters that stand alone in the observation."""

    numbers: Sequence[int]
    letters: Mapping[str, Sequence[str]]
    """alphabet -> those of its letters that stand alone"""

    @classmethod
    def of(cls, observation: str) -> _Alone:
        atoms = list(dict.fromkeys(_ALONE.findall(observation)))
        alphabets = (_ALPHABET, _ALPHABET.upper())
        return cls(
            [int(text) for text in atoms if text.isdigit()],
            {alphabet: [text for text in atoms if text in alphabet] for alphabet in alphabets},
        )


@dataclass(slots=True)
class _Draw:
    """One variant: how its parts are drawn is drawn first, because the parts of a move belong together."""

    stream: RandomStream
    alone: _Alone
    form: str
    near: bool = False
    """Whether a part is close to the one before: `[b2 b3]`, a step on a board."""
    small: bool = False
    """Whether numbers are from 0 to 9 instead of those in the observation."""
    filled: bool = False
    """Whether letters are placeholders of numbers."""
    letter: str = ""
    number: int | None = None

    def __post_init__(self) -> None:
        self.near, self.small = bool(self.stream.below(2)), bool(self.stream.below(2))
        self.filled = not any(map(str.isdigit, self.form)) and bool(self.stream.below(2))

    def other(self, match: re.Match[str]) -> str:
        """Returns what replaces a part."""
        atom = match[0]
        if set(atom) == {"X"} and len(atom) > 1:
            return "".join(str(self.stream.below(10)) for _ in atom)
        if self.filled and _is_short(atom):
            return self._other_number() if self.stream.below(3) else atom
        if atom.isdigit():
            return self._other_number()
        return self._other_letter(atom) if _is_short(atom) else atom

    def _other_number(self) -> str:
        numbers = self.alone.numbers
        if self.near and self.number is not None:
            self.number = max(0, self.number + self.stream.below(5) - 2)
        else:
            self.number = self.stream.choice(numbers) if numbers and not self.small else self.stream.below(10)
        return str(self.number)

    def _other_letter(self, atom: str) -> str:
        alphabet = _ALPHABET.upper() if atom.isupper() else _ALPHABET
        letters = self.alone.letters[alphabet]
        if self.near and self.letter in alphabet and self.letter:
            place = alphabet.index(self.letter) + self.stream.below(5) - 2
            self.letter = alphabet[max(0, min(place, len(alphabet) - 1))]
        else:
            self.letter = self.stream.choice(letters if len(letters) > 2 else alphabet)
        return self.letter


_BRACKETS = re.compile(r"\[(?:[^\[\]\n]|\[[^\[\]\n]*\]){1,60}\]")
"""Also with brackets inside, such as `[place () {(3,2): [C0]}]`."""
_COMMAND = re.compile(r"\[[A-Za-z]+\] [$\w][^\n\"'\[\]]{0,20}")
"""A word in brackets and what follows, such as `[Propose] CCAACCCC`."""
_SEAT_LINE = re.compile(r"(?m)^You: .*$")
_ANY_WORD = re.compile(r"\w+")
_NUMBERS = range(10)
_MENTIONED = 100
"""How many texts in brackets are tried at most, the newest ones."""
_WORDS = 300
_ENOUGH = 8
"""In a group that is too large to be tried whole: after this many accepted texts the others are not tried."""
Group = tuple[Iterable[str], int]
"""Texts to try, and how many accepted ones are enough."""


def candidates(observation: str) -> Iterator[Group]:
    """Yields groups of texts to try; a later group only if no text of the groups before is accepted.

    They depend on the observation alone, so the same position always has the same ones. What the seat itself wrote is
    no mention.
    """
    mentions = _SEAT_LINE.sub("", observation)
    mentioned = [text for text in dict.fromkeys(reversed(_BRACKETS.findall(mentions))) if text.upper() != "[GAME]"]
    commands = list(dict.fromkeys(reversed(_COMMAND.findall(mentions))))
    yield mentioned[:_MENTIONED], _MENTIONED
    yield [f"[{number}]" for number in _NUMBERS], len(_NUMBERS)
    yield variants(mentioned, mentions), _ENOUGH
    yield [*commands, *variants(commands, mentions)], _ENOUGH
    yield ["I have nothing to add.", "[done]", "[skip]", "[pass]"], 1
    yield [f"[{word}]" for word in list(dict.fromkeys(_ANY_WORD.findall(mentions)))[:_WORDS]], _ENOUGH
    yield [f"[{a} {b}]" for a in _NUMBERS for b in _NUMBERS], 100
    yield [f"[{a}, {b}]" for a in _NUMBERS for b in _NUMBERS], 100
    yield [f"[{letter}]" for letter in "abcdefghijklmnopqrstuvwxyz"], 26
    yield [f"[{letter}{number}]" for letter in "abcdefgh" for number in _NUMBERS], 80
    yield other_words(mentioned, mentions), _ENOUGH
