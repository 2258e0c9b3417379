"""The training loop: play, learn, publish, take snapshots, evaluate, save checkpoints; resume from the newest one."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import games
from arena.learner import checkpoint
from arena.match import Episode
from arena.players import Player
from arena.players.prompt_room import prompt_warnings
from games import InputError
from games.errors import InfrastructureError, RunPaused
from league.board import Board
from league.board.state import Status
from league.records.matches import PlannedMatch
from league.records.metrics_file import read_metrics
from league.store import Store
from league.tasks import ProvedTargets, RunTaskPool
from league.tournament.interrupt import interruptible
from league.tournament.notes import Notebook
from league.training.imitation import imitate
from league.training.logs.metrics_log import MetricsLog, StepTimer
from league.training.logs.trackers import open_trackers
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.participants.policy_id import PolicyId
from league.training.plan import TrainingPlan
from league.training.policies.open_policies import open_policies
from league.training.policies.trained_policy import TrainedPolicy
from league.training.policy_trainer import PolicyTrainer, Published
from league.training.promotion import Promotion
from league.training.rated_league import RatedLeague
from league.training.resources.measured import tell_memory
from league.training.rollout_batch import RolloutBatch
from league.training.rollout_queue import RolloutQueue
from league.training.rollouts import open_rollouts
from league.training.stored_runs import TrainingRuns
from league.training.view import TrainingView


class TrainingResult(msgspec.Struct, frozen=True):
    """How a call of `run_training` ended."""

    step: int
    complete: bool
    """every step was taken"""
    metrics: dict[str, float]
    """the newest value of every metric"""


class Training:
    """One process's work on a training."""

    def __init__(
        self,
        plan: TrainingPlan,
        anchors: Mapping[str, Player],
        trainers: Mapping[PolicyId, PolicyTrainer],
        store: Store,
        runs: TrainingRuns,
        board: Board,
    ) -> None:
        self.plan, self.store, self.board = plan, store, board
        self.runs, self.folder, specs = runs, plan.folder, plan.specs
        able = {id: [a for a in anchors.values() if a.supports(games.make(id)) is None] for id in specs}
        names = {id: [player.name for player in suited] for id, suited in able.items()}
        live = {name: player for trainer in trainers.values() for name, player in trainer.players().items()}
        self._prompt_warnings = list(prompt_warnings(live | {a.name: a for a in anchors.values()}, specs.values()))
        self.rollouts = open_rollouts(plan, live, anchors)
        runner = self.rollouts.runner
        finish = None if runs.training is None else store.finish
        self.queue = RolloutQueue(runner, self._playing, board.log, finish)
        recalling = [a.name for a in anchors.values() if a.may_recall]
        self.league = RatedLeague(plan, store, runs.rated, self.rollouts.rated, names, recalling)
        self.policies = open_policies(plan, trainers, able, self.league, self.rollouts.rated, store, runs)
        self.tasks = RunTaskPool(plan.tasks, store, runs.rated, specs)
        self.targets = ProvedTargets()
        noted = {spec.id: spec.notes for spec in specs.values() if spec.notes}
        self.notebook = Notebook(noted, plan.players.shared)
        self.step = self._planned_steps = 0
        self._checkpoint_step = -1
        """step of the newest checkpoint; -1 if there is none"""
        self.matches = 0
        """training matches planned in the store, or played if they are not stored"""
        self.thread = ThreadPoolExecutor(1, "arena-learner")
        self.publisher = ThreadPoolExecutor(1, "arena-publisher")
        self.timer, self._stop = StepTimer(), False

    def close(self) -> None:
        """Free the rollouts and the threads."""
        self.rollouts.close()
        self.thread.shutdown()
        self.publisher.shutdown()

    async def run(self, file: str | Path) -> TrainingResult:
        """Take all remaining steps, or stop after the current one on Ctrl-C."""
        self._resume()
        plan = self.plan
        trackers = open_trackers(plan.trackers, plan.name, self.folder, plan.settings, self._checkpoint_step)
        self.log = MetricsLog(self.folder, self._checkpoint_step, trackers)
        rows = read_metrics(self.folder)
        tests = [state.promotion for state in self.policies if state.promotion is not None]
        self.view = TrainingView(
            plan, self.board, self.league, tests, self.rollouts, self._counts, rows, self._activity
        )
        for run in self.runs.all():
            self.store.set_status(run, "running")
        refresh = asyncio.create_task(self.view.refresh(lambda: "stopping" if self._stop else "running"))
        status: Status = "failed"
        try:
            with interruptible(partial(self._request_stop, file)):
                await self._steps()
            tell_memory(self.plan, self.board.log)
            status = "finished" if self.step >= self.plan.steps else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
        except RunPaused:
            status = "interrupted"
            raise
        finally:
            refresh.cancel()
            await self.queue.close()
            self.log.close()
            for run in self.runs.all():
                self.store.set_status(run, "finished" if status == "finished" else "interrupted")
            self.view.update(status)
        return TrainingResult(self.step, status == "finished", self.view.newest())

    async def _steps(self) -> None:
        for line in self._prompt_warnings:
            self.board.log(line)
        for evaluator in (state.evaluator for state in self.policies if state.evaluator is not None):
            for note in evaluator.size.notes():
                self.board.log(note)
        if self._checkpoint_step < 0:
            for policy in self.plan.policies.values():
                if policy.parent:
                    self._add_event("lineage", f"{policy.ref.policy} starts from {policy.parent}")
            if self.plan.imitation is not None:
                await self._imitate()
            await self._finish_step({})  # the untrained policy: the first snapshot and the first point of every curve
        else:  # the checkpoint holds the row and the snapshot of its step
            await self._rate_snapshots()
        while self.step < self.plan.steps and not self._stop:
            with self.timer.timed("rollout"):
                await self._take_over()
                await self._measure_ladders()
                self._plan_ahead()
                episodes = await self.queue.take(self.step)
            with self.timer.timed("learn"):
                metrics = await self._learn(episodes)
            self.step += 1
            await self._finish_step(metrics)
        if self._stop and self._checkpoint_step < self.step:  # a step without a checkpoint of its own
            await self._save_checkpoint()

    async def _imitate(self) -> None:
        """Have the policies learn from stored matches; a run killed meanwhile does it again."""
        work = partial(imitate, self.plan, [state.trainer for state in self.policies], self.store)
        for line in await asyncio.get_running_loop().run_in_executor(self.thread, work):
            self._add_event("imitation", line)

    def _counts(self) -> tuple[int, int]:
        """Training matches planned so far, and by the end, including those of steps that a killed process lost."""
        return self.matches, self.matches + (self.plan.steps - self._planned_steps) * self.policies.matches_per_step

    async def _take_over(self) -> None:
        """With `in_flight`: have the matches that are being played, and all later ones, use the weights as they are."""
        if self.plan.in_flight:
            with self.timer.timed("publish"):
                await self._publish(self.policies.published())

    async def _publish(self, weights: Published) -> None:
        """Publish weights in a thread of their own: the board, other matches and the learner go on meanwhile."""
        await asyncio.get_running_loop().run_in_executor(self.publisher, self.rollouts.publish, weights)

    async def _measure_ladders(self) -> None:
        """Have the oracles of the ladders measure the policy, which then reads all prompts again."""
        for ladder in (oracles := self.tasks.oracles(self.step)):
            await ladder.measure(self.policies.only.player, self.step)
        if oracles:
            self.policies.clear_caches()

    def _plan_ahead(self) -> None:
        """Plan this step and `overlap` more, unless they are planned, and queue them with the weights as they are."""
        with self.timer.timed("publish"):
            holds = self.rollouts.has_replicas and not self.plan.in_flight
            weights = self.policies.published() if holds else None
        end = min(self.step + self.plan.overlap + 1, self.plan.steps)
        notes = self.notebook.texts_for
        while (step := self.queue.next_step(self.step)) < end:
            if self.policies.phases.begin_step(step):
                self._add_event("phase", self.policies.phases.describe(step))
            self._add_batch(step, self.policies.plan(step, self.matches, self.tasks, notes), weights)
            self._planned_steps = step + 1

    def _add_batch(self, step: int, planned: Sequence[PlannedMatch], weights: Published | None) -> None:
        if self.runs.training is not None:
            self.store.plan(self.runs.training, planned)
        self.matches += len(planned)
        self.queue.add(RolloutBatch(step, planned, weights, self.tasks.temperature(step)))

    @asynccontextmanager
    async def _playing(self, batch: RolloutBatch) -> AsyncIterator[None]:
        """The live policies play with the weights and at the temperature of a batch inside; then their engines rest."""
        if batch.weights is not None:
            with self.timer.timed("publish"):
                await self._publish(batch.weights)
        with self.policies.sampling(batch.temperature):
            yield
        await asyncio.get_running_loop().run_in_executor(self.publisher, self.rollouts.rest)

    async def _learn(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """Take one step of all trainers in their thread, then update notes, opponents' records and the task pool."""
        learned = await asyncio.get_running_loop().run_in_executor(self.thread, self.policies.learn, episodes)
        for stats in learned.stats.values():
            for part in stats.seconds.keys() - {"total"}:
                self.timer.add("publish" if part == "publish" else f"learn/{part}", stats.seconds[part])
        for episode in episodes:
            self.notebook.add(episode)
        self.policies.record(episodes)
        pooled = self.tasks.add(episodes, learned.credits, learned.advantages, self.step)
        proved = self.targets.add(episodes, self.policies.playing)
        return learned.metrics | pooled | proved

    async def _finish_step(self, metrics: dict[str, float]) -> None:
        """Take snapshots, evaluate, write metrics, reset and save, in this order: a checkpoint then holds all of it."""
        last = self.step >= self.plan.steps
        ready = [state for state in self.policies if state.is_due(self.step)]
        frozen = [state for state in self.policies if state in ready or (last and state.changed(self.step))]
        if frozen:
            with self.timer.timed("keep"):
                for state in frozen:
                    self._take_snapshot(state)
        if self.step % self.plan.evaluation.every == 0 or last:
            metrics = metrics | await self._evaluate()
        if probed := [state for state in self.policies if (state in ready or last) and state.probes]:
            with self.timer.timed("evaluate"):
                for state in probed:
                    async with state.measured(self.rollouts) as player:
                        for probe in state.probes:
                            metrics = metrics | state.id.labelled(await probe.measure(player))
            self.policies.clear_caches()
        self._write(metrics)
        if ready or last or self.step % self.plan.checkpoint.every == 0:
            with self.timer.timed("keep"):
                for state in ready:  # the end alone resets nothing: the policy must stay the one of the last snapshot
                    if what := state.restart(self.step, self.policies.pools()):
                        self._add_event("reset", what)
                await self._save_checkpoint()
        if frozen:
            if not self.plan.in_flight or self.rollouts.rated is self.rollouts.runner:
                await self.queue.drain()  # otherwise timing decides which requests share a batch of a snapshot's engine
            await self._rate_snapshots()

    async def _evaluate(self) -> dict[str, float]:
        """Returns the metrics of each policy that is evaluated."""
        metrics: dict[str, float] = {}
        with self.timer.timed("evaluate"):
            for state in self.policies:
                if state.evaluator is not None:
                    async with state.measured(self.rollouts) as player:
                        metrics |= state.id.labelled(await state.evaluator.measure(player, self.step))
        self.policies.clear_caches()
        return metrics

    def _activity(self) -> str:
        """Returns what an evaluation does at the moment, or an empty text."""
        activities = (state.evaluator.activity for state in self.policies if state.evaluator is not None)
        return next(filter(None, activities), "")

    async def _rate_snapshots(self) -> None:
        """Decide on the candidates, if any, and rate the snapshots. Both continue if they were interrupted."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self.publisher, self.rollouts.wake)
        if await self._decide_all():
            with self.timer.timed("league"):
                await self.league.rate(self.policies.league())
            for line in self.policies.mix(self.league.returns):
                self._add_event("opponents", line)
        await loop.run_in_executor(self.publisher, self.rollouts.rest)

    async def _decide_all(self) -> bool:
        """Decide on the candidates. False if that was interrupted."""
        for state in self.policies:
            if state.pool.candidate is not None and state.promotion is not None:
                with self.timer.timed("league"):
                    if not await self._decide(state.pool, state.pool.candidate, state.promotion):
                        return False  # stopped; the checkpoint holds the candidate
        return True

    async def _decide(self, pool: OpponentPool, candidate: Snapshot, promotion: Promotion) -> bool:
        """Add a candidate to its pool, or refuse it. False if the test was interrupted."""
        accepted = await promotion.decide(candidate, pool.snapshots[-1], lambda: self._stop)
        if accepted is None or promotion.test is None:
            return False
        pool.decide(accepted)
        lines = [promotion.test.progress(), *promotion.test.lines()]
        self._add_event("gate", f"{candidate.name} {'joins' if accepted else 'is refused'}: {'; '.join(lines)}")
        return True

    def _add_event(self, kind: str, text: str) -> None:
        """Store an event and log it, unless the step is repeated and the event is stored already."""
        if all(event.text != text for event in self.store.events(self.runs.rated)):
            self.store.add_event(self.runs.rated, kind, text)
            if kind != "snapshot":
                self.board.log(f"{kind}: {text}")

    def _write(self, metrics: dict[str, float]) -> None:
        if metrics:
            timing = self.timer.row({name: metrics[name] for name in ("matches", "tokens") if name in metrics})
            self.view.add(self.step, metrics, timing)
            alarms = self.view.alarms()
            self.log.write(self.step, metrics | ({"alarms": alarms} if alarms else {}), timing)

    def _take_snapshot(self, state: TrainedPolicy) -> None:
        """Save a live policy as a snapshot, and make it a player."""
        saved = state.take_snapshot(self.step)
        self.rollouts.add_snapshot(saved)
        ref = state.id.snapshot(self.plan.name, self.step)
        event: dict[str, Any] = {"name": saved.name, "ref": ref, "player": saved.stored_ids()}
        if state.id.name:
            event |= {"training": self.plan.name, "policy": state.id.name}
        self._add_event("snapshot", msgspec.json.encode(event).decode())

    async def _save_checkpoint(self) -> None:
        files = await self.queue.files()
        state = self.policies.state_dict() | {
            "tasks": self.tasks.state_dict(),
            "targets": self.targets.state_dict(),
            "notes": self.notebook.state_dict(),
            "matches": self.matches,
        }
        home, write, keep = self.folder / "checkpoints", self.policies.write, self.plan.checkpoint.keep
        save = partial(checkpoint.save, home, self.step, write=write, state=state, files=files, keep=keep)
        try:
            await asyncio.get_running_loop().run_in_executor(self.thread, save)
        except OSError as error:
            raise InfrastructureError(
                f"the checkpoint of step {self.step} cannot be written to {home}: {error}; earlier checkpoints are "
                "intact: free disk space and run the same command again"
            ) from error
        self._checkpoint_step = self.step

    def _resume(self) -> None:
        """Restore the newest checkpoint, if there is one. Raises InputError if a stored training has none."""
        newest = checkpoint.latest(self.folder / "checkpoints")
        if newest is None:
            if not self.league.empty:
                raise InputError(
                    f"{self.store.url} holds matches of the training {self.plan.name!r}, but {self.folder} holds no "
                    "checkpoint of it; restore the folder, or give this training another name"
                )
            self.tasks.resume(0, {})
            return
        with checkpoint.reading(newest):
            self._load(checkpoint.load(newest))
            for policy in self.policies:
                for snapshot in policy.snapshots():
                    self.rollouts.add_snapshot(policy.trainer.snapshot(snapshot.name))
            self.queue.restore(newest, self._ended_since)
        self._planned_steps = self.queue.next_step(self.step)
        self.board.log(f"resuming after step {self.step:,}")
        self.store.add_event(self.runs.rated, "resume", f"resumed after step {self.step}")

    def _load(self, saved: checkpoint.Checkpoint) -> None:
        self.policies.load(saved)
        state: dict[str, Any] = saved.state
        self.tasks.resume(saved.step, state.get("tasks", {}))
        self.targets.load_state_dict(state.get("targets", {}))
        self.notebook.load_state_dict(state.get("notes", ()))
        self.step = self._checkpoint_step = saved.step
        self.matches = int(state["matches"])
        if self.runs.training is not None:
            self.matches = self.store.counts(self.runs.training).planned  # with those played after the checkpoint

    def _ended_since(self, planned: Sequence[PlannedMatch]) -> list[Episode]:
        """Returns the episodes that the store holds of planned matches."""
        if self.runs.training is None:
            return []
        ids, after = {each.match.id for each in planned}, planned[0].index - 1
        pairs = self.store.episodes(self.runs.training, after=after)
        return [episode for _, episode in pairs if episode.match in ids]

    def _request_stop(self, file: str | Path, grace: float) -> None:
        """Stop after the step in progress. It is saved, and the next run continues from there."""
        self._stop = True
        when = "Ctrl-C again stops at once" if grace == math.inf else f"SIGTERM: it has {grace:g} s, or is repeated"
        self.board.log(f"stopping after this step; {when}. To continue: arena train {file}")
