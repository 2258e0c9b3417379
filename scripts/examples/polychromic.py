"""A polychromic advantage: an answer is worth what it adds to pairs, and a pair of equal answers counts half.

    arena check polychromic --plugin scripts/examples/polychromic.py
    python scripts/bench/polychromic.py                   what it teaches, in a bandit

After "Polychromic Objectives for Reinforcement Learning" (a seed of this project, of which the abstract was read): the
objective is of sets of answers, their mean reward times their diversity. Here a set is a pair of the group, drawn with
replacement. The paper's vine sampling, which branches within an episode, is not here. Use it with `group = 4` or more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.learner import Credit
from arena.learner.advantages import Grouped, register
from arena.learner.advantages.groups import groups_of


@register("polychromic")
class Polychromic(Grouped):
    """The mean over an answer's pairs, (R + R') / 2 or half of that for equal answers, less that over all pairs."""

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages within groups; 0 in a group of one."""
        out = np.zeros(len(credits))
        for at in groups_of(credits):
            if len(at) > 1:
                rewards = np.array([credits[i].reward for i in at])
                out[at] = of_pairs(rewards, [credits[i].answer for i in at])
        return out


def of_pairs(rewards: NDArray[np.float64], answers: Sequence[str]) -> NDArray[np.float64]:
    """Returns (G,) advantages of a group with rewards (G,) and its answers."""
    texts = np.array(answers)
    diversity = np.where(texts[:, None] == texts[None, :], 0.5, 1.0)  # (G, G)
    means: NDArray[np.float64] = ((rewards[:, None] + rewards[None, :]) / 2 * diversity).mean(axis=1)
    out: NDArray[np.float64] = means - means.mean()
    return out
