"""A matchmaker that pairs uncertain players of similar strength."""

from __future__ import annotations

import numpy as np

from league.matchmaking.adaptive import BATCH, Batch, Greedy, Mirrored, Share
from league.matchmaking.arrays import Array
from league.matchmaking.skill_belief import WIDTH, SkillBelief
from league.ratings import TrueSkill

_RULES = TrueSkill(mu=0.0, sigma=WIDTH, beta=1.0)
"""skills in units of beta, as in `SkillBelief`"""


class Uncertainty(Greedy):
    """Values a pair by (sigma_a + sigma_b) x match quality / (1 + times met).

    Match quality alone repeats the same neighbours and needs twice the matches of random pairing in a close league.
    A quarter of the pairings are bridging ones: without them 95% intervals covered 85% in such a league, with them 94%
    (scripts/bench/simulate.py --spread 0.5 --cover-at 20).
    """

    def __init__(
        self, batch: Batch = BATCH, explore: Share = 0.0, mirrored: Mirrored = True, bridge: Share = 0.25
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def value(self, belief: SkillBelief, meetings: Array) -> Array:
        """Returns the value of each pair, (n, n)."""
        sigma = np.sqrt(np.diag(belief.covariance))
        value: Array = np.add.outer(sigma, sigma) * _RULES.qualities(belief.mean, sigma) / (1.0 + meetings)
        return value
