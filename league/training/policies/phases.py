"""Which policies and roles train at a step: the phases of a training, one after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.config.policies import PhaseConfig


class PhaseSchedule:
    """The phases of a training. Without any, everything trains at every step.

    `begin_step` is called once for each step, in order, when its matches are planned.
    """

    def __init__(self, phases: Sequence[PhaseConfig], repeat: bool = False) -> None:
        self._phases, self._repeat = tuple(phases) or (PhaseConfig(),), repeat
        self.number = 0
        """phases that have ended, repetitions included"""
        self._start = 0
        """the first step of the current phase"""

    @property
    def current(self) -> PhaseConfig:
        """The phase of the newest planned step."""
        return self._phases[self.number % len(self._phases)]

    def begin_step(self, step: int) -> bool:
        """Go on to the next phase if the current one has ended before this step. Returns whether it has."""
        last, steps = self.number == len(self._phases) - 1 and not self._repeat, self.current.steps
        if last or steps is None or step - self._start < steps:
            return False
        self.number, self._start = self.number + 1, step
        return True

    def describe(self, step: int) -> str:
        """Returns the phase that begins with a step, in words."""
        policies = ", ".join(self.current.policies) or "all policies"
        roles = f" as {', '.join(self.current.roles)}" if self.current.roles else ""
        return f"phase {self.number + 1:,} begins after step {step:,}: it trains {policies}{roles}"

    def trains(self, policy: str, role: str = "") -> bool:
        """Returns whether the current phase trains a policy, in a role; "": in some role."""
        phase = self.current
        return (not phase.policies or policy in phase.policies) and (not role or not phase.roles or role in phase.roles)

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        return {"number": self.number, "start": self._start}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        self.number, self._start = int(state["number"]), int(state["start"])
