"""The table that renames the words, pieces and cards of one game, and back.

Words of the game become made-up words with the same endings and capitals. Single letters, such as the marks x and o,
become short words too, unless the game writes letters together (`oox`, `NT`, `KQJ`) or uses many of them: then letters
become other letters, so that a drawn board keeps its shape. Those letters are consonants, so no row of a board reads
like a word. Digits stay, because rules count with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from games.errors import InputError
from games.exact.made_up import made_up, vocabulary
from games.exact.plain import FUNCTION, PLAIN
from games.exact.tokens import cased, key_of, lemma, replaced, words
from games.randomness import RandomStream, derive

_VOWELS = frozenset("aeiouy")
_LETTERS = "bcdfghjklmnpqrstvwxz"
_FEW = 4
"""marks of a game that become words; of more, letters become letters"""
_SUITS, _SIGNS = "♠♥♦♣", "◆▲●■"


class Lexicon:
    """A bijection between the texts of a game and its disguise. `rules` and `actions` are among the `texts`."""

    def __init__(self, texts: Iterable[str], rules: str, actions: Iterable[str], seed: int) -> None:
        self._seed = seed
        moves = {word.lower() for word in words(actions)}
        moves |= {lemma(word, PLAIN)[0] for word in moves}
        self._plain = frozenset(word for word in PLAIN - FUNCTION if lemma(word, moves)[0] not in moves)
        rest = {word for word in words(texts) if not self._stays(word)}
        self._prose = {word.lower() for word in words([rules]) if len(word) > 2 and _spoken(word)}
        self._letters = self._marks(rest)
        singles = {word.lower() for word in rest if len(word) == 1}
        self._spelled = len(singles) > _FEW or any(self._is_row(word) for word in rest)
        stream = RandomStream(derive(seed, "veil"))
        self._glyphs = self._permuted(stream) if self._spelled else {}
        self._table = self._renamed(sorted({key_of(word) for word in rest if not self._is_spelled(word)}), stream)
        self._back = {new: old for old, new in self._table.items()}
        self._glyphs_back = {new: old for old, new in self._glyphs.items()}
        signs = "".join(stream.shuffled(_SIGNS))
        self._signs, self._signs_back = str.maketrans(_SUITS, signs), str.maketrans(signs, _SUITS)
        self.write = lru_cache(4096)(self._write)

    def _write(self, text: str) -> str:
        """Returns a text in the words of the disguise."""
        return replaced(text, self._word).translate(self._signs)

    def read(self, text: str) -> str:
        """Returns the text that `write` has renamed."""
        return replaced(text, self._original).translate(self._signs_back)

    def _word(self, token: str) -> str:
        if self._stays(token):
            return token
        if self._is_spelled(token):
            return "".join(_like(self._glyphs[letter.lower()], letter) for letter in token)
        small = key_of(token)
        if small not in self._table:  # a word that the sample lacks: longer, so that it equals none of the table
            self._table[small] = made_up(RandomStream(derive(self._seed, "rare", small)), 3 if len(small) > 1 else 2)
            self._back[self._table[small]] = small
        return cased(self._table[small], token)

    def _original(self, token: str) -> str:
        if token.lower() in self._back:
            return cased(self._back[token.lower()], token)
        if self._spelled and (len(token) == 1 or not _spoken(token)):
            return "".join(_like(self._glyphs_back[letter.lower()], letter) for letter in token)
        return token

    def _stays(self, token: str) -> bool:
        """Returns whether a token is an English word that stays; rows of capitals are no words."""
        small = key_of(token)
        if len(token) == 1 or (token.isupper() and not (small in FUNCTION and len(token) > 2)):
            return False
        return small in FUNCTION or lemma(small, self._plain)[0] in self._plain

    def _marks(self, rest: Iterable[str]) -> frozenset[str]:
        """Returns the letters that stand alone or in rows without a vowel, and those of short rows of capitals."""
        rows = {word for word in rest if len(word) > 1 and not _spoken(word)}
        if rows:
            rows |= {word for word in rest if word.isupper() and len(word) <= 4}
        return frozenset("".join(rows | {word for word in rest if len(word) == 1}))

    def _is_row(self, token: str) -> bool:
        """Returns whether a token is letters written together, such as a row of a board."""
        return len(token) > 1 and self._letters.issuperset(token) and token.lower() not in self._prose

    def _is_spelled(self, token: str) -> bool:
        return self._spelled and (len(token) == 1 or self._is_row(token))

    def _permuted(self, stream: RandomStream) -> dict[str, str]:
        """Returns another letter for each letter. Raises InputError if the game uses more than there are consonants."""
        used = sorted({letter.lower() for letter in self._letters})
        if len(used) > len(_LETTERS):
            raise InputError(f"it writes {len(used)} different letters, more than a table can rename")
        others = sorted(set("abcdefghijklmnopqrstuvwxyz") - set(used))
        while True:
            new = stream.shuffled(_LETTERS)
            glyphs = dict(zip(used, new, strict=False))
            rest = sorted(_LETTERS[i] for i in range(len(_LETTERS)) if _LETTERS[i] not in glyphs.values())
            if all(old != letter for old, letter in glyphs.items()):
                return glyphs | dict(zip(others, [*rest, *"aeiouy"], strict=True))

    def _renamed(self, ordered: list[str], stream: RandomStream) -> dict[str, str]:
        """Returns a made-up word for each word; words with one base share it."""
        long, short = vocabulary(stream, PLAIN.union(ordered)), vocabulary(stream, (), 1)
        bases = frozenset(ordered)
        stems: dict[str, str] = {}
        table: dict[str, str] = {}
        for word in ordered:
            base, ending = lemma(word, bases)
            if base not in stems:
                stems[base] = next(short if len(base) == 1 else long)
            new = stems[base] + ending
            table[word] = next(long) if new in table.values() else new
        return table


def _spoken(token: str) -> bool:
    return not _VOWELS.isdisjoint(token.lower())


def _like(letter: str, original: str) -> str:
    return letter.upper() if original.isupper() else letter
