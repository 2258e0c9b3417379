"""Which texts of a batch say the same: sentence BLEU as likeness, average linkage as clusters.

R-Zero (Huang et al. 2025, arXiv 2508.05004) takes from a challenger's reward the share of the batch that its question's
cluster holds. Distances are 1 - BLEU, clusters are joined while the mean distance of their members is below 0.5.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

ORDER = 4
"""longest n-gram"""
_TINY = 0.1
"""what a precision without any match counts for: smoothing method 1 of Chen and Cherry 2014, as in nltk"""


def words(text: str) -> tuple[str, ...]:
    """The words that are compared: split at white space, case and edge punctuation left alone, as the source does."""
    return tuple(text.split())


def bleu(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """Sentence BLEU of one reference (Papineni et al. 2002): the geometric mean of the clipped precisions of 1- to
    4-grams times the brevity penalty. A precision without a match is smoothed; without a common word it is 0.
    """
    return _score(_Grams(hypothesis), _Grams(reference))


def distances(texts: Sequence[str]) -> list[list[float]]:
    """1 - BLEU of every two texts, the same both ways: the mean of the two directions.

    BLEU is not symmetric for texts of different length, and which text came first should not matter.
    """
    grams = [_Grams(words(text)) for text in texts]
    out = [[0.0] * len(texts) for _ in texts]
    for i, a in enumerate(grams):
        for j in range(i):
            out[i][j] = out[j][i] = 1.0 - (_score(a, grams[j]) + _score(grams[j], a)) / 2
    return out


def clusters(texts: Sequence[str], distance: float = 0.5) -> list[int]:
    """A label for each text, from 0 in the order of first members. Equal texts are joined before anything is measured.

    Time grows with the square of the number of different texts (a microsecond's work times the words of a pair), and
    with its cube for the joining, which is cheap up to some hundreds.
    """
    different = list(dict.fromkeys(words(text) for text in texts))
    sizes = Counter(words(text) for text in texts)
    groups = _joined(distances([" ".join(w) for w in different]), [sizes[w] for w in different], distance)
    label = {different[i]: n for n, group in enumerate(groups) for i in group}
    return [label[words(text)] for text in texts]


def cluster_shares(texts: Sequence[str], distance: float = 0.5) -> list[float]:
    """For each text the share of the batch that its cluster holds, |C| / B: 1 / B for one that stands alone."""
    labels = clusters(texts, distance)
    sizes = Counter(labels)
    return [sizes[label] / len(labels) for label in labels]


def _joined(distance: list[list[float]], weights: list[int], stop: float) -> list[list[int]]:
    """Average linkage from the bottom up, until the closest two clusters are `stop` or more apart."""
    groups = {i: [i] for i in range(len(weights))}
    size = dict(enumerate(weights))
    apart = {(i, j): distance[i][j] for i in groups for j in range(i)}
    while apart:
        (i, j), closest = min(apart.items(), key=lambda item: (item[1], item[0]))
        if closest >= stop:
            break
        for k in groups:
            if k not in (i, j):
                a, b = (max(k, j), min(k, j)), (max(k, i), min(k, i))
                apart[a] = (size[j] * apart[a] + size[i] * apart[b]) / (size[i] + size[j])
        groups[j] += groups.pop(i)
        size[j] += size.pop(i)
        apart = {pair: d for pair, d in apart.items() if i not in pair}
    return [sorted(group) for _, group in sorted(groups.items())]


class _Grams:
    """A text's n-grams, counted once."""

    __slots__ = ("counts", "length")

    def __init__(self, text: Sequence[str]) -> None:
        self.length = len(text)
        self.counts = [Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1)) for n in range(1, ORDER + 1)]


def _score(hypothesis: _Grams, reference: _Grams) -> float:
    if not hypothesis.length:
        return float(not reference.length)
    total = 0.0
    for n, (mine, theirs) in enumerate(zip(hypothesis.counts, reference.counts, strict=True)):
        matches: float = sum(min(count, theirs[gram]) for gram, count in mine.items() if gram in theirs)
        if n == 0 and not matches:
            return 0.0
        total += math.log((matches or _TINY) / max(1, hypothesis.length - n))
    brevity = min(0.0, 1.0 - reference.length / hypothesis.length)
    return math.exp(total / ORDER + brevity)
