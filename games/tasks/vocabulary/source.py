"""The task source `vocabulary`: 2,900 nouns of WordNet 3.0 with definitions, hints and words that are almost alike.

As tasks they ask for the word of a definition. taboo and spy draw their words and pairs here. words.tsv is written by
scripts/bench/make_vocabulary.py; the file WORDNET is the licence of its data.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from games.errors import InputError
from games.naming import Name
from games.parameters import canonical
from games.randomness import RandomStream, derive
from games.tasks.source import SourceTask, Split, TaskKind, TaskSource, split_of
from games.tasks.tables import plain, rows
from games.verifiers.verdict import PASS, Verdict

COMMON = 5
"""a word is common if its sense occurs at least this often in WordNet's tagged texts"""
_MEANS = ", means: "
CATEGORIES = ("animal", "artifact", "body", "food", "object", "person", "plant", "substance")
Category = Literal["all", "animal", "artifact", "body", "food", "object", "person", "plant", "substance"]
Frequency = Literal["common", "rare", "all"]


class Entry(NamedTuple):
    """A word, its synonyms, words that describe it, words of the same kind, and its definition."""

    word: str
    category: str
    frequency: Literal["common", "rare"]
    synonyms: tuple[str, ...]
    hints: tuple[str, ...]
    near: tuple[str, ...]
    definition: str


class VocabularySource(TaskSource):
    """Nouns of WordNet: which word has this definition? The definition of a word decides its split.

    category: words of one category, or of all. frequency: common or rare words, or all.
    """

    name = "vocabulary"

    def __init__(self, category: Category = "all", frequency: Frequency = "all", split: Split = "train") -> None:
        params = {"category": category, "frequency": frequency, "split": split}
        kinds = [
            TaskKind(c, f)
            for c in (CATEGORIES if category == "all" else (category,))
            for f in (("common", "rare") if frequency == "all" else (frequency,))
        ]
        super().__init__(str(Name(self.name, canonical(VocabularySource, params))), kinds, split)

    def make(self, kind: TaskKind, number: int) -> tuple[str, str]:
        """Returns the word that the number draws."""
        words = _of_kind(kind)
        entry = words[number % len(words)]
        first, letters = entry.word[0].upper(), len(entry.word)
        return f"Which word with {letters} letters, starting with {first}{_MEANS}{entry.definition}?", entry.word

    def canonical(self, task: SourceTask) -> str:
        """Returns the meaning of the word."""
        return task.question.partition(_MEANS)[2]

    def grade(self, task: SourceTask, answer: str) -> Verdict:
        """Returns whether it is the word or a synonym of the same length and first letter."""
        word, entry = plain(answer), entries()[task.answer]
        if not word:
            return Verdict("invalid", "it is empty")
        fits = len(word) == len(entry.word) and word[0] == entry.word[0]
        right = word == entry.word or (fits and word in entry.synonyms)
        return PASS if right else Verdict("fail", "it is another word")

    def entry(self, seed: int) -> Entry:
        """Returns the word of a seed."""
        return entries()[self.draw(seed).answer]

    def likeliest(self) -> float:
        """Returns the chance that `entry` draws the word that it draws most often: of the kind with fewest words."""
        counts = [sum(split_of(f"{e.definition}?") == self.split for e in _of_kind(kind)) for kind in self.kinds]
        return 1 / (len(counts) * min(n for n in counts if n))

    def pair(self, seed: int) -> tuple[Entry, Entry]:
        """Returns two words of this split that are almost alike. Raises InputError if there is no pair."""
        for attempt in range(100):
            entry = self.entry(derive(seed, "pair", attempt))
            near = [entries()[word] for word in entry.near if split_of(f"{entries()[word].definition}?") == self.split]
            if near:
                return entry, RandomStream(derive(seed, "near", attempt)).choice(near)
        raise InputError(f"{self.id} has no pairs of near words; choose another category")


@cache
def entries() -> dict[str, Entry]:
    """Returns all entries by word."""
    out = {}
    for word, category, count, synonyms, hints, near, definition in rows(__package__, "words.tsv"):
        frequency: Literal["common", "rare"] = "common" if int(count) >= COMMON else "rare"
        lists = [tuple(text.split()) for text in (synonyms, hints, near)]
        out[word] = Entry(word, category, frequency, lists[0], lists[1], lists[2], definition)
    return out


@cache
def _of_kind(kind: TaskKind) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries().values() if (entry.category, entry.frequency) == kind)
