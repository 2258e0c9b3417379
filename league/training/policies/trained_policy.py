"""One policy of a training: its plan, its trainer, its snapshots and its records against opponents."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.evaluation.probes import GameProbe
from arena.learner import Credit, StepStats
from arena.learner.checkpoint import Checkpoint
from arena.match import Episode
from arena.players import Player
from arena.players.by_role import WHOLE
from games.randomness import derive
from league.records.matches import PlannedMatch
from league.tasks import TaskSampler
from league.training.cast import Cast
from league.training.evaluate import PolicyEvaluator
from league.training.metrics import staleness, step_metrics, version_mixture
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.participants.players import LivePlayer, SavedSnapshot
from league.training.participants.policy_id import PolicyId
from league.training.plan import PolicyPlan
from league.training.policies.resets import ResetRule
from league.training.policy_trainer import PolicyTrainer
from league.training.promotion import Promotion
from league.training.rollouts import Rollouts
from league.training.schedule import plan_step, result_of


@dataclass(slots=True)
class Learned:
    """What one step taught a policy."""

    credits: list[Credit]
    advantages: list[float]
    stats: dict[str, StepStats]
    """by policy"""
    metrics: dict[str, float]


@dataclass(slots=True)
class TrainedPolicy:
    """A policy in training. `player` plays all seats of its games, partners included."""

    trainer: PolicyTrainer
    pool: OpponentPool
    cast: Cast
    player: Player
    evaluator: PolicyEvaluator | None
    probes: Sequence[GameProbe]
    promotion: Promotion | None
    reset: ResetRule | None

    players: frozenset[str] = field(init=False)
    """the names under which its policy plays in its matches or as a partner"""
    learning: frozenset[str] = field(init=False)
    """those of them under which it learns"""

    def __post_init__(self) -> None:
        names, policy = self.cast.plan.players, self.plan.ref.policy
        self.players, self.learning = names.playing(policy), names.learning(policy)

    @property
    def plan(self) -> PolicyPlan:
        """Its plan."""
        return self.cast.policy

    @property
    def id(self) -> PolicyId:
        """Its name."""
        return self.plan.id

    def plan_step(
        self,
        step: int,
        start: int,
        sample_task: TaskSampler,
        notes: Callable[[str, Mapping[str, str]], str],
    ) -> list[PlannedMatch]:
        """Returns its matches of a step, numbered from `start`."""
        return plan_step(self.cast, self.pool, step, start, sample_task, notes)

    def learn(self, episodes: Sequence[Episode]) -> Learned:
        """Take one step of its trainer on the matches of a step in which it played."""
        version = self.trainer.version
        stale = staleness(episodes, version, self.players)
        if self.cast.plan.in_flight:
            stale |= version_mixture(episodes, version, self.players)
        learned = self.trainer.learn(episodes)
        metrics = step_metrics(episodes, *learned, self.trainer.estimator, self.players) | stale
        shares = {f"nash_mix/{g}/{name}": share for g, mix in self.pool.mixes.items() for name, share in mix.items()}
        return Learned(*learned, metrics | shares)

    def record(self, episode: Episode) -> None:
        """Count the result of a match."""
        teams = self.plan.specs[episode.game].teams
        if (result := result_of(self.plan.ref.policy, self.cast.plan.players, episode, teams)) is not None:
            self.pool.record(episode.game, result[0]).add(result[1])

    def is_due(self, step: int) -> bool:
        """Returns whether a snapshot is due after `step` steps, also because the policy may be reset."""
        return self.pool.is_due(step) or (self.reset is not None and bool(self.reset.reason(step)))

    def changed(self, step: int) -> bool:
        """Returns whether the policy after `step` steps is neither its newest snapshot nor a refused candidate."""
        return self.pool.changed(step)

    def take_snapshot(self, step: int) -> SavedSnapshot:
        """Freeze the policy. The snapshot joins the opponents, or becomes a candidate if there is a gate."""
        name = self.id.snapshot(self.cast.plan.name, step).text
        snapshot = Snapshot(name, step, self.trainer.version, self.id)
        saved = self.trainer.save_snapshot(name)
        if self.promotion is not None and self.pool.snapshots:
            self.pool.candidate = snapshot
        else:
            self.pool.add(snapshot)
        return saved

    @asynccontextmanager
    async def measured(self, rollouts: Rollouts) -> AsyncIterator[Player]:
        """The player to measure inside: the policy as it is now.

        If a vLLM of the rollouts plays adapters, it plays this one too, whatever weights the matches in flight have;
        otherwise the trainer's engine plays, which is slow for long answers.
        """
        if not self._measured_beside():
            yield self.player
            return
        await asyncio.to_thread(rollouts.wake)
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            adapter = self.trainer.save_snapshot("now", Path(folder)).load()
            try:
                yield LivePlayer(self.player.name, {WHOLE: adapter})
            finally:
                adapter.close()
        await asyncio.to_thread(rollouts.rest)

    def _measured_beside(self) -> bool:
        """Returns whether a vLLM in this process plays adapters, and the policy plays all seats of its games."""
        roles = {role for spec in self.plan.specs.values() for role in spec.seats.values()}
        alone = all(self.cast.player_of(role).id == self.id for role in roles)
        p = self.plan.policy
        return alone and not self.cast.plan.on_ray and p.engine == "vllm" and p.vllm.reloads(p.lora)

    def snapshots(self) -> list[Snapshot]:
        """Returns its snapshots, with the candidate."""
        return [*self.pool.snapshots, *([self.pool.candidate] if self.pool.candidate else [])]

    def restart(self, step: int, pools: Mapping[PolicyId, OpponentPool]) -> str:
        """Reset the policy if its rule says so. Returns what happened in words, or ""."""
        rule, name = self.reset, self.plan.ref.policy
        if rule is None or not (why := rule.reason(step)):
            return ""
        if not rule.decide(step, derive(self.cast.plan.seed, name, "reset", step)):
            return f"{name} trains on after step {step:,}, by chance: {why}"
        source = pools[PolicyId(rule.rule.policy) if rule.rule.policy else self.id]
        target = rule.target(source.snapshots)
        self.trainer.restart(self.trainer.snapshot(target.name))
        for pool in pools.values():
            pool.forget(self.pool.live)
        return f"{name} starts again from {target.name} after step {step:,}: {why}"

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON; `trainer.write` writes the rest."""
        return {
            "trainer": self.trainer.state_dict(),
            "population": self.pool.state_dict(),
            "evaluator": {} if self.evaluator is None else self.evaluator.state_dict(),
        } | ({} if self.reset is None else {"reset": self.reset.state_dict()})

    def load(self, saved: Checkpoint, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned and `trainer.write` wrote."""
        self.trainer.load(saved, state["trainer"])
        self.pool.load_state_dict(state["population"])
        if self.evaluator is not None:
            self.evaluator.load_state_dict(state["evaluator"])
        if self.reset is not None:
            self.reset.load_state_dict(state["reset"])
