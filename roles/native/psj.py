"""The judge of psj; its proposer and solvers are in `proposer_solver`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

from roles.native.tagged import TaggedRole
from roles.reward_kind import outcome
from roles.rewards.credit import task_set
from roles.types import Scored


class Judge(TaggedRole):
    """Scores questions and answers.

    With `calibration` its credit is (1 - calibration) * format + calibration * agreement, or the format alone if no
    exact answer is known. Agreement is the share of its verdicts on answers that the exact answer confirms. Without
    `calibration` the credit is the game's own reward: in psj a tenth for the format, the rest for agreement beyond
    chance, and the format alone (as in MAE) in psj(rules=published).
    """

    name = "judge"
    reward_kind = outcome(0.1)  # a true verdict in the right form earns 1, a false one -0.8

    def __init__(self, calibration: Annotated[float, Interval(ge=0, le=1)] | None = None) -> None:
        super().__init__()
        self.calibration = calibration
        if calibration is not None:
            self.reward_kind = outcome(1 - calibration / 2)

    def credit(self, episode: Scored, seat: str) -> float:
        """Returns the weighted mean of format and agreement."""
        facts: Mapping[str, Any] = getattr(episode, "facts", None) or {}
        formats = facts.get("judge_forms", {}).get(seat)
        if self.calibration is None or not formats:
            return super().credit(episode, seat)
        format_reward = float(sum(formats) / len(formats))
        known: list[bool] = [m["agrees"] for m in facts["marks"] if m["judge"] == seat and m["agrees"] is not None]
        if not known:
            return format_reward
        return (1.0 - self.calibration) * format_reward + self.calibration * sum(known) / len(known)

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the question that the judge marks."""
        return task_set(episode)
