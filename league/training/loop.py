"""The self-play league: play, learn, publish, freeze, evaluate, keep; or going on with what was interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import games
from arena.learner import checkpoint
from arena.match import Episode
from arena.players import Player
from games import GameSpec, InputError
from games.errors import InfrastructureError, RunPaused
from league.board import Board
from league.board.state import Status
from league.interrupt import interruptible
from league.notes import Notebook
from league.store import Run, Store
from league.training.ahead import Ahead, Batch
from league.training.batches import play_batch
from league.training.clock import Clock
from league.training.config import TrainingConfig
from league.training.display import Display
from league.training.evaluate import Evaluator
from league.training.expected import Expected
from league.training.figures import staleness, step_figures
from league.training.learning import Learner
from league.training.matches import base_name, plan_step, result_of_live
from league.training.metrics import Metrics, read
from league.training.pooling import Tasks
from league.training.population import Population, Snapshot
from league.training.promotion import Promotion
from league.training.rated import RatedLeague
from league.training.snapshots import Snapshots
from league.training.stage import stage_for
from league.training.trackers import open_trackers


class Trained(msgspec.Struct, frozen=True):
    """How a call of `run_training` ended."""

    step: int
    complete: bool
    """every step was taken"""
    metrics: dict[str, float]
    """the newest value of every figure"""


@dataclass(frozen=True, slots=True)
class Runs:
    """Of a training, in the store."""

    rated: Run
    """matches that rate its snapshots"""
    kept: Run | None
    """the matches it learns from, where they are kept"""
    gate: Run | None
    """matches that decide which snapshots join the league"""

    def all(self) -> list[Run]:
        """Those that there are."""
        return [run for run in (self.rated, self.kept, self.gate) if run is not None]


class Training:
    """One process's work on a training."""

    def __init__(
        self,
        config: TrainingConfig,
        specs: Mapping[str, GameSpec],
        anchors: Mapping[str, Player],
        learner: Learner,
        store: Store,
        runs: Runs,
        board: Board,
    ) -> None:
        self.config, self.specs, self.learner, self.store, self.board = config, specs, learner, store, board
        self.runs = runs
        self.folder = config.place
        able = {id: [a for a in anchors.values() if a.supports(games.make(id)) is None] for id in specs}
        names = {id: [a.name for a in found] for id, found in able.items()}
        self.live, self.snapshots = learner.players(), Snapshots(config, learner)
        self.stage = stage_for(config, self.live, anchors, list(learner.policies))
        self.runner = self.stage.runner
        self.ahead = Ahead(self._play)
        self.population = Population(config.opponents, config.snapshots, names)
        self.evaluator = Evaluator(config, specs, able)
        self.league = RatedLeague(config, store, runs.rated, self.runner, specs, names)
        rule = config.snapshots.gate
        self.promotion = Promotion(config, rule, store, runs.gate, self.runner, specs) if rule and runs.gate else None
        self.tasks = Tasks(config.tasks, store, runs.rated, specs)
        self.notebook = Notebook({spec.id: spec.notes for spec in specs.values() if spec.notes}, base_name)
        self.step = 0
        self._kept_at = -1
        """step of the newest checkpoint; -1: there is none"""
        self.matches = 0
        """training matches planned in the store, or played where they are not kept"""
        self._planned = 0
        """steps whose matches are planned"""
        self.expected = Expected(self.league, self.population, config.ratings.beta, specs)
        self.display = Display(config, board, self.league, self.promotion, self.runner, self._counts)
        self.thread = ThreadPoolExecutor(1, "arena-learner")
        self.clock = Clock()
        self._stop = False

    def close(self) -> None:
        """Free the stage and the learner's thread."""
        self.stage.close()
        self.thread.shutdown()

    async def run(self, file: str | Path) -> Trained:
        """Everything that is left."""
        self._resume()
        settings = self.config.model_dump(mode="json", by_alias=True)
        trackers = open_trackers(self.config.trackers, self.config.name, self.folder, settings, self._kept_at)
        self.metrics = Metrics(self.folder, self._kept_at, trackers)
        self.display.begin(read(self.folder))
        for run in self.runs.all():
            self.store.set_status(run, "running")
        show = asyncio.create_task(self.display.refresh(lambda: "stopping" if self._stop else "running"))
        status: Status = "failed"
        try:
            with interruptible(partial(self._stop_soon, file)):
                await self._steps()
            status = "finished" if self.step >= self.config.steps else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
        except RunPaused:
            status = "interrupted"
            raise
        finally:
            show.cancel()
            await self.ahead.close()
            self.metrics.close()
            for run in self.runs.all():
                self.store.set_status(run, "finished" if status == "finished" else "interrupted")
            self.display.update(status)
        return Trained(self.step, status == "finished", self.display.newest())

    async def _steps(self) -> None:
        """The training itself."""
        if self._kept_at < 0:
            await self._mark({})  # the untrained policy: ancestor and first point of every curve
        else:  # also after step 0: its row and its snapshot are in the checkpoint
            await self._settle()
        while self.step < self.config.steps and not self._stop:
            with self.clock.timed("rollout"):
                self._look_ahead()
                episodes = await self.ahead.take(self.step)
            with self.clock.timed("learn"):
                figures = await self._learn(episodes)
            self.step += 1
            await self._mark(figures)
        if self._stop and self._kept_at < self.step:  # stopped when the last one was half marked
            await self._keep()

    def _counts(self) -> tuple[int, int]:
        """Training matches planned by now, and by the end: those of steps that were lost with a process count, too."""
        return self.matches, self.matches + (self.config.steps - self._planned) * self.config.matches_per_step

    def _look_ahead(self) -> None:
        """Plan this step and `overlap` further ones, as far as they are not yet, for the weights as they are now."""
        with self.clock.timed("publish"):
            weights = self.learner.weights() if self.stage.copies else None
        end = min(self.step + self.config.overlap + 1, self.config.steps)
        while (step := self.ahead.next(self.step)) < end:
            planned = plan_step(
                self.config, self.specs, self.population, step, self.matches, self.tasks.draw, self.notebook.given
            )
            if self.runs.kept is not None:
                self.store.plan(self.runs.kept, planned)
            self.matches += len(planned)
            self._planned = step + 1
            self.ahead.add(Batch(step, planned, self.learner.version, weights))

    async def _play(self, batch: Batch) -> list[Episode]:
        """The matches of a step, in plan order; kept in the store where that is wanted."""
        if batch.weights is not None:
            with self.clock.timed("publish"):
                self.stage.publish(batch.weights, batch.version)
        episodes = await play_batch(self.runner, batch.planned, batch.step + 1, self.board.log)
        if self.runs.kept is not None:
            self.store.finish(list(zip(batch.planned, episodes, strict=True)))
        return episodes

    async def _learn(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """One step of all trainers, beside the event loop; opponents' records and the game's scale."""
        loop = asyncio.get_running_loop()
        stale = staleness(episodes, self.learner.version)
        learned = await loop.run_in_executor(self.thread, self.learner.learn, episodes, self.expected.of)
        for stats in learned[2].values():
            for part in stats.seconds.keys() - {"total"}:
                self.clock.add("publish" if part == "publish" else f"learn/{part}", stats.seconds[part])
        for episode in episodes:
            self.notebook.add(episode)
            met = result_of_live(episode)
            if met is not None:
                self.population.record(episode.game, met[0]).add(met[1])
            self.expected.add(episode)
        pooled = self.tasks.take(episodes, learned[0], learned[1], self.step)
        return step_figures(episodes, *learned, self.learner.estimator) | pooled | stale

    async def _mark(self, figures: dict[str, float]) -> None:
        """After a step: freeze, evaluate, write down, keep. In this order, so that a checkpoint holds all of it."""
        last = self.step >= self.config.steps
        fresh = self.population.due(self.step)
        if fresh:
            with self.clock.timed("keep"):
                self._freeze()
        if self.step % self.config.evaluation.every == 0 or last:
            with self.clock.timed("evaluate"):
                figures = figures | await self.evaluator.measure(next(iter(self.live.values())), self.step)
            self.learner.forget()
        self._write(figures)
        if fresh or last or self.step % self.config.checkpoint.every == 0:
            with self.clock.timed("keep"):
                await self._keep()
        if fresh:
            await self.ahead.drained()  # what batches a snapshot's engine answers must not depend on the clock
            await self._settle()

    async def _settle(self) -> None:
        """Decide on the candidate, if there is one, and rate the snapshots; both go on where they were interrupted."""
        candidate, promotion = self.population.candidate, self.promotion
        if candidate is not None and promotion is not None:
            with self.clock.timed("league"):
                accepted = await promotion.decide(candidate, self.population.snapshots[-1], lambda: self._stop)
            if accepted is None or promotion.test is None:
                return  # stopped: the checkpoint has the candidate
            self.population.settle(accepted)
            lines = [promotion.test.told(), *promotion.test.lines()]
            self._tell("gate", f"{candidate.name} {'joins' if accepted else 'is refused'}: {'; '.join(lines)}")
        with self.clock.timed("league"):
            await self.league.rate(self.population.snapshots)

    def _tell(self, kind: str, text: str) -> None:
        """A line for the board and the run's diary; once, however often a step is taken again."""
        if all(event.text != text for event in self.store.events(self.runs.rated)):
            self.store.add_event(self.runs.rated, kind, text)
            if kind != "snapshot":
                self.board.log(f"{kind}: {text}")

    def _write(self, figures: dict[str, float]) -> None:
        if figures:
            timing = self.clock.row({name: figures[name] for name in ("matches", "tokens") if name in figures})
            self.metrics.write(self.step, figures, timing)
            self.display.add(self.step, figures, timing)

    def _freeze(self) -> None:
        """A snapshot of the live policy joins the league, or is a candidate for it where there is a gate."""
        snapshot = self.snapshots.freeze(self.step)
        ids = self._join(snapshot)
        self._tell("snapshot", msgspec.json.encode({"name": snapshot.name, "player": ids}).decode())
        if self.promotion is not None and self.population.snapshots:
            self.population.candidate = snapshot
        else:
            self.population.add(snapshot)

    def _join(self, snapshot: Snapshot) -> dict[str, str]:
        """Seat a snapshot; the ids of its players."""
        ids = self.snapshots.players(snapshot.name)
        self.stage.join(snapshot.name, self.snapshots.folder(snapshot.name), ids)
        return ids

    async def _keep(self) -> None:
        state = {
            "learner": self.learner.state_dict(),
            "population": self.population.state_dict(),
            "evaluator": self.evaluator.state_dict(),
            "tasks": self.tasks.state_dict(),
            "notes": self.notebook.state_dict(),
            "ahead": await self.ahead.state_dict(),
            "matches": self.matches,
            "scale": self.expected.scale,
        }
        home, tensors = self.folder / "checkpoints", self.learner.tensors()
        try:
            checkpoint.save(home, self.step, tensors=tensors, state=state, keep=self.config.checkpoint.keep)
        except OSError as error:
            raise InfrastructureError(
                f"the checkpoint of step {self.step} cannot be written to {home}: {error}; those of before are whole: "
                "make room and run the same command again"
            ) from error
        self._kept_at = self.step

    def _resume(self) -> None:
        """Go on from the newest checkpoint, if there is one."""
        newest = checkpoint.latest(self.folder / "checkpoints")
        if newest is None:
            if not self.league.empty:
                raise InputError(
                    f"{self.store.url} holds matches of the training {self.config.name!r} and {self.folder} holds no "
                    "checkpoint of it; bring the folder back, or give this training another name"
                )
            self.tasks.resume(0, {})
            return
        found = checkpoint.load(newest)
        self.learner.load(found)
        state: dict[str, Any] = found.state
        self.population.load_state_dict(state["population"])
        self.evaluator.load_state_dict(state["evaluator"])
        self.tasks.resume(found.step, state.get("tasks", {}))
        self.notebook.load_state_dict(state.get("notes", ()))
        self.ahead.load_state_dict(state.get("ahead", {}))
        self.expected.scale = dict(state["scale"])
        self.step = self._kept_at = found.step
        self._planned = self.ahead.next(self.step)
        self.matches = int(state["matches"])
        if self.runs.kept is not None:
            # What was played after the checkpoint stays on record.
            self.matches = self.store.counts(self.runs.kept).planned
        for snapshot in filter(None, (*self.population.snapshots, self.population.candidate)):
            self._join(snapshot)
        self.board.log(f"going on after step {self.step:,}")
        self.store.add_event(self.runs.rated, "resume", f"goes on after step {self.step}")

    def _stop_soon(self, file: str | Path) -> None:
        """The step in progress is ended and kept; the next run goes on from there."""
        self._stop = True
        self.board.log(f"stopping after this step; Ctrl-C again leaves at once. Later: arena train {file}")
