"""Who scores questions and answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games import InputError
from roles.role import Scored
from roles.tagged import Tagged


class Judge(Tagged):
    """Credited with (1 - calibration) * form + calibration * agreement where the truth is known, else with the form.

    Agreement is the share of its verdicts on answers that the exact answer confirms. Without `calibration` the game's
    own reward counts: half and half in psj-v0, the form alone with psj-v0(calibrate=false), as MAE has it.
    """

    name = "judge"

    def __init__(self, calibration: float | None = None) -> None:
        super().__init__()
        number = isinstance(calibration, int | float) and not isinstance(calibration, bool)
        if calibration is not None and not (number and 0 <= calibration <= 1):
            raise InputError(f"judge: calibration is a number from 0 to 1, not {calibration!r}")
        self.calibration = calibration

    def credit(self, episode: Scored, seat: str) -> float:
        """The form of its messages and how often it was right."""
        facts: Mapping[str, Any] = getattr(episode, "facts", None) or {}
        forms = facts.get("judge_forms", {}).get(seat)
        if self.calibration is None or not forms:
            return super().credit(episode, seat)
        form = float(sum(forms) / len(forms))
        known: list[bool] = [m["agrees"] for m in facts["marks"] if m["judge"] == seat and m["agrees"] is not None]
        if not known:
            return form
        return (1.0 - self.calibration) * form + self.calibration * sum(known) / len(known)
