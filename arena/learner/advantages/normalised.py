"""Estimators that scale the advantages of a group by what its answers have in common."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from arena.learner.advantages.base import comparable
from arena.learner.advantages.groups import EPS, Grouped, groups_of, indices_by, standardised
from arena.learner.credit import Credit
from games import InputError

_LARGEST = 5.0  # a token-weighted advantage from here on is replaced by that of GRPO, as in HAPO's code


class BetaNormalised(Grouped):
    """BNPO (arXiv 2506.02864, theorem 1): (R - p) / Beta(p; 1 + a / 3, 1 + b / 3), p the mean of the group.

    a and b are those of the Beta distribution with mean and variance (ddof 1) of the p of all groups of a (game, role,
    phase). Rewards are mapped from `low`..`high` to 0..1 and cut off there. Without spread among groups the divisor is
    1; a group with p = 0 or 1 has advantages of 0.
    """

    def __init__(self, low: float = 0.0, high: float = 1.0) -> None:
        if not low < high:
            raise InputError(f"bnpo(low={low}, high={high}): low must be below high")
        self.low, self.high = self.needs_range = float(low), float(high)

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages, role by role."""
        rewards = np.clip(comparable((c.reward - self.low) / (self.high - self.low) for c in credits), 0.0, 1.0)
        out = np.zeros(len(credits))
        for role in indices_by([(c.game, c.role, c.phase) for c in credits]):
            groups = [np.array(role)[at] for at in groups_of([credits[i] for i in role])]
            groups = [at for at in groups if len(at) > 1]
            a, b = beta_parameters([float(rewards[at].mean()) for at in groups])
            for at in groups:
                p = float(rewards[at].mean())
                if 0.0 < p < 1.0:
                    out[at] = standardised(rewards[at], scale=False) / beta_density(p, 1 + a / 3, 1 + b / 3)
        return out


def beta_parameters(means: Sequence[float]) -> tuple[float, float]:
    """Returns a and b of the Beta distribution with the mean and the variance of `means`; (0, 0) without spread."""
    if len(means) < 2 or np.ptp(means) == 0:
        return 0.0, 0.0
    m, v = float(np.mean(means)), float(np.var(means, ddof=1))
    k = max(m * (1 - m) / v - 1, 0.0)
    return k * m, k * (1 - m)


def beta_density(p: float, a: float, b: float) -> float:
    """Returns the density of Beta(a, b) at 0 < p < 1."""
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log + (a - 1) * math.log(p) + (b - 1) * math.log(1 - p))


class UncertaintyWeighted(Grouped):
    """SEED-GRPO (arXiv 2505.12346, eq. 1 and 6): (R - mean) * max(0, 1 - alpha * SE / log G).

    Advantages are smaller where answers disagree. SE is the entropy of the shares of equal answers (`Credit.answer`)
    among the G of the group; as in the paper's experiments answers are equal if their final texts are, here apart from
    case and space. The paper's SE weighs answers by their probabilities and has no bound, with alpha 0.02. Here 0.5
    halves the advantages of a group of different answers.

    alpha: how much disagreement reduces the advantages; 0: not at all.
    """

    def __init__(self, alpha: Annotated[float, Interval(ge=0, le=1)] = 0.5) -> None:
        self.alpha = float(alpha)

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages within groups."""
        rewards, out = comparable(c.reward for c in credits), np.zeros(len(credits))
        for at in groups_of(credits):
            if len(at) > 1:
                weight = 1.0 - self.alpha * disagreement([credits[i].answer for i in at])
                out[at] = standardised(rewards[at], scale=False) * max(0.0, weight)
        return out


def disagreement(answers: Sequence[str]) -> float:
    """Returns the entropy of the shares of equal answers divided by its maximum: 0 all equal, 1 all different."""
    counts = Counter(" ".join(answer.casefold().split()) for answer in answers)
    shares = [n / len(answers) for n in counts.values()]
    return -sum(p * math.log(p) for p in shares) / math.log(len(answers))


class TokenWeighted(Grouped):
    """HAPO's token-level group average (arXiv 2509.16591, eq. 9): (R - mu) / sigma, both weighted by answers' lengths.

    The sum of A over all tokens of a group is then 0, so long and short answers pull equally. If an advantage reaches
    5, the group's advantages are those of GRPO, as in the authors' code. HAPO's temperature and its clip by entropy are
    not part of this estimator.
    """

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages within groups."""
        rewards, out = comparable(c.reward for c in credits), np.zeros(len(credits))
        for at in groups_of(credits):
            r, tokens = rewards[at], np.array([max(credits[i].tokens, 1) for i in at], dtype=np.float64)
            if len(at) < 2 or np.ptp(r) == 0:
                continue
            mean = np.average(r, weights=tokens)
            weighted = (r - mean) / (math.sqrt(np.average((r - mean) ** 2, weights=tokens)) + EPS)
            out[at] = weighted if np.abs(weighted).max() < _LARGEST else standardised(r)
        return out
