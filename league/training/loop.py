"""The self-play league: play, learn, publish, freeze, evaluate, keep; or going on with what was interrupted."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec

import games
from arena import players
from arena.learner import checkpoint
from arena.match import Episode
from arena.players import Player
from games import GameSpec, InputError, plugins
from games.errors import InfrastructureError
from league.board import Board, Panel, Progress, open_board
from league.board.state import Status
from league.crews import cluster_panels
from league.interrupt import interruptible
from league.notes import Notebook
from league.standings import MatchCounts
from league.store import Run, Store
from league.training.ahead import Ahead, Batch
from league.training.clock import Clock
from league.training.config import TrainingConfig
from league.training.evaluate import Evaluator
from league.training.figures import staleness, step_figures
from league.training.learning import Learner
from league.training.matches import base_name, in_plan_order, plan_step, result_of_live
from league.training.metrics import Metrics, read
from league.training.panels import History
from league.training.pooling import Tasks
from league.training.population import Population, Snapshot
from league.training.promotion import Promotion, weights
from league.training.rated import RatedLeague, expected_score, stored_settings
from league.training.snapshots import Snapshots
from league.training.stage import stage_for
from league.training.trackers import open_trackers

REFRESH = 0.25
"""seconds between two looks at the training for the board"""


class Trained(msgspec.Struct, frozen=True):
    """How a call of `run_training` ended."""

    step: int
    complete: bool
    """every step was taken"""
    metrics: dict[str, float]
    """the newest value of every figure"""


def run_training(config: TrainingConfig, file: str | Path = "", *, board: str = "auto") -> Trained:
    """Train, or go on with a training. `board`: auto, live, plain or off.

    Raises InputError before anything is played where the file, the store or the players are wrong.
    """
    for path in config.plugins:
        plugins.load_file(Path(file).parent / Path(path).expanduser())
    specs = {spec.id: spec for spec in (games.make(g.id).spec for g in config.games)}
    if len(specs) < len(config.games):
        raise InputError("games: the same game is listed twice")
    if config.snapshots.gate is not None:
        weights(config, specs)
    _make(config.place)
    with ExitStack() as stack:
        anchors = _anchors(config, stack)
        learner = stack.enter_context(contextlib.closing(Learner(config, specs)))
        store = stack.enter_context(Store.open(config.db))
        kept = _start(store, stack, config, specs, f"{config.name}.training") if config.record else None
        gate = _start(store, stack, config, specs, f"{config.name}.gate") if config.snapshots.gate else None
        rated = _start(store, stack, config, specs, config.name)  # last: boards show the newest run
        display = stack.enter_context(open_board(board))
        work = _Training(config, specs, anchors, learner, store, rated, kept, gate, display)
        stack.callback(work.close)
        return asyncio.run(work.run(file))


def _make(folder: Path) -> None:
    """The run's folder. Raises InputError where nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f'the training cannot write to its folder {folder}: {error.strerror}; set folder = "..." in the training '
            "file to a folder that can be written"
        ) from None


def _start(store: Store, stack: ExitStack, config: TrainingConfig, specs: Mapping[str, GameSpec], name: str) -> Run:
    run = store.start_run(name, stored_settings(config, specs, name))
    stack.enter_context(store.exclusive(run))
    return run


def _anchors(config: TrainingConfig, stack: ExitStack) -> dict[str, Player]:
    made = {a.name: players.make(a.player, a.name) for a in config.anchors}
    for player in made.values():
        stack.callback(player.close)
    return made


class _Training:
    """One process's work on a training."""

    def __init__(
        self,
        config: TrainingConfig,
        specs: Mapping[str, GameSpec],
        anchors: Mapping[str, Player],
        learner: Learner,
        store: Store,
        rated: Run,
        kept: Run | None,
        gate: Run | None,
        board: Board,
    ) -> None:
        self.config, self.specs, self.learner, self.store, self.board = config, specs, learner, store, board
        self.rated, self.kept, self.gate = rated, kept, gate
        self.folder = config.place
        able = {id: [a for a in anchors.values() if a.supports(games.make(id)) is None] for id in specs}
        names = {id: [a.name for a in found] for id, found in able.items()}
        self.live, self.snapshots = learner.players(), Snapshots(config, learner)
        self.stage = stage_for(config, self.live, anchors, list(learner.policies))
        self.runner = self.stage.runner
        self.ahead = Ahead(self._play)
        self.population = Population(config.opponents, config.snapshots, names)
        self.evaluator = Evaluator(config, specs, able)
        self.league = RatedLeague(config, store, rated, self.runner, specs, names)
        rule = config.snapshots.gate
        self.promotion = Promotion(config, rule, store, gate, self.runner, specs) if rule and gate else None
        self.tasks = Tasks(config.tasks, store, rated, specs)
        self.notebook = Notebook({spec.id: spec.notes for spec in specs.values() if spec.notes}, base_name)
        self.step = 0
        self._kept_at = -1
        """step of the newest checkpoint"""
        self.matches = 0
        """training matches planned in the store, or played where they are not kept"""
        self.scale: dict[str, list[float]] = {id: [0.0, 0.0] for id in specs}
        """game -> sum of |return| of the live policy, and how many"""
        self.thread = ThreadPoolExecutor(1, "arena-learner")
        self.clock, self.written = Clock(), 0.0
        """and tokens that the live policy wrote, since this process began"""
        self._stop = False

    def close(self) -> None:
        """Free the stage and the learner's thread."""
        self.stage.close()
        self.thread.shutdown()

    async def run(self, file: str | Path) -> Trained:
        """Everything that is left."""
        self._resume()
        self.progress, self.timing = Progress(self.config.name), dict[str, float]()
        settings = self.config.model_dump(mode="json", by_alias=True)
        trackers = open_trackers(self.config.trackers, self.config.name, self.folder, settings, self.step)
        self.metrics = Metrics(self.folder, self.step, trackers)
        self.history = History(read(self.folder))
        for run in filter(None, (self.rated, self.kept, self.gate)):
            self.store.set_status(run, "running")
        show = asyncio.create_task(self._show())
        status: Status = "failed"
        try:
            with interruptible(partial(self._stop_soon, file)):
                await self._steps()
            status = "finished" if self.step >= self.config.steps else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
        finally:
            show.cancel()
            await self.ahead.close()
            self.metrics.close()
            for run in filter(None, (self.rated, self.kept, self.gate)):
                self.store.set_status(run, "finished" if status == "finished" else "interrupted")
            self._update(status)
        newest = {key: values[-1] for key, values in self.history.columns().items()}
        return Trained(self.step, status == "finished", newest)

    async def _steps(self) -> None:
        """The training itself."""
        if self.step == 0:
            await self._mark({})  # the untrained policy: ancestor and first point of every curve
        else:
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

    def _look_ahead(self) -> None:
        """Plan this step and `overlap` further ones, as far as they are not yet, for the weights as they are now."""
        with self.clock.timed("publish"):
            weights = self.learner.weights() if self.stage.copies else None
        end = min(self.step + self.config.overlap + 1, self.config.steps)
        while (step := self.ahead.next(self.step)) < end:
            planned = plan_step(
                self.config, self.specs, self.population, step, self.matches, self.tasks.draw, self.notebook.given
            )
            if self.kept is not None:
                self.store.plan(self.kept, planned)
            self.matches += len(planned)
            self.ahead.add(Batch(step, planned, self.learner.version, weights))

    async def _play(self, batch: Batch) -> list[Episode]:
        """The matches of a step, in plan order; kept in the store where that is wanted."""
        if batch.weights is not None:
            with self.clock.timed("publish"):
                self.stage.publish(batch.weights, batch.version)
        planned = batch.planned
        queue = [p.match for p in reversed(planned)]
        ended: list[Episode] = []
        await self.runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], ended.extend)
        if len(ended) < len(planned):
            raise asyncio.CancelledError  # stopped in the middle: the step was not taken
        episodes = in_plan_order(planned, ended)
        if self.kept is not None:
            self.store.finish(list(zip(planned, episodes, strict=True)))
        return episodes

    async def _learn(self, episodes: Sequence[Episode]) -> dict[str, float]:
        """One step of all trainers, beside the event loop; opponents' records and the game's scale."""
        loop = asyncio.get_running_loop()
        stale = staleness(episodes, self.learner.version)
        learned = await loop.run_in_executor(self.thread, self.learner.learn, episodes, self._expected)
        for stats in learned[2].values():
            for part in stats.seconds.keys() - {"total"}:
                self.clock.add("publish" if part == "publish" else f"learn/{part}", stats.seconds[part])
        for episode in episodes:
            self.notebook.add(episode)
            met = result_of_live(episode)
            if met is not None:
                self.population.record(episode.game, met[0]).add(met[1])
            if episode.status != "void":
                scale = self.scale[episode.game]
                scale[0] += sum(map(abs, episode.returns.values())) / len(episode.returns)
                scale[1] += 1
        pooled = self.tasks.take(episodes, learned[0], learned[1], self.step)
        return step_figures(episodes, *learned, self.learner.estimator) | pooled | stale

    def _expected(self, episode: Episode, seat: str) -> float | None:
        """The return that ratings expect of the live policy here; None where it meets itself."""
        met = result_of_live(episode)
        total, n = self.scale[episode.game]
        if met is None or not n or not self.population.snapshots:
            return None
        newest = self.population.snapshots[-1].name
        beta = self.config.ratings.beta
        return expected_score(self.league, newest, met[0], episode.game, beta) * total / n

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
        if all(event.text != text for event in self.store.events(self.rated)):
            self.store.add_event(self.rated, kind, text)
            if kind != "snapshot":
                self.board.log(f"{kind}: {text}")

    def _write(self, figures: dict[str, float]) -> None:
        if figures:
            self.written += figures.get("answers", 0) * figures.get("length", 0.0)
            self.timing = self.clock.row({name: figures[name] for name in ("matches", "tokens") if name in figures})
            self.metrics.write(self.step, figures, self.timing)
            self.history.add({"step": self.step, **figures})

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
            "scale": self.scale,
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
        self.step, self.matches, self.scale = found.step, int(state["matches"]), dict(state["scale"])
        self._kept_at = self.step
        if self.kept is not None:
            self.matches = self.store.counts(self.kept).planned  # what was played after the checkpoint stays on record
        for snapshot in filter(None, (*self.population.snapshots, self.population.candidate)):
            self._join(snapshot)
        self.board.log(f"going on after step {self.step:,}")
        self.store.add_event(self.rated, "resume", f"goes on after step {self.step}")

    def _update(self, status: Status) -> None:
        total = max(self.config.steps * self.config.matches_per_step, self.matches)
        counts = MatchCounts(self.matches, self.matches, 0, self.runner.in_flight, total)
        panels = self.history.panels(self.config.steps, self.config.alarms, self.timing)
        panels += cluster_panels(self.runner)
        if self.promotion is not None and self.promotion.test is not None:
            panels += (Panel("promotion", (self.promotion.test.told(), *self.promotion.test.lines())),)
        standings = self.league.standings(counts)
        self.board.update(self.progress.state(standings, status=status, panels=panels, tokens=round(self.written)))

    async def _show(self) -> None:
        while True:
            self._update("stopping" if self._stop else "running")
            await asyncio.sleep(REFRESH)

    def _stop_soon(self, file: str | Path) -> None:
        """The step in progress is ended and kept; the next run goes on from there."""
        self._stop = True
        self.board.log(f"stopping after this step; Ctrl-C again leaves at once. Later: arena train {file}")
