"""A solver that is paid without labels: by the majority of the solvers of its match, and by novelty (EVOL-RL)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from roles.native.proposer_solver import SolverRole
from roles.reward_kind import verdict
from roles.rewards.novelty import majority_novelty
from roles.types import Scored


class MajoritySolver(SolverRole):
    """Credited by majority and novelty (EVOL-RL, arXiv 2509.15194), for games whose facts hold all solvers' answers.

    Set it in a training file: `[roles] solver = "majority-solver"`. The truth is recorded and pays nobody: compare
    `reward_truth/` in the metrics. A majority that is wrong is paid as well.

    alpha: the share of the mean similarity in the novelty; the rest is the largest one.
    novelty: without it the majority's answer earns 1 and others -1 (TTRL).
    """

    name = "majority-solver"
    reward_kind = verdict(0.0)

    def __init__(self, alpha: Annotated[float, Interval(ge=0, le=1)] = 0.5, novelty: bool = True) -> None:
        super().__init__()
        self.alpha, self.novelty = float(alpha), novelty

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Returns the rewards of the solvers of each match, compared with each other."""
        return [self._rewards(episode) for episode in episodes]

    def _rewards(self, episode: Scored) -> Mapping[str, float]:
        facts: Mapping[str, Any] = getattr(episode, "facts", None) or {}
        answers: Mapping[str, str | None] = facts.get("answers") or {}
        written = {turn.seat: turn.action for turn in getattr(episode, "turns", ()) if turn.seat in answers}
        texts = [written.get(seat, "") for seat in answers]
        paid = majority_novelty(list(answers.values()), texts, alpha=self.alpha, novelty=self.novelty)
        return dict(zip(answers, paid, strict=True))
