"""Writes games/tasks/vocabulary/words.tsv from WordNet's database files (Debian: wordnet-base).

    python scripts/make_vocabulary.py /usr/share/wordnet games/tasks/vocabulary/words.tsv

One line per noun: word, category, how often its first sense occurs in WordNet's tagged texts, synonyms, hints (words of
its definition and of its neighbours in WordNet), near words (with the same hypernym), definition. Only first senses in
categories of things that can be described are kept.
"""

from __future__ import annotations

import collections
import re
import sys
from pathlib import Path

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


def parse(folder: Path) -> dict[str, tuple[str, int, list[str], list[str], list[str], str]]:
    """word -> category, occurrences, synonyms, hints, near words, definition."""
    counts: dict[str, int] = {}
    for line in (folder / "cntlist.rev").read_text().splitlines():
        key, _, count = line.split()
        counts[key] = int(count)
    synsets = {}
    for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            continue
        head, _, gloss = line.partition(" | ")
        parts = head.split()
        offset, lex, n = parts[0], int(parts[1]), int(parts[3], 16)
        words = [parts[4 + 2 * i] for i in range(n)]
        ids = [parts[5 + 2 * i] for i in range(n)]
        at = 4 + 2 * n
        pointers = [
            (parts[at + 1 + 4 * i], parts[at + 2 + 4 * i])
            for i in range(int(parts[at]))
            if parts[at + 3 + 4 * i] == "n"
        ]
        synsets[offset] = (lex, words, ids, pointers, gloss.split('; "')[0].strip())
    found = {}
    for line in (folder / "index.noun").read_text().splitlines():
        if line.startswith("  "):
            continue
        parts = line.split()
        lemma, pointers = parts[0], int(parts[3])
        first = parts[4 + pointers + 2]
        lex, words, ids, links, gloss = synsets[first]
        lower = [w.lower() for w in words]
        if (
            OFFENSIVE.search(gloss)
            or lex not in CATEGORIES
            or not re.fullmatch("[a-z]{3,11}", lemma)
            or words[lower.index(lemma)] != lemma
        ):
            continue
        key = f"{lemma}%1:{lex:02d}:{int(ids[lower.index(lemma)], 16):02d}::"
        if counts.get(key, 0) < FEWEST:
            continue
        found[lemma] = (lex, counts[key], words, links, gloss, first)
    hyponyms = collections.defaultdict(list)
    for lemma, (_, count, _, links, _, first) in found.items():
        for kind, target in links:
            if kind == "@":
                hyponyms[target].append((count, lemma, first))
    rows = {}
    for lemma, (lex, count, words, links, gloss, first) in found.items():
        synonyms = [w for w in words if w != lemma and re.fullmatch("[a-z]+", w)]
        about = re.findall("[a-z]{3,}", re.sub(r"\(.*?\)", " ", gloss.lower()))
        near_words = [w for kind, t in links if kind in ("@", "%p", "#p", "%s") for w in synsets[t][1]]
        stem = lemma[:4]
        hints = [w for w in dict.fromkeys([*near_words, *about]) if re.fullmatch("[a-z]{3,}", w)]
        hints = [w for w in hints if w not in STOP and stem not in w and w not in synonyms and w[:4] not in lemma][:6]
        sisters = sorted(
            {(c, w) for kind, t in links if kind == "@" for c, w, f in hyponyms[t] if w != lemma and f != first},
            reverse=True,
        )
        gloss = re.sub(r"\s+", " ", re.sub(r"\(.*?\)", "", gloss.split(";")[0])).strip()
        if len(hints) < 3 or lemma in gloss.lower() or not 12 <= len(gloss) <= 120:
            continue
        rows[lemma] = (CATEGORIES[lex], count, synonyms, hints, [w for _, w in sisters], gloss)
    return rows


def main() -> None:
    """Write the file."""
    rows = parse(Path(sys.argv[1]))
    lines = [
        "# Derived from WordNet 3.0, copyright 2006 by Princeton University; see WORDNET in this folder.",
        "# word, category, occurrences, synonyms, hints, near words, definition",
    ]
    for lemma, (category, count, synonyms, hints, near, gloss) in sorted(rows.items()):
        near = [w for w in near if w in rows][:4]
        fields = (lemma, category, str(count), " ".join(synonyms), " ".join(hints), " ".join(near), gloss)
        lines.append("\t".join(fields))
    Path(sys.argv[2]).write_text("\n".join(lines) + "\n")
    print(len(rows), "words,", sum(bool(n) for *_, n, _ in rows.values()), "with near words")


main()
