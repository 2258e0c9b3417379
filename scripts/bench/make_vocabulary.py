"""Writes games/tasks/vocabulary/words.tsv from WordNet's database files (Debian: wordnet-base).

    python scripts/bench/make_vocabulary.py /usr/share/wordnet games/tasks/vocabulary/words.tsv

One line per noun: word, category, how often its first sense occurs in WordNet's tagged texts, synonyms, hints (words of
its definition and of its neighbours in WordNet), near words (with the same hypernym), definition. Only first senses in
categories of things that can be described are kept. The formats of the files are those of WordNet's wndb(5WN).
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

CATEGORIES = {
    5: "animal",
    6: "artifact",
    8: "body",
    13: "food",
    17: "object",
    18: "person",
    20: "plant",
    27: "substance",
}
FEWEST = 1
"""occurrences of the first sense in the tagged texts, at least"""
OFFENSIVE = re.compile(r"offensive|derogat|disparag|slur|obscene|vulgar|slang|prostitut|sexual|excrement|genital")
_STOP = """a an the of or and in on to for with from by as at that which who whom is are was be been being used usually
often especially made making has having have not it its their they one any some other than into when where whose etc
such very more most can may this these those also between out up about only without within through under over all each
several many esp sometimes something someone person people thing things kind type part genus family order various two
both"""
STOP = frozenset(_STOP.split())
HYPERNYM, NEIGHBOURS = "@", ("@", "%p", "#p", "%s")
"""pointer symbols: the general term; that, and the wholes and parts of a thing"""


class Synset(NamedTuple):
    """A meaning that words share: a line of data.noun."""

    offset: str
    category: int
    words: list[str]
    senses: list[str]
    """the number of each word's sense, in hexadecimal digits"""
    links: list[tuple[str, str]]
    """pointer symbol and offset of each related noun"""
    gloss: str


class Noun(NamedTuple):
    """A word with its first sense."""

    word: str
    count: int
    synset: Synset


def main() -> None:
    """Write the file."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    synsets = read_synsets(folder)
    nouns = read_nouns(folder, synsets)
    near = near_words(nouns)
    rows = {noun.word: row for noun in nouns if (row := described(noun, synsets))}
    lines = [
        "# Derived from WordNet 3.0, copyright 2006 by Princeton University; see WORDNET in this folder.",
        "# word, category, occurrences, synonyms, hints, near words, definition",
    ]
    for word, (head, definition) in sorted(rows.items()):
        lines.append("\t".join((*head, " ".join([w for w in near[word] if w in rows][:4]), definition)))
    out.write_text("\n".join(lines) + "\n")
    print(len(rows), "words")


def read_synsets(folder: Path) -> dict[str, Synset]:
    """offset -> synset."""
    found = {}
    for line in _lines(folder / "data.noun"):
        head, _, gloss = line.partition(" | ")
        parts = head.split()
        n = int(parts[3], 16)
        at = 4 + 2 * n
        pointers = [parts[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(parts[at]))]
        links = [(kind, target) for kind, target, part_of_speech, _ in pointers if part_of_speech == "n"]
        gloss = gloss.split('; "')[0].strip()
        found[parts[0]] = Synset(parts[0], int(parts[1]), parts[4:at:2], parts[5:at:2], links, gloss)
    return found


def read_nouns(folder: Path, synsets: dict[str, Synset]) -> list[Noun]:
    """The single words whose first sense occurs in the texts and can be described."""
    counts = {key: int(count) for key, _, count in map(str.split, _lines(folder / "cntlist.rev"))}
    found = []
    for line in _lines(folder / "index.noun"):
        parts = line.split()
        word, first = parts[0], synsets[parts[4 + int(parts[3]) + 2]]
        at = [w.lower() for w in first.words].index(word)
        key = f"{word}%1:{first.category:02d}:{int(first.senses[at], 16):02d}::"
        count = counts.get(key, 0)
        usable = first.category in CATEGORIES and not OFFENSIVE.search(first.gloss)
        if usable and re.fullmatch("[a-z]{3,11}", word) and first.words[at] == word and count >= FEWEST:
            found.append(Noun(word, count, first))
    return found


def near_words(nouns: list[Noun]) -> dict[str, list[str]]:
    """word -> the words with the same general term and another meaning, the most frequent first."""
    under = defaultdict(list)
    for noun in nouns:
        for general in _targets(noun.synset, (HYPERNYM,)):
            under[general].append(noun)
    found = {}
    for noun in nouns:
        beside = [other for general in _targets(noun.synset, (HYPERNYM,)) for other in under[general]]
        others = {(o.count, o.word) for o in beside if o.synset.offset != noun.synset.offset}
        found[noun.word] = [word for _, word in sorted(others, reverse=True)]
    return found


def described(noun: Noun, synsets: dict[str, Synset]) -> tuple[tuple[str, ...], str] | None:
    """The fields before the near words, and the definition; None if too little can be said about the noun."""
    word, synset = noun.word, noun.synset
    synonyms = [w for w in synset.words if w != word and re.fullmatch("[a-z]+", w)]
    said = re.findall("[a-z]{3,}", re.sub(r"\(.*?\)", " ", synset.gloss.lower()))
    related = [w for target in _targets(synset, NEIGHBOURS) for w in synsets[target].words]
    hints = [w for w in dict.fromkeys([*related, *said]) if re.fullmatch("[a-z]{3,}", w) and w not in STOP]
    hints = [w for w in hints if word[:4] not in w and w not in synonyms and w[:4] not in word][:6]
    definition = re.sub(r"\s+", " ", re.sub(r"\(.*?\)", "", synset.gloss.split(";")[0])).strip()
    if len(hints) < 3 or word in definition.lower() or not 12 <= len(definition) <= 120:
        return None
    return (word, CATEGORIES[synset.category], str(noun.count), " ".join(synonyms), " ".join(hints)), definition


def _targets(synset: Synset, kinds: tuple[str, ...]) -> list[str]:
    return [target for kind, target in synset.links if kind in kinds]


def _lines(file: Path) -> list[str]:
    """The lines of a database file without its licence."""
    return [line for line in file.read_text(encoding="latin-1").splitlines() if not line.startswith("  ")]


if __name__ == "__main__":
    main()
