"""A tournament from its file to its final standings: plan, play, keep, rate, show; or going on with one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec

from arena import running
from arena.collector import rare_collections
from arena.runner import Plays
from games.errors import RunPaused
from league import stopping
from league.board import Board, BoardState, Progress, open_board
from league.board.state import Status
from league.config import TournamentConfig
from league.crews import cluster_panels, entrants, share_secret
from league.entry import load_plugins
from league.game_ids import in_words_of, stored_run
from league.interrupt import interruptible
from league.names import settled
from league.notes import Notebook, notes_of
from league.panels import RunPanels
from league.planning import Planner
from league.playing import Playing
from league.ratings import draws
from league.rebuild import compute, save
from league.records import PlannedMatch, Result
from league.remaining import Remaining
from league.spending import budgeted
from league.standings import MatchCounts, Snapshot
from league.store import Run, Store
from league.stored import ratings_for, stored_config
from league.strikes import counted, struck
from league.trust import Gate, of_game, of_player

# Seconds between two looks at the state of the run for the board.
REFRESH = 0.25
GUESSABLE = 1 << 48
"""seeds below this can be tried one by one"""


class Finished(msgspec.Struct, frozen=True):
    """How a call of `run_tournament` ended. `complete`: every planned match has its result, or a stop rule was met."""

    snapshot: Snapshot
    complete: bool
    reason: str = ""
    """the stop rule that ended it before its rounds were over"""
    failure: str = ""
    """why the last match is void, where every one is: nothing was found out"""


def run_tournament(
    config: TournamentConfig,
    file: str | Path = "",
    *,
    board: str = "auto",
    metagame: bool | None = None,
    trust: bool = False,
) -> Finished:
    """Play a tournament, or what is left of it. `board`: auto, live, plain or off; `metagame`: as in `RunPanels`;
    `trust`: use what the store says of players that the file calls by their names there, see `league.trust`.

    Raises InputError before anything is played where the file, the store or the players are wrong; RunPaused where
    it stopped because an endpoint or a budget did: the same call goes on later.
    """
    load_plugins(config, Path(file).parent)
    config, named = settled(config, trust=trust)
    with entrants(config) as (entry, runner):
        draws.check(config.ratings, entry.games)
        settings = stored_config(config, entry) | ({"named": named} if named else {})
        stopping.check(settings, Planner(settings))
        with Store.open(config.db) as store:
            settings = in_words_of(stored_run(store, config.name), settings)
            run = store.start_run(config.name, settings)
            share_secret(entry, runner, store.secret(run))
            things = [of_player(player.player) for player in config.players] + [of_game(game) for game in config.games]
            Gate(store).remember(chain.from_iterable(things))
            with ExitStack() as stack:
                work = _Tournament(config, runner, Planner(run.config), store, run, metagame)
                stack.enter_context(store.join(run, work.playing.owner))
                display = stack.enter_context(open_board(board))
                for name, player in entry.players.items():
                    if player.about:
                        display.log(f"{name}: {player.about}")
                if entry.outside and 0 <= run.seed < GUESSABLE:
                    display.log(told_of_seed(run.seed, entry.outside))
                stack.enter_context(budgeted(config.budget, store, run, entry.players.values(), display.log))
                stack.enter_context(rare_collections())
                return running.run(work.play(display, file))


def told_of_seed(seed: int, outside: Sequence[str]) -> str:
    """A word about a seed that somebody can find by trying."""
    return (
        f"seed = {seed} is small: whoever serves {', '.join(outside)} can find it by trying, and every match's cards "
        "with it; leave seed out, and one is drawn that nobody finds"
    )


class _Tournament:
    """One process's work on a run; on PostgreSQL others may have joined it."""

    board: Board

    def __init__(
        self,
        config: TournamentConfig,
        runner: Plays,
        planner: Planner,
        store: Store,
        run: Run,
        metagame: bool | None = None,
    ) -> None:
        self.planner, self.store, self.run = planner, store, run
        self.struck = struck(store, run)
        self.panels = RunPanels(run.config, self.struck, metagame)
        self.ratings = ratings_for(run.config)
        self.notebook, self.noted = Notebook(notes_of(run.config)), -1
        """`noted`: the last match whose notes are in the book"""
        self.runner = runner
        self.playing = Playing(store, run, self.runner, self._report, more=self._extend, log=self._log)
        self.progress = Progress(config.name)
        self.remaining: Remaining | None = None
        """once what was played before is known"""
        self.counts = MatchCounts()
        self.seen = 0
        """the last result that is rated"""

    async def play(self, board: Board, file: str | Path) -> Finished:
        """Everything that is left, then the final state."""
        self.board = board
        self._resume()
        self.board.update(self._state("running"))
        show = asyncio.create_task(self._show())
        status: Status = "failed"
        try:
            with interruptible(partial(self._stop, file)):
                if not self.panels.stopping.reason:
                    await self.playing.run()
            status = "finished" if self.panels.stopping.reason or self._complete() else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
        except RunPaused:
            status = "interrupted"
            raise
        finally:
            show.cancel()
            if status == "finished" or self.store.alone(self.run):
                self.store.set_status(self.run, "finished" if status == "finished" else "interrupted")
            final = self.ratings.settled(self.run.name, self._now())
            if struck(self.store, self.run) != self.struck:  # meanwhile, by somebody else
                final = compute(self.store, self.run)
            panels = self.panels.panels(final.standings)
            self.board.update(self.progress.state(final, status=status, panels=panels))
            save(self.store, self.run, final)
        return Finished(final, status == "finished", self.panels.stopping.reason, self._failure())

    def _resume(self) -> None:
        self.store.set_status(self.run, "running")
        self._follow()
        self.remaining = Remaining()
        self.remaining.plan(self.store.planned(self.run))
        self.remaining.ended(self.store.results(self.run)[: self.seen], before=True)
        if not self.seen:
            return
        before = f"{self.seen:,} matches played before" + (f", {n:,} of them void" if (n := self.counts.void) else "")
        if self.panels.stopping.reason or self._complete():
            self.board.log(f"nothing is left to play: {before}")
            return
        self.board.log(f"going on with {before}")
        self.store.add_event(self.run, "resume", f"{self.playing.worker} goes on after {self.seen} matches")

    def _failure(self) -> str:
        if self.counts.finished or not self.counts.void:
            return ""
        return self.store.results(self.run)[-1].reason

    def _complete(self) -> bool:
        self._follow()
        return self.seen == self.counts.planned and not self._extend()

    def _extend(self) -> bool:
        """Plan the next round where the plan so far is played out; False at the end of the tournament.

        Whoever else does so at the same time plans the same: it follows from the results of the rounds before.
        """
        round, start = self.store.next_round(self.run)
        self._follow()
        if self.seen < start:
            return True  # somebody did so just now, and its matches are not played yet
        history = self.store.results_in_plan_order(self.run)[:start] if self.planner.needs_log else ()
        planned = self.planner.extend(round, start, history)
        if self.notebook.games:
            planned = self._with_notes(planned, start)
        self.store.plan(self.run, planned)
        if self.remaining is not None:
            self.remaining.plan(planned)
        self.counts = msgspec.structs.replace(self.counts, planned=start + len(planned))
        return bool(planned)

    def _with_notes(self, planned: list[PlannedMatch], start: int) -> list[PlannedMatch]:
        """Give matches from index `start` on the notes of all before them, which have ended."""
        for result, episode in self.store.episodes(self.run, after=self.noted):
            if result.index >= start:
                break  # of somebody who planned and played this round just now
            self.notebook.add(episode)
            self.noted = result.index
        return self.notebook.fill(planned)

    def _follow(self) -> None:
        """Rate what others wrote."""
        self._report(self.store.results(self.run, self.seen))
        self.counts = self.store.counts(self.run)

    def _report(self, results: list[Result]) -> None:
        """Rate what ended; where others wrote in between, that as well."""
        if results and results[0].seq > self.seen + 1:
            results = self.store.results(self.run, self.seen)
        results = [r for r in results if r.seq > self.seen]
        if results:
            self.seen = results[-1].seq
        self.ratings.add(counted(results, self.struck))
        if self.remaining is not None:
            self.remaining.ended(results)
        self.panels.add(results)
        if self.panels.stopping.reason:
            self._decided(self.panels.stopping.reason)
        void = sum(r.status == "void" for r in results)
        counts = self.counts
        self.counts = msgspec.structs.replace(
            counts, finished=counts.finished + len(results) - void, void=counts.void + void
        )

    def _decided(self, reason: str) -> None:
        """A stop rule is met: what is in flight is played to its end, and nothing else."""
        if not self.runner.stopping:
            self.runner.stop()
            line = f"stopped: {reason}"
            self.board.log(line)
            if all(event.text != line for event in self.store.events(self.run)):
                self.store.add_event(self.run, "stop", line)

    def _now(self) -> MatchCounts:
        flying = max(len(self.playing), self.counts.in_flight)
        return msgspec.structs.replace(self.counts, in_flight=flying, total=self.planner.total)

    def _state(self, status: Status) -> BoardState:
        snapshot = self.ratings.snapshot(self.run.name, self._now())
        panels = cluster_panels(self.runner) + self.panels.panels(snapshot.standings)
        to_go = None if self.remaining is None else self.remaining.seconds(self.planner.total)
        return self.progress.state(snapshot, status=status, panels=panels, to_go=to_go, estimate=False)

    def _log(self, line: str) -> None:
        self.board.log(line)

    async def _show(self) -> None:
        while True:
            if not self.store.alone(self.run):
                self._follow()
            elif self.counts.in_flight:  # they have left
                self.counts = msgspec.structs.replace(self.counts, in_flight=0)
            self.board.update(self._state("stopping" if self.runner.stopping else "running"))
            await asyncio.sleep(REFRESH)

    def _stop(self, file: str | Path) -> None:
        self.runner.stop()
        self.board.log(f"stopping: {len(self.playing)} matches play to their end; Ctrl-C again leaves them")
        self.board.log(f"to go on later: arena tournament {file}")
