"""Which conjectures stand for what nobody has proved yet: STP's matching, which keeps a conjecturer from one topic.

STP (Dong and Ma 2025, arXiv 2502.00212) gives the weight of each unproved target to the kept conjecture that is most
like it, as far as none receives more than 4 times its even share, and drops what receives nothing: the transport of
least cost from targets to conjectures under a bound. Likeness is the cosine of two embeddings by its model; credit has
no model, so here it is the cosine of the counts of words and of pairs of words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from roles.clusters import words

MOST = 4.0
"""the bound of the source"""


def likeness(a: str, b: str) -> float:
    """The cosine of the counts of words and of neighbouring words, 0 to 1."""
    mine, theirs = _counts(a), _counts(b)
    long = math.sqrt(_product(mine, mine) * _product(theirs, theirs))
    return _product(mine, theirs) / long if long else 0.0


def matched(likeness: Sequence[Sequence[float]], most: float = MOST) -> list[float]:
    """The weight of each conjecture: on average 1, at most `most`, 0 for one that stands for no target.

    `likeness[i][j]` is that of target i (of N) and conjecture j (of M), both at least 1. Each target gives away 1, no
    conjecture takes more than most * N / M, the sum of likeness is the largest there is; weights are what was
    taken, times M / N. Raises ValueError for a bound below 1, under which not all could be given away.
    """
    if most < 1:
        raise ValueError(f"the bound must be 1 or more, not {most!r}")
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron

    n, m = len(likeness), len(likeness[0])
    given = kron(eye_array(n), [[1.0] * m])  # (N, N * M)
    taken = kron([[1.0] * n], eye_array(m))  # (M, N * M)
    cost = [-value for row in likeness for value in row]
    found = linprog(cost, A_eq=given, b_eq=[1.0] * n, A_ub=taken, b_ub=[most * n / m] * m, method="highs-ds")
    return [round(float(weight) * m / n, 9) for weight in taken @ found.x]


def _counts(text: str) -> Counter[tuple[str, ...]]:
    said = words(text.replace("(", " ( ").replace(")", " ) "))
    return Counter([*((word,) for word in said), *pairwise(said)])


def _product(a: Counter[tuple[str, ...]], b: Counter[tuple[str, ...]]) -> int:
    return sum(count * b[gram] for gram, count in a.items())
