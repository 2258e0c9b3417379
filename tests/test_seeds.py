"""docs/seeds.md: each of the 253 papers stands there once, and the counts are those of its lines."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "seeds.md").read_text()
SEEDS = 253


def sections():
    """Yields the count of a heading and the titles below it."""
    for section in PAGE.split("\n## ")[1:]:
        head, _, body = section.partition("\n")
        rows = re.findall(r"^\| (.+?) \|", body, re.MULTILINE)[1:]
        lists = re.findall(r"^\*\*.+\*\* \((\d+)\): (.+)\.$", body, re.MULTILINE)
        for count, titles in lists:
            assert int(count) == len(titles.split("; ")), titles
        yield int(head.rpartition(": ")[2]), rows + [title for _, titles in lists for title in titles.split("; ")]


def test_every_seed_stands_once_and_the_counts_are_right():
    every = list(sections())
    assert [count for count, _ in every] == [len(titles) for _, titles in every]
    titles = [title for _, below in every for title in below]
    assert len(titles) == len(set(titles)) == SEEDS
