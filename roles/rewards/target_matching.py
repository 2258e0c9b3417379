"""The weights of conjectures by the unproved targets they stand for: STP's matching, which prevents a single topic.

STP (Dong and Ma 2025, arXiv 2502.00212) gives the weight of each unproved target to the most similar kept conjecture,
as long as no conjecture receives more than 4 times its even share, and drops conjectures that receive nothing. This is
the transport of least cost from targets to conjectures under a bound. STP's similarity is the cosine of two embeddings
by its model; credit has no model, so here it is the cosine of the counts of words and of pairs of words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from roles.rewards.diversity import words

MOST = 4.0
"""the bound in STP"""


def likeness(a: str, b: str) -> float:
    """Returns the cosine of the counts of words and of pairs of neighbouring words, 0 to 1."""
    first, second = _counts(a), _counts(b)
    long = math.sqrt(_product(first, first) * _product(second, second))
    return _product(first, second) / long if long else 0.0


def matched(likeness: Sequence[Sequence[float]], most: float = MOST) -> list[float]:
    """Returns the weight of each conjecture: 1 on average, at most `most`, 0 for one that stands for no target.

    `likeness` is (N, M) for N targets and M conjectures, both at least 1. Each target gives away 1, no conjecture
    receives more than most * N / M, and the sum of likeness is maximal; the weights are the amounts received times
    M / N. Raises ValueError for a bound below 1, which would be infeasible.
    """
    if most < 1:
        raise ValueError(f"the bound must be 1 or more, not {most!r}")
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron

    n, m = len(likeness), len(likeness[0])
    supply = kron(eye_array(n), [[1.0] * m])  # (N, N * M)
    received = kron([[1.0] * n], eye_array(m))  # (M, N * M)
    cost = [-value for row in likeness for value in row]
    solution = linprog(cost, A_eq=supply, b_eq=[1.0] * n, A_ub=received, b_ub=[most * n / m] * m, method="highs-ds")
    return [round(float(weight) * m / n, 9) for weight in received @ solution.x]


def _counts(text: str) -> Counter[tuple[str, ...]]:
    tokens = words(text.replace("(", " ( ").replace(")", " ) "))
    return Counter([*((word,) for word in tokens), *pairwise(tokens)])


def _product(a: Counter[tuple[str, ...]], b: Counter[tuple[str, ...]]) -> int:
    return sum(count * b[gram] for gram, count in a.items())
