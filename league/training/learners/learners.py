"""All learners of a training: who plans matches, who learns from them, and what a checkpoint holds of them.

A learner is settings, trainers and snapshots (`LearnerState`). The phases say which of them play and train at a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from arena.learner import Credit, StepStats
from arena.learner.checkpoint import Checkpoint
from arena.match import Episode
from league.config.training import TrainingConfig
from league.records.matches import PlannedMatch
from league.tasks import RunTaskPool
from league.training.learner import Published
from league.training.learners.learner_state import Learned, LearnerState
from league.training.learners.phases import PhaseSchedule
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.participants.learner_id import ONLY, LearnerId


class Learners:
    """The learners of a training in the order of the file."""

    def __init__(self, config: TrainingConfig, states: Sequence[LearnerState], phases: PhaseSchedule) -> None:
        self._config, self._states, self.phases = config, {s.id: s for s in states}, phases

    def __iter__(self) -> Iterator[LearnerState]:
        return iter(self._states.values())

    @property
    def only(self) -> LearnerState:
        """The learner of a training that has one."""
        return self._states[ONLY]

    @property
    def playing(self) -> frozenset[str]:
        """The names under which a policy plays in its matches or as a partner."""
        return frozenset[str]().union(*(state.players for state in self))

    @property
    def matches_per_step(self) -> int:
        """The matches of a step in which all learners train."""
        return sum(state.settings.config.matches_per_step for state in self)

    def plan(
        self,
        step: int,
        start: int,
        tasks: RunTaskPool,
        notes: Callable[[str, Mapping[str, str]], str],
    ) -> list[PlannedMatch]:
        """The matches of a step, numbered from `start`: those of each learner that the phase trains."""
        planned: list[PlannedMatch] = []
        for state in self:
            if self.phases.trains(state.id.name):
                planned += state.plan(step, start + len(planned), tasks.sampler(), notes)
        return planned

    def learn(self, episodes: Sequence[Episode]) -> Learned:
        """Take one step of the trainers of each learner that has matches to learn from, in the order of the file."""
        if ONLY in self._states:
            return self._states[ONLY].learn(episodes)
        found: dict[LearnerId, Learned] = {}
        for state in self:
            own = [e for e in episodes if not state.players.isdisjoint(e.seats.values())]
            if any(not state.learning.isdisjoint(e.seats.values()) for e in own):
                found[state.id] = state.learn(own)
        return _together(episodes, found)

    def record(self, episodes: Sequence[Episode]) -> None:
        """Count the results of a step's matches."""
        for episode in episodes:
            for state in self:
                if not state.players.isdisjoint(episode.seats.values()):
                    state.record(episode)

    def league(self) -> list[Snapshot]:
        """The snapshots of all learners in the order in which they joined."""
        order = {id: n for n, id in enumerate(self._states)}
        found = [s for state in self for s in state.pool.snapshots]
        return sorted(found, key=lambda s: (s.step, order[s.learner]))

    def pools(self) -> dict[LearnerId, OpponentPool]:
        """The snapshots and records of each learner."""
        return {state.id: state.pool for state in self}

    def published(self) -> Published:
        """The version and a copy of the weights of each learner."""
        return {state.id: (state.trainers.version, state.trainers.weights()) for state in self}

    @contextmanager
    def sampling(self, temperature: float | None) -> Iterator[None]:
        """All policies sample at another temperature inside; None: at their own."""
        with ExitStack() as stack:
            for policy in (policy for state in self for policy in state.trainers.policies.values()):
                stack.enter_context(policy.sampling(temperature))
            yield

    def clear_caches(self) -> None:
        """Make the engines read all prompts again, as after a resume."""
        for state in self:
            state.trainers.clear_caches()

    def tensors(self) -> dict[str, dict[str, Any]]:
        """The tensors of all trainers, for a checkpoint."""
        return {name: tensors for state in self for name, tensors in state.trainers.tensors().items()}

    def state_dict(self) -> dict[str, Any]:
        """The rest of the state, as plain JSON."""
        phases = {"phases": self.phases.state_dict()} if self._config.phases else {}
        if ONLY in self._states:
            return self._states[ONLY].state_dict() | phases
        return {"learners": {state.id.name: state.state_dict() for state in self}} | phases

    def load(self, found: Checkpoint) -> None:
        """Restore the state from a checkpoint."""
        for state in self:
            state.load(found, found.state["learners"][state.id.name] if state.id.name else found.state)
        if self._config.phases:
            self.phases.load_state_dict(found.state["phases"])


def _together(episodes: Sequence[Episode], found: Mapping[LearnerId, Learned]) -> Learned:
    """What a step taught several learners. Their metrics have their names; a few are those of the whole step."""
    metrics: dict[str, float] = {"matches": len(episodes), "void": sum(e.status == "void" for e in episodes)}
    for name in ("tokens", "answers"):
        metrics[name] = sum(each.metrics.get(name, 0) for each in found.values())
    written = sum(each.metrics["answers"] * each.metrics["length"] for each in found.values())
    metrics["length"] = written / max(1, metrics["answers"])
    credits: list[Credit] = []
    advantages: list[float] = []
    stats: dict[str, StepStats] = {}
    for id, each in found.items():
        metrics |= id.labelled(each.metrics)
        credits += each.credits
        advantages += each.advantages
        stats |= {f"{id.name}/{policy}".rstrip("/"): found for policy, found in each.stats.items()}
    return Learned(credits, advantages, stats, metrics)
