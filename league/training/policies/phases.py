"""Which policies and roles train at a step: the phases of a training, one after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.config.policies import PhaseConfig


class PhaseSchedule:
    """The phases of a training. Without any, everything trains at every step.

    `begin_step` is called once for each step, in order, when its matches are planned. `observe` reads the rewards of
    each step that was learned from.
    """

    def __init__(self, phases: Sequence[PhaseConfig], repeat: bool = False) -> None:
        self._phases, self._repeat = tuple(phases) or (PhaseConfig(),), repeat
        self.number = 0
        """phases that have ended, repetitions included"""
        self._start = 0
        """the first step of the current phase"""
        self._rewards: list[float] = []
        """the reward of each step of the current phase, as far as its plateau reads them"""

    @property
    def current(self) -> PhaseConfig:
        """The phase of the newest planned step."""
        return self._phases[self.number % len(self._phases)]

    def begin_step(self, step: int) -> bool:
        """Go on to the next phase if the current one has ended before this step. Returns whether it has."""
        last = self.number == len(self._phases) - 1 and not self._repeat
        if last or not self._ended(step):
            return False
        self.number, self._start, self._rewards = self.number + 1, step, []
        return True

    def describe(self, step: int) -> str:
        """Returns the phase that begins with a step, in words."""
        policies = ", ".join(self.current.policies) or "all policies"
        roles = f" as {', '.join(self.current.roles)}" if self.current.roles else ""
        return f"phase {self.number + 1:,} begins after step {step:,}: it trains {policies}{roles}"

    def _ended(self, step: int) -> bool:
        phase = self.current
        if phase.steps is not None and step - self._start >= phase.steps:
            return True
        if phase.plateau is None or len(self._rewards) < 2 * phase.plateau.window:
            return False
        n = phase.plateau.window
        return sum(self._rewards[n:]) - sum(self._rewards[:n]) <= phase.plateau.gain * n

    def trains(self, policy: str, role: str = "") -> bool:
        """Returns whether the current phase trains a policy, in a role; "": in some role."""
        phase = self.current
        return (not phase.policies or policy in phase.policies) and (not role or not phase.roles or role in phase.roles)

    def observe(self, step: int, rewards: Sequence[float]) -> None:
        """Add the rewards of all credits of a step. Steps that were planned in an earlier phase do not count."""
        if rewards and step >= self._start and (plateau := self.current.plateau) is not None:
            self._rewards = [*self._rewards, sum(rewards) / len(rewards)][-2 * plateau.window :]

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        return {"number": self.number, "start": self._start, "rewards": self._rewards}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        self.number, self._start = int(state["number"]), int(state["start"])
        self._rewards = [float(reward) for reward in state["rewards"]]
