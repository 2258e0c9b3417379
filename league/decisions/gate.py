"""May this checkpoint be promoted? A sequential test on seat-rotated pairs, looked at after every one of them.

Wald's sequential probability ratio test (1945) of strength nelo1 against nelo0, with the generalised likelihood ratio
of `pentanomial`: it stops as soon as the pairs decide, and however often it is looked at, a candidate no stronger than
nelo0 is accepted with probability at most about alpha, one of nelo1 rejected with probability at most about beta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Literal

from league.decisions import pentanomial
from league.decisions.estimate import Estimate, Outcome

Verdict = Literal["accept", "reject"]


class Gate:
    """`update` with each pair until it says 'accept' or 'reject'; then it says so for ever.

    `nelo0`, `nelo1`: normalised Elo under which the candidate must not pass, and at which it should. `max_pairs`: at
    the latest after so many pairs the test ends with 'reject' (it then errs on the side of the old policy). The
    first `min_pairs` decide nothing: a likelihood ratio of fewer is not yet near its limit.
    """

    def __init__(
        self,
        alpha: float = 0.05,
        beta: float = 0.05,
        nelo0: float = 0.0,
        nelo1: float = 50.0,
        *,
        max_pairs: int | None = None,
        min_pairs: int = 8,
    ) -> None:
        if not (0.0 < alpha < 0.5 and 0.0 < beta < 0.5):
            raise ValueError(f"alpha and beta must lie between 0 and 0.5; seen: {alpha}, {beta}")
        if not nelo0 < nelo1:
            raise ValueError(f"nelo0 must be below nelo1; seen: {nelo0}, {nelo1}")
        self.alpha, self.beta, self.nelo0, self.nelo1 = alpha, beta, nelo0, nelo1
        self.max_pairs, self.min_pairs = max_pairs, min_pairs
        self.counts = [0, 0, 0, 0, 0]
        """pairs by category: LL, LD, WL or DD, WD, WW, seen from the candidate"""
        self.verdict: Verdict | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the log likelihood ratio: at or below the first it rejects, at or above the second it accepts."""
        return log(self.beta / (1.0 - self.alpha)), log((1.0 - self.beta) / self.alpha)

    @property
    def pairs(self) -> int:
        """Pairs so far."""
        return sum(self.counts)

    @property
    def llr(self) -> float:
        """The log likelihood ratio as it stands."""
        return pentanomial.llr(self.counts, self.nelo0, self.nelo1)

    @property
    def progress(self) -> float:
        """How far the ratio has come to a bound: 1 accept, -1 reject."""
        low, high = self.bounds
        value = self.llr
        return min(1.0, value / high) if value >= 0.0 else max(-1.0, -value / low)

    def update(self, pair_result: int | Sequence[float]) -> Verdict | None:
        """Take in one pair: its category (0 LL, 1 LD, 2 WL or DD, 3 WD, 4 WW) or the candidate's two match scores.

        The verdict, or None while it is open. A pair that comes after the verdict (it was in flight) changes nothing.
        Raises ValueError for what is no pair.
        """
        place = pair_result if isinstance(pair_result, int) else pentanomial.category(*pair_result)
        if not 0 <= place <= 4:
            raise ValueError(f"a pair's category is 0 to 4; seen: {place}")
        if self.verdict is None:
            self.counts[place] += 1
            self.verdict = self._decide()
        return self.verdict

    def _decide(self) -> Verdict | None:
        low, high = self.bounds
        if self.pairs >= self.min_pairs:
            value = self.llr
            if value >= high:
                return "accept"
            if value <= low:
                return "reject"
        return "reject" if self.max_pairs is not None and self.pairs >= self.max_pairs else None

    def give_up(self) -> None:
        """End an undecided test as `max_pairs` does."""
        self.verdict = self.verdict or "reject"

    def estimate(self) -> Estimate | None:
        """The candidate's strength over its opponent's; None before the first pair."""
        if not self.pairs:
            return None
        return Outcome(tuple(self.counts), self.nelo0, self.nelo1, self.bounds, self.min_pairs).estimate()

    def state_dict(self) -> dict[str, Any]:
        """All that changes, as JSON values."""
        return {"counts": list(self.counts), "verdict": self.verdict}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where `state_dict` was taken."""
        self.counts, self.verdict = list(state["counts"]), state["verdict"]

    def __str__(self) -> str:
        """As chess testers print it: `LLR: 1.20 (41%) (-2.94, 2.94) [0.00, 50.00]`."""
        low, high = self.bounds
        return f"LLR: {self.llr:.2f} ({self.progress:.0%}) ({low:.2f}, {high:.2f}) [{self.nelo0:.2f}, {self.nelo1:.2f}]"
