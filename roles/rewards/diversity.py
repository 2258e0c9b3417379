"""Clusters of texts that say the same: the distance is 1 - sentence BLEU, the clustering is average linkage.

R-Zero (Huang et al. 2025, arXiv 2508.05004) subtracts from a challenger's reward the share of the batch in its
question's cluster; clusters are merged while the mean distance of their members is below 0.5.

BLEU is computed here because sacrebleu, whose scores are equal to 1e-15 (`smooth_method="floor"`, `smooth_value=0.1`),
takes 635 instead of 41 microseconds for a pair of texts of 20 words: it counts the n-grams of a text again for each
pair.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

ORDER = 4
"""longest n-gram"""
_BRACKETS = re.compile(r"[()]")
_NUMBER, _DIGITS = re.compile(r"[-+]?\d+"), re.compile(r"\d+")
_TOGETHER = {2: (4, math.inf), 3: (3, 6), 4: (3, 4)}
"""how many numbers a text has (4: or more) -> from how many texts on one line, and on one plane, it is no chance"""
_COMPARED = 32
_TINY = 0.1
"""the count of matches if there are none: smoothing method 1 of Chen and Cherry 2014, as in nltk"""


def words(text: str) -> tuple[str, ...]:
    """Returns the words to compare: split at white space, with case and punctuation unchanged, as in the source."""
    return tuple(text.split())


def bleu(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """Sentence BLEU with one reference (Papineni et al. 2002): the geometric mean of the clipped precisions of 1- to
    4-grams times the brevity penalty. A precision without a match is smoothed; without a common word BLEU is 0.
    """
    return _score(_Grams(hypothesis), _Grams(reference))


def distances(texts: Sequence[str]) -> list[list[float]]:
    """Returns 1 - BLEU for each pair of texts, (n, n), averaged over both directions because BLEU is not symmetric."""
    grams = [_Grams(words(text)) for text in texts]
    out = [[0.0] * len(texts) for _ in texts]
    for i, a in enumerate(grams):
        for j in range(i):
            out[i][j] = out[j][i] = 1.0 - (_score(a, grams[j]) + _score(grams[j], a)) / 2
    return out


def clusters(texts: Sequence[str], distance: float = 0.5) -> list[int]:
    """Returns the cluster of each text, numbered in the order of their first members. Equal texts have the distance 0.

    Time grows with the square of the number of different texts, about 80 microseconds for a pair of 20 words.
    """
    different = {text: i for i, text in enumerate(dict.fromkeys(" ".join(words(text)) for text in texts))}
    table = distances(list(different))
    rows = [different[" ".join(words(text))] for text in texts]
    return linked([[table[i][j] for j in rows] for i in rows], distance)


def linked(table: Sequence[Sequence[float]], stop: float) -> list[int]:
    """Average linkage on a symmetric table of distances, until the closest two clusters are `stop` or more apart."""
    if len(table) < 2:
        return [0] * len(table)
    from scipy.cluster.hierarchy import fcluster, linkage

    pairs = [table[i][j] for i, j in combinations(range(len(table)), 2)]
    labels = fcluster(linkage(pairs, "average"), math.nextafter(stop, 0.0), "distance").tolist()
    number = {label: n for n, label in enumerate(dict.fromkeys(labels))}
    return [number[label] for label in labels]


def cluster_shares(texts: Sequence[str], distance: float = 0.5) -> list[float]:
    """Returns for each text the share of the batch in its cluster, |C| / B; 1 / B for a text that is alone."""
    labels = clusters(texts, distance)
    sizes = Counter(labels)
    return [sizes[label] / len(labels) for label in labels]


def repeated_shares(texts: Sequence[str], distance: float = 0.5) -> list[float]:
    """Returns for each text the share of its cluster that only repeats it, 1 - 1 / |C|; 0 for a text that is alone.

    A cluster of texts, however many, is then worth one. By `cluster_shares` ten texts in turn cost a tenth each. The
    distance is the share of words that two texts do not have in common, in any order: BLEU of a text of four words
    of which one is another is below 0.5. It is 0 for texts of one template with one or two free numbers.
    """
    terms = [_BRACKETS.sub(" ", text).split() for text in texts]
    every = list(map(Counter, terms))
    table = [[_apart(one, other) for other in every] for one in every]
    for i, j in _of_few_numbers(terms):
        table[i][j] = table[j][i] = 0.0
    labels = linked(table, distance)
    sizes = Counter(labels)
    return [1.0 - 1.0 / sizes[label] for label in labels]


def _of_few_numbers(texts: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Yields the pairs of texts that one or two free numbers give: n, n + 1, n + 2 for any n, or n, n + 1, m, m + 1.

    Texts are compared if they have the same words apart from numbers and their signs. The numbers of a text are a
    point, and free numbers span a line or a plane. `_TOGETHER` says from how many points on it chance does not explain
    it; a plane is looked for among at most `_COMPARED` points at a time.
    """
    templates: dict[tuple[str, ...], dict[tuple[int, ...], int]] = {}
    for i, words in enumerate(texts):
        parts = sorted((_NUMBER.sub("#", word), tuple(map(int, _DIGITS.findall(word)))) for word in words)
        numbers = tuple(number for _, of in parts for number in of)
        templates.setdefault(tuple(word for word, _ in parts), {}).setdefault(numbers, i)
    for points in templates.values():
        every = list(points)
        for start in range(0, len(every), _COMPARED):
            for group in _spans(every[start : start + _COMPARED]):
                yield from combinations([points[point] for point in group], 2)


def _spans(points: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    """Yields the points on each line, then those on each plane, that hold enough of them."""
    numbers = min(len(points[0]), max(_TOGETHER))
    line, plane = _TOGETHER.get(numbers, (math.inf, math.inf))
    for i, base in enumerate(points):
        steps = {other: _direction([b - a for a, b in zip(base, other, strict=True)]) for other in points[i + 1 :]}
        for group in _alike(steps):
            if len(group) + 1 >= line:
                yield [base, *group]
        for step in dict.fromkeys(steps.values()) if len(steps) + 1 >= plane else ():
            rest = {other: _direction(_across(of, step)) for other, of in steps.items()}
            on_line = [other for other, across in rest.items() if not any(across)]
            for group in _alike({other: across for other, across in rest.items() if any(across)}):
                if 1 + len(on_line) + len(group) >= plane:
                    yield [base, *on_line, *group]


def _alike(directions: Mapping[tuple[int, ...], tuple[int, ...]]) -> Iterable[list[tuple[int, ...]]]:
    """Returns the points of each direction."""
    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for point, direction in directions.items():
        groups.setdefault(direction, []).append(point)
    return groups.values()


def _across(of: Sequence[int], step: Sequence[int]) -> list[int]:
    """Returns a multiple of `of` less what lies along a step."""
    at = next(n for n, part in enumerate(step) if part)
    return [part * step[at] - of[at] * along for part, along in zip(of, step, strict=True)]


def _direction(steps: Sequence[int]) -> tuple[int, ...]:
    """Returns the direction of a vector, the same for its opposite; zeros for zeros."""
    size = math.gcd(*steps) * (1 if next(filter(None, steps), 0) >= 0 else -1) or 1
    return tuple(step // size for step in steps)


def _apart(one: Counter[str], other: Counter[str]) -> float:
    """Returns the share of the words of the longer text that the other one lacks; 0 for two empty texts."""
    most = max(one.total(), other.total())
    return 1.0 - (one & other).total() / most if most else 0.0


class _Grams:
    """The n-grams of a text, counted once."""

    __slots__ = ("counts", "length")

    def __init__(self, text: Sequence[str]) -> None:
        self.length = len(text)
        self.counts = [Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for n in range(1, ORDER + 1)]


def _score(hypothesis: _Grams, reference: _Grams) -> float:
    if not hypothesis.length:
        return float(not reference.length)
    total = 0.0
    for n, (counts, theirs) in enumerate(zip(hypothesis.counts, reference.counts, strict=True)):
        matches: float = sum(min(count, theirs[gram]) for gram, count in counts.items() if gram in theirs)
        if n == 0 and not matches:
            return 0.0
        total += math.log((matches or _TINY) / max(1, hypothesis.length - n))
    brevity = min(0.0, 1.0 - reference.length / hypothesis.length)
    return math.exp(total / ORDER + brevity)
