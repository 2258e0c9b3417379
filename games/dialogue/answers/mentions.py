"""Finds the options that a text mentions, among thousands of them, in time linear in the length of the text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from games.dialogue.answers.figures import around, restated
from games.dialogue.answers.kinds import beside_letter
from games.dialogue.answers.patterns import DENIES
from games.dialogue.answers.rivals import attributed, expanded, statements

_TOKEN = re.compile(r"[^\W_]+")
_COORDINATE, _FEW = re.compile(r"[a-z]{1,2}\d\w{0,6}"), 5
_OPENED, _CLOSED = re.compile(r"[\[({<]{1,4}$"), re.compile(r"^[\])}>]{1,4}")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?![\w.])")


class Mentions:
    """The options of one list. An option is mentioned by its words and numbers, or by the number that sets it apart.

    `shorter` has for each option another text that mentions it too, or "". A word of a letter or two is none.
    """

    def __init__(self, options: tuple[str, ...], shorter: tuple[str, ...] = ()) -> None:
        self._options: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._numbered: dict[str, set[Fraction]] = defaultdict(set)
        tokens = [tuple(_TOKEN.findall(option.casefold())) for option in options]
        shared = len({words[:1] for words in tokens}) == 1 < len(options)
        for option, words in zip(options, tokens, strict=True):
            for part in (words, words[1:]) if shared else (words,):
                if part:
                    self._options[part].add(option)
            if any(map(str.isdecimal, words)) and (template := _template(option)):
                self._numbered[template[0]].add(template[1])
        for option, text in zip(options, shorter, strict=False):
            words = tuple(_TOKEN.findall(text.casefold()))
            if words and (len(words) > 1 or len(text) > 2 or any(map(str.isdecimal, text))):
                self._options[words].add(option)
        self._lengths = sorted(set(map(len, self._options)), reverse=True)

    def rival(self, after: str, value: str) -> str:
        """Returns why a text states another option than `value`, "" if it does not."""
        rest: list[str] = []
        for sentence in map(expanded, statements(after)):
            for start, end, options in self._mentioned(sentence):
                before, following = around(sentence, start, end)
                before, following = _OPENED.sub("", before), _CLOSED.sub("", following)
                excused = beside_letter(before, sentence[start:end], following) or attributed(before)
                if excused or bool(DENIES.search(before)) != (value in options):
                    sentence = f"{sentence[:start]}{' ' * (end - start)}{sentence[end:]}"
                elif not sentence[start:end].isdecimal():
                    return f"{sentence[start:end]!r} follows the answer"
            if coordinate := self._coordinate(sentence, value):
                return f"{coordinate!r} follows the answer"
            rest.append(sentence)
        return self._number(rest, value)

    def _mentioned(self, sentence: str) -> Iterator[tuple[int, int, set[str]]]:
        """Where options are mentioned, the longest first, and which ones."""
        tokens = [(match.start(), match.end(), match[0].casefold()) for match in _TOKEN.finditer(sentence)]
        words = [word for _, _, word in tokens]
        at = 0
        while at < len(words):
            for length in self._lengths:
                options = self._options.get(tuple(words[at : at + length]))
                if options and at + length <= len(words):
                    yield tokens[at][0], tokens[at + length - 1][1], options
                    at += length
                    break
            else:
                at += 1

    def _coordinate(self, sentence: str, value: str) -> str:
        """A part of another option in a few words, such as d4 after e2e4; "" without one."""
        words = _TOKEN.findall(sentence.casefold())
        if len(words) > _FEW or not _COORDINATE.search(value.casefold()):
            return ""
        return next((word for word in words if _COORDINATE.fullmatch(word) and word not in value.casefold()), "")

    def _number(self, sentences: list[str], value: str) -> str:
        """Why a number of the text may stand for another option that differs from the answer in its number only."""
        template = _template(value) or ("#", Fraction(10**9, 7))
        others = self._numbered.get(template[0], set()) - {template[1]}
        return restated("\n".join(sentences), template[1], others.__contains__) if others else ""


def _template(option: str) -> tuple[str, Fraction] | None:
    """An option with one number, such as "column 3", without it, and the number."""
    numbers = _NUMBER.findall(option)
    return (
        ("#".join(_TOKEN.findall(_NUMBER.sub(" # ", option))) or "#", Fraction(numbers[0]))
        if len(numbers) == 1
        else None
    )


@lru_cache(32)
def mentions(options: tuple[str, ...], shorter: tuple[str, ...] = ()) -> Mentions:
    """Returns the options of a list; the same object for the same list."""
    return Mentions(options, shorter)
