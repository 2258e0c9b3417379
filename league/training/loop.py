"""The training loop: play, learn, publish, take snapshots, evaluate, save checkpoints; resume from the newest one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import games
from arena.evaluation.probes import GameProbe
from arena.learner import checkpoint
from arena.match import Episode
from arena.players import Player
from games import GameSpec, InputError
from games.errors import InfrastructureError, RunPaused
from league.board import Board
from league.board.state import Status
from league.config.training import TrainingConfig
from league.records.metrics_file import read_metrics
from league.store import Store
from league.tasks import RunTaskPool
from league.tournament.interrupt import interruptible
from league.tournament.notes import Notebook
from league.training.evaluate import PolicyEvaluator
from league.training.learner import Learner
from league.training.metrics import staleness, step_metrics
from league.training.metrics_log import MetricsLog, StepTimer
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.promotion import Promotion
from league.training.rated_league import ExpectedReturns, RatedLeague
from league.training.rollout_queue import RolloutBatch, RolloutQueue, play_batch
from league.training.rollouts import open_rollouts
from league.training.schedule import base_name, plan_step, result_of_live
from league.training.stored_runs import TrainingRuns
from league.training.trackers import open_trackers
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
        config: TrainingConfig,
        specs: Mapping[str, GameSpec],
        anchors: Mapping[str, Player],
        learner: Learner,
        store: Store,
        runs: TrainingRuns,
        board: Board,
    ) -> None:
        self.config, self.specs, self.learner, self.store, self.board = config, specs, learner, store, board
        self.runs, self.folder = runs, config.place
        able = {id: [a for a in anchors.values() if a.supports(games.make(id)) is None] for id in specs}
        names = {id: [a.name for a in found] for id, found in able.items()}
        self.live = learner.players()
        self.rollouts = open_rollouts(config, self.live, anchors, list(learner.policies))
        runner = self.rollouts.runner
        self.queue = RolloutQueue(self._play)
        self.opponents = OpponentPool(config.opponents, config.snapshots, names)
        self.evaluator = PolicyEvaluator(config, specs, able)
        asked = config.evaluation.probes
        self.probes = [p for id in specs if (p := GameProbe.of(id, asked)) is not None] if asked else []
        self.league = RatedLeague(config, store, runs.rated, runner, specs, names)
        rule = config.snapshots.gate
        self.promotion = Promotion(config, rule, store, runs.gate, runner, specs) if rule and runs.gate else None
        self.tasks = RunTaskPool(config.tasks, store, runs.rated, specs)
        self.notebook = Notebook({spec.id: spec.notes for spec in specs.values() if spec.notes}, base_name)
        self.expected = ExpectedReturns(self.league, self.opponents, config.ratings.beta, specs)
        self.step = self._planned_steps = 0
        self._checkpoint_step = -1
        """step of the newest checkpoint; -1 if there is none"""
        self.matches = 0
        """training matches planned in the store, or played if they are not stored"""
        self.thread = ThreadPoolExecutor(1, "arena-learner")
        self.timer, self._stop = StepTimer(), False

    def close(self) -> None:
        """Free the rollouts and the learner's thread."""
        self.rollouts.close()
        self.thread.shutdown()

    async def run(self, file: str | Path) -> TrainingResult:
        """Take all remaining steps, or stop after the current one on Ctrl-C."""
        self._resume()
        settings = self.config.model_dump(mode="json", by_alias=True)
        trackers = open_trackers(self.config.trackers, self.config.name, self.folder, settings, self._checkpoint_step)
        self.log = MetricsLog(self.folder, self._checkpoint_step, trackers)
        rows, runner = read_metrics(self.folder), self.rollouts.runner
        self.view = TrainingView(self.config, self.board, self.league, self.promotion, runner, self._counts, rows)
        for run in self.runs.all():
            self.store.set_status(run, "running")
        refresh = asyncio.create_task(self.view.refresh(lambda: "stopping" if self._stop else "running"))
        status: Status = "failed"
        try:
            with interruptible(partial(self._request_stop, file)):
                await self._steps()
            status = "finished" if self.step >= self.config.steps else "interrupted"
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
        if self._checkpoint_step < 0:
            await self._finish_step({})  # the untrained policy: the first snapshot and the first point of every curve
        else:  # the checkpoint holds the row and the snapshot of its step
            await self._rate_snapshots()
        while self.step < self.config.steps and not self._stop:
            with self.timer.timed("rollout"):
                self._plan_ahead()
                episodes = await self.queue.take(self.step)
            with self.timer.timed("learn"):
                metrics = await self._learn(episodes)
            self.step += 1
            await self._finish_step(metrics)
        if self._stop and self._checkpoint_step < self.step:  # a step without a checkpoint of its own
            await self._save_checkpoint()

    def _counts(self) -> tuple[int, int]:
        """Training matches planned so far, and by the end, including those of steps that a killed process lost."""
        return self.matches, self.matches + (self.config.steps - self._planned_steps) * self.config.matches_per_step

    def _plan_ahead(self) -> None:
        """Plan this step and `overlap` more, unless they are planned, and queue them with the weights as they are."""
        with self.timer.timed("publish"):
            weights = self.learner.weights() if self.rollouts.has_replicas else None
        end = min(self.step + self.config.overlap + 1, self.config.steps)
        sample, notes = self.tasks.sample, self.notebook.given
        while (step := self.queue.next_step(self.step)) < end:
            planned = plan_step(self.config, self.specs, self.opponents, step, self.matches, sample, notes)
            if self.runs.training is not None:
                self.store.plan(self.runs.training, planned)
            self.matches += len(planned)
            self._planned_steps = step + 1
            self.queue.add(RolloutBatch(step, planned, self.learner.version, weights))

    async def _play(self, batch: RolloutBatch) -> list[Episode]:
        """The episodes of a batch, in plan order; stored if the settings say so."""
        if batch.weights is not None:
            with self.timer.timed("publish"):
                self.rollouts.publish(batch.weights, batch.version)
        episodes = await play_batch(self.rollouts.runner, batch.planned, batch.step + 1, self.board.log)
        if self.runs.training is not None:
            self.store.finish(list(zip(batch.planned, episodes, strict=True)))
        return episodes

    async def _learn(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """Take one step of all trainers in their thread, then update notes, opponents' records and the task pool."""
        stale = staleness(episodes, self.learner.version)
        loop = asyncio.get_running_loop()
        learned = await loop.run_in_executor(self.thread, self.learner.learn, episodes, self.expected.predict)
        credits, advantages, trainers = learned
        for stats in trainers.values():
            for part in stats.seconds.keys() - {"total"}:
                self.timer.add("publish" if part == "publish" else f"learn/{part}", stats.seconds[part])
        for episode in episodes:
            self.notebook.add(episode)
            if (met := result_of_live(episode)) is not None:
                self.opponents.record(episode.game, met[0]).add(met[1])
            self.expected.add(episode)
        pooled = self.tasks.add(episodes, credits, advantages, self.step)
        return step_metrics(episodes, *learned, self.learner.estimator) | pooled | stale

    async def _finish_step(self, metrics: dict[str, float]) -> None:
        """Take a snapshot, evaluate, write metrics and save, in this order: a checkpoint then holds all of it."""
        last = self.step >= self.config.steps
        due = self.opponents.due(self.step)
        if due:
            with self.timer.timed("keep"):
                self._take_snapshot()
        if self.step % self.config.evaluation.every == 0 or last:
            with self.timer.timed("evaluate"):
                metrics = metrics | await self.evaluator.measure(next(iter(self.live.values())), self.step)
            self.learner.clear_caches()
        if (due or last) and self.probes:
            with self.timer.timed("evaluate"):
                for probe in self.probes:
                    metrics = metrics | await probe.measure(next(iter(self.live.values())))
            self.learner.clear_caches()
        self._write(metrics)
        if due or last or self.step % self.config.checkpoint.every == 0:
            with self.timer.timed("keep"):
                await self._save_checkpoint()
        if due:
            await self.queue.drain()  # otherwise timing decides which requests share a batch of a snapshot's engine
            await self._rate_snapshots()

    async def _rate_snapshots(self) -> None:
        """Decide on the candidate, if there is one, and rate the snapshots. Both continue if they were interrupted."""
        candidate, promotion = self.opponents.candidate, self.promotion
        if candidate is not None and promotion is not None:
            with self.timer.timed("league"):
                accepted = await promotion.decide(candidate, self.opponents.snapshots[-1], lambda: self._stop)
            if accepted is None or promotion.test is None:
                return  # stopped; the checkpoint holds the candidate
            self.opponents.decide(accepted)
            lines = [promotion.test.progress(), *promotion.test.lines()]
            self._add_event("gate", f"{candidate.name} {'joins' if accepted else 'is refused'}: {'; '.join(lines)}")
        with self.timer.timed("league"):
            await self.league.rate(self.opponents.snapshots)

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

    def _take_snapshot(self) -> None:
        """Save the live policy as a snapshot. It joins the league, or becomes a candidate if there is a gate."""
        snapshot = Snapshot(f"{self.config.name}@{self.step}", self.step, self.learner.version)
        saved = self.learner.save_snapshot(snapshot.name)
        self.rollouts.add_snapshot(saved)
        event = {"name": snapshot.name, "player": saved.player_ids()}
        self._add_event("snapshot", msgspec.json.encode(event).decode())
        if self.promotion is not None and self.opponents.snapshots:
            self.opponents.candidate = snapshot
        else:
            self.opponents.add(snapshot)

    async def _save_checkpoint(self) -> None:
        files = await self.queue.files()
        state = {
            "learner": self.learner.state_dict(),
            "population": self.opponents.state_dict(),
            "evaluator": self.evaluator.state_dict(),
            "tasks": self.tasks.state_dict(),
            "notes": self.notebook.state_dict(),
            "matches": self.matches,
            "scale": self.expected.scale,
        }
        home, tensors, keep = self.folder / "checkpoints", self.learner.tensors(), self.config.checkpoint.keep
        try:
            checkpoint.save(home, self.step, tensors=tensors, state=state, files=files, keep=keep)
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
                    f"{self.store.url} holds matches of the training {self.config.name!r}, but {self.folder} holds no "
                    "checkpoint of it; restore the folder, or give this training another name"
                )
            self.tasks.resume(0, {})
            return
        self._load(checkpoint.load(newest))
        for snapshot in filter(None, (*self.opponents.snapshots, self.opponents.candidate)):
            self.rollouts.add_snapshot(self.learner.snapshot(snapshot.name))
        self.board.log(f"resuming after step {self.step:,}")
        self.store.add_event(self.runs.rated, "resume", f"resumed after step {self.step}")

    def _load(self, found: checkpoint.Checkpoint) -> None:
        self.learner.load(found)
        state: dict[str, Any] = found.state
        self.opponents.load_state_dict(state["population"])
        self.evaluator.load_state_dict(state["evaluator"])
        self.tasks.resume(found.step, state.get("tasks", {}))
        self.notebook.load_state_dict(state.get("notes", ()))
        self.queue.restore(found.path, state)
        self.expected.scale = dict(state["scale"])
        self.step = self._checkpoint_step = found.step
        self._planned_steps = self.queue.next_step(self.step)
        self.matches = int(state["matches"])
        if self.runs.training is not None:
            self.matches = self.store.counts(self.runs.training).planned  # with those played after the checkpoint

    def _request_stop(self, file: str | Path) -> None:
        """Stop after the step in progress. It is saved, and the next run continues from there."""
        self._stop = True
        self.board.log(f"stopping after this step; Ctrl-C again stops at once. To continue: arena train {file}")
