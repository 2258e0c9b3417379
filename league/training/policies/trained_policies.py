"""All policies of a training: which plan matches, which learn from them, and what a checkpoint holds of them.

The phases say which of them play and train at a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from arena.learner import Credit, StepStats
from arena.learner.checkpoint import Checkpoint
from arena.match import Episode
from league.records.matches import PlannedMatch
from league.tasks import RunTaskPool
from league.training.nash_mix import ReturnTable
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.participants.policy_id import ONLY, PolicyId
from league.training.policies.phases import PhaseSchedule
from league.training.policies.trained_policy import Learned, TrainedPolicy
from league.training.policy_trainer import Published


class TrainedPolicies:
    """The policies of a training in the order of the file."""

    def __init__(self, states: Sequence[TrainedPolicy], phases: PhaseSchedule) -> None:
        self._states, self.phases = {state.id: state for state in states}, phases

    def __iter__(self) -> Iterator[TrainedPolicy]:
        return iter(self._states.values())

    @property
    def only(self) -> TrainedPolicy:
        """The policy of a training that has one."""
        return self._states[ONLY]

    @property
    def playing(self) -> frozenset[str]:
        """The names under which a policy plays in its matches or as a partner."""
        return frozenset[str]().union(*(state.players for state in self))

    @property
    def matches_per_step(self) -> int:
        """The matches of a step in which all policies train."""
        return sum(state.plan.matches_per_step for state in self)

    def plan(
        self,
        step: int,
        start: int,
        tasks: RunTaskPool,
        notes: Callable[[str, Mapping[str, str]], str],
    ) -> list[PlannedMatch]:
        """Returns the matches of a step, numbered from `start`: those of each policy that the phase trains."""
        planned: list[PlannedMatch] = []
        for state in self:
            if self.phases.trains(state.id.name):
                planned += state.plan_step(step, start + len(planned), tasks.sampler(), notes)
        return planned

    def learn(self, episodes: Sequence[Episode]) -> Learned:
        """Take one step of the trainer of each policy that has matches to learn from, in the order of the file."""
        if ONLY in self._states:
            return self._states[ONLY].learn(episodes)
        learned: dict[PolicyId, Learned] = {}
        for state in self:
            played = [e for e in episodes if not state.players.isdisjoint(e.seats.values())]
            if any(not state.learning.isdisjoint(e.seats.values()) for e in played):
                learned[state.id] = state.learn(played)
        return _together(episodes, learned)

    def record(self, episodes: Sequence[Episode]) -> None:
        """Count the results of a step's matches."""
        for episode in episodes:
            for state in self:
                if not state.players.isdisjoint(episode.seats.values()):
                    state.record(episode)

    def league(self) -> list[Snapshot]:
        """Returns the snapshots of all policies in the order in which they joined."""
        order = {id: n for n, id in enumerate(self._states)}
        snapshots = [s for state in self for s in state.pool.snapshots]
        return sorted(snapshots, key=lambda s: (s.step, order[s.policy]))

    def mix(self, returns: ReturnTable) -> Iterator[str]:
        """Computes the Nash mixes of the policies that meet them, and yields each in words."""
        for state in self:
            for game in state.plan.specs if state.plan.opponents.nash else ():
                state.pool.mixes[game] = mix = returns.mix(game, state.pool.members(game))
                shares = ", ".join(f"{name} {share:.0%}" for name, share in sorted(mix.items(), key=lambda m: -m[1]))
                yield f"Nash mix in {game} after {state.pool.snapshots[-1].name}: {shares}"

    def pools(self) -> dict[PolicyId, OpponentPool]:
        """Returns the snapshots and records of each policy."""
        return {state.id: state.pool for state in self}

    def published(self) -> Published:
        """Returns the version and a copy of the weights of each policy."""
        return {state.id: (state.trainer.version, state.trainer.weights()) for state in self}

    @contextmanager
    def sampling(self, temperature: float | None) -> Iterator[None]:
        """All policies sample at another temperature inside; None: at their own."""
        with ExitStack() as stack:
            for model in (model for state in self for model in state.trainer.models.values()):
                stack.enter_context(model.sampling(temperature))
            yield

    def clear_caches(self) -> None:
        """Make the engines read all prompts again, as after a resume."""
        for state in self:
            state.trainer.clear_caches()

    def write(self, folder: Path) -> None:
        """Write the tensors of all trainers into the folder of a checkpoint. Raises OSError."""
        for state in self:
            state.trainer.write(folder)

    def state_dict(self) -> dict[str, Any]:
        """Returns the rest of the state, as plain JSON."""
        phases = {"phases": self.phases.state_dict()}
        if ONLY in self._states:
            return self._states[ONLY].state_dict() | phases
        return {"policies": {state.id.name: state.state_dict() for state in self}} | phases

    def load(self, saved: Checkpoint) -> None:
        """Restore the state from a checkpoint."""
        for state in self:
            state.load(saved, saved.state["policies"][state.id.name] if state.id.name else saved.state)
        self.phases.load_state_dict(saved.state["phases"])


def _together(episodes: Sequence[Episode], learned: Mapping[PolicyId, Learned]) -> Learned:
    """Returns what a step taught several policies. Metrics have their names; a few are of the whole step."""
    metrics: dict[str, float] = {"matches": len(episodes), "void": sum(e.status == "void" for e in episodes)}
    for name in ("tokens", "answers"):
        metrics[name] = sum(each.metrics.get(name, 0) for each in learned.values())
    written = sum(each.metrics["answers"] * each.metrics["length"] for each in learned.values())
    metrics["length"] = written / max(1, metrics["answers"])
    credits: list[Credit] = []
    advantages: list[float] = []
    stats: dict[str, StepStats] = {}
    for id, each in learned.items():
        metrics |= id.labelled(each.metrics)
        credits += each.credits
        advantages += each.advantages
        stats |= {f"{id.name}/{part}".rstrip("/"): step for part, step in each.stats.items()}
    return Learned(credits, advantages, stats, metrics)
