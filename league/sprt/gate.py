"""A sequential test on seat-rotated pairs: is a candidate stronger than its opponent?

This is Wald's sequential probability ratio test (1945) of strength nelo1 against nelo0, with the generalised likelihood
ratio of `pentanomial`. It stops as soon as the pairs decide, and it may be checked after every pair: a candidate that
is no stronger than nelo0 is accepted with probability at most about alpha, and one of strength nelo1 is rejected with
probability at most about beta.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Literal

from league.config.tournament import GateConfig
from league.sprt import pentanomial
from league.sprt.estimate import Estimate, TestOutcome

Verdict = Literal["accept", "reject"]


class Gate:
    """Call `update` with each pair until it returns 'accept' or 'reject'. The verdict is final.

    `nelo0` and `nelo1` are normalised Elo: at most nelo0 should be rejected, nelo1 accepted. A test without a verdict
    after `max_pairs` ends with 'reject', which keeps the old policy. The first `min_pairs` decide nothing, because the
    distribution of the likelihood ratio is not yet near its limit.
    """

    def __init__(self, config: GateConfig | None = None) -> None:
        self.config = config or GateConfig()
        self.counts = [0, 0, 0, 0, 0]
        """pairs by category, for the candidate: LL, LD, WL or DD, WD, WW"""
        self.verdict: Verdict | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the log likelihood ratio: the test rejects at the first and accepts at the second."""
        alpha, beta = self.config.alpha, self.config.beta
        return log(beta / (1.0 - alpha)), log((1.0 - beta) / alpha)

    @property
    def pairs(self) -> int:
        """The number of counted pairs."""
        return sum(self.counts)

    @property
    def llr(self) -> float:
        """The current log likelihood ratio."""
        return pentanomial.llr(self.counts, self.config.nelo0, self.config.nelo1)

    @property
    def progress(self) -> float:
        """The ratio relative to its bounds: 1 accepts, -1 rejects."""
        low, high = self.bounds
        value = self.llr
        return min(1.0, value / high) if value >= 0.0 else max(-1.0, -value / low)

    def update(self, pair_result: int | Sequence[float]) -> Verdict | None:
        """Count a pair: its category (0 LL, 1 LD, 2 WL or DD, 3 WD, 4 WW), or the candidate's two match scores.

        Returns the verdict, or None while the test is open. Pairs after the verdict, which were in flight, change
        nothing. Raises ValueError for an invalid pair.
        """
        place = pair_result if isinstance(pair_result, int) else pentanomial.category(*pair_result)
        if not 0 <= place <= 4:
            raise ValueError(f"the category of a pair must be 0 to 4, got {place}")
        if self.verdict is None:
            self.counts[place] += 1
            self.verdict = self._decide()
        return self.verdict

    def _decide(self) -> Verdict | None:
        low, high = self.bounds
        if self.pairs >= self.config.min_pairs:
            value = self.llr
            if value >= high:
                return "accept"
            if value <= low:
                return "reject"
        return "reject" if self.pairs >= self.config.max_pairs else None

    def give_up(self) -> None:
        """End an open test like `max_pairs` does."""
        self.verdict = self.verdict or "reject"

    def estimate(self) -> Estimate | None:
        """Returns the strength of the candidate relative to its opponent; None before the first pair."""
        if not self.pairs:
            return None
        c = self.config
        return TestOutcome(tuple(self.counts), c.nelo0, c.nelo1, self.bounds, c.min_pairs).estimate()

    def __str__(self) -> str:
        """In the format of chess testing tools: `LLR: 1.20 (41%) (-2.94, 2.94) [0.00, 50.00]`."""
        (low, high), c = self.bounds, self.config
        return f"LLR: {self.llr:.2f} ({self.progress:.0%}) ({low:.2f}, {high:.2f}) [{c.nelo0:.2f}, {c.nelo1:.2f}]"
