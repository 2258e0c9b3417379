"""A tournament from its file to its final standings: plan, play, keep, rate, show; or going on with one."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import msgspec

from arena.match import IllegalPolicy
from arena.runner import Runner
from league.board import Board, BoardState, Progress, open_board
from league.board.state import Status
from league.config import TournamentConfig
from league.entry import Entry, assemble, load_plugins
from league.interrupt import interruptible
from league.planning import Planner
from league.playing import Playing
from league.rebuild import save
from league.records import Result
from league.standings import MatchCounts, Snapshot
from league.store import Run, Store
from league.stored import ratings_for, stored_config

# Seconds between two looks at the state of the run for the board.
REFRESH = 0.25


class Finished(msgspec.Struct, frozen=True):
    """How a call of `run_tournament` ended. `complete`: every planned match has its result."""

    snapshot: Snapshot
    complete: bool


def run_tournament(config: TournamentConfig, file: str | Path = "", *, board: str = "auto") -> Finished:
    """Play a tournament, or what is left of it. `board`: auto, live, plain or off.

    Raises InputError before anything is played where the file, the store or the players are wrong.
    """
    load_plugins(config, Path(file).parent)
    entry = assemble(config)
    try:
        settings = stored_config(config, entry)
        planner = Planner(settings)
        with Store.open(config.db) as store:
            run = store.start_run(config.name, settings)
            with store.exclusive(run), open_board(board) as display:
                return asyncio.run(_Tournament(config, entry, planner, store, run, display).play(file))
    finally:
        entry.close()


class _Tournament:
    """One process's work on a run."""

    def __init__(
        self, config: TournamentConfig, entry: Entry, planner: Planner, store: Store, run: Run, board: Board
    ) -> None:
        self.planner, self.store, self.run, self.board = planner, store, run, board
        self.ratings = ratings_for(run.config)
        self.runner = Runner(
            entry.players, IllegalPolicy(config.illegal.retries, config.illegal.then), config.concurrency
        )
        self.playing = Playing(store, run, self.runner, self._report, more=self._extend, log=board.log)
        self.progress = Progress(config.name)
        self.counts = MatchCounts()
        self.round = 0
        """the next round to plan"""

    async def play(self, file: str | Path) -> Finished:
        """Everything that is left, then the final state."""
        self._resume()
        self.board.update(self._state("running"))
        show = asyncio.create_task(self._show())
        status: Status = "failed"
        try:
            with interruptible(partial(self._stop, file)):
                await self.playing.run()
            status = "finished" if self._complete() else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
        finally:
            show.cancel()
            self.store.set_status(self.run, "finished" if status == "finished" else "interrupted")
            final = self.ratings.settled(self.run.name, self._now())
            self.board.update(self.progress.state(final, status=status))
            save(self.store, self.run, final)
        return Finished(final, status == "finished")

    def _resume(self) -> None:
        self.store.set_status(self.run, "running")
        self.store.reclaim(self.run)
        ended = self.store.results(self.run)
        self.ratings.add(ended)
        self.counts = self.store.counts(self.run)
        self.round = self.store.next_round(self.run)
        if ended:
            self.board.log(f"going on with {len(ended):,} matches played before")
            self.store.add_event(self.run, "resume", f"{self.playing.owner} goes on after {len(ended)} matches")

    def _complete(self) -> bool:
        ended = self.counts.finished + self.counts.void
        return ended == self.counts.planned and not self._extend()

    def _extend(self) -> bool:
        """Plan the next round where the plan so far is played out; False at the end of the tournament."""
        history = self.store.results_in_plan_order(self.run) if self.planner.needs_log else ()
        planned = self.planner.extend(self.round, self.counts.planned, history)
        if not planned:
            return False
        self.store.plan(self.run, planned)
        self.round = planned[-1].round + 1
        self.counts = msgspec.structs.replace(self.counts, planned=self.counts.planned + len(planned))
        return True

    def _report(self, results: list[Result]) -> None:
        """Rate what ended."""
        self.ratings.add(results)
        void = sum(r.status == "void" for r in results)
        counts = self.counts
        self.counts = msgspec.structs.replace(
            counts, finished=counts.finished + len(results) - void, void=counts.void + void
        )

    def _now(self) -> MatchCounts:
        return msgspec.structs.replace(self.counts, in_flight=len(self.playing), total=self.planner.total)

    def _state(self, status: Status) -> BoardState:
        return self.progress.state(self.ratings.snapshot(self.run.name, self._now()), status=status)

    async def _show(self) -> None:
        while True:
            self.board.update(self._state("stopping" if self.runner.stopping else "running"))
            await asyncio.sleep(REFRESH)

    def _stop(self, file: str | Path) -> None:
        self.runner.stop()
        self.board.log(f"stopping: {len(self.playing)} matches play to their end; Ctrl-C again leaves them")
        self.board.log(f"to go on later: arena tournament {file}")
