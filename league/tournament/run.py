"""Runs a tournament from its settings to its final standings, or resumes it: plans, plays, stores, rates, shows."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

import games
from arena import event_loop
from arena.gc_thresholds import rare_collections
from arena.inference.prompt_date import pinned
from arena.match import void
from arena.players import Player
from arena.players.human import Human
from arena.runner import Runner
from games import InputError
from games.errors import RunPaused
from league.board import Board, BoardState, Progress, open_board
from league.board.state import Status
from league.config.tournament import TournamentConfig, load_tournament, parse_tournament
from league.matchmaking.planner import Planner
from league.ratings import check_game_names
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import PlannedMatch, Result
from league.runs.ratings import ratings_for
from league.runs.rebuild import compute, save
from league.runs.stored_players import resolve_players
from league.stopping.sprt_rule import check_sprt
from league.store import RosterChanged, Run, Store
from league.store.runs import changes
from league.tournament.backends import cluster_panels, open_backend, share_secret
from league.tournament.budget import shared_budget
from league.tournament.interrupt import interruptible, stop_lines
from league.tournament.lineup import load_plugins, tournament_spec
from league.tournament.notes import Memories, Notebook
from league.tournament.remaining_time import Remaining
from league.tournament.roster_edit import described
from league.tournament.seats import Seats
from league.tournament.start import about, open_run, seated_config, unlisted
from league.tournament.worker import PlanWorker
from league.trust import TrustGate, of_game, of_player, warn_of_changes
from league.views.player_history import PlayerHistory
from league.views.run_panels import RunPanels

REFRESH = 0.25
"""seconds between two updates of the board, at least"""
PAUSE = 15
"""updates take at most one of so many seconds from the matches, which this thread plays too"""


class TournamentResult(msgspec.Struct, frozen=True):
    """How a call of `run_tournament` ended. `complete`: every planned match has a result, or a stop rule was met."""

    snapshot: Leaderboard
    complete: bool
    reason: str = ""
    """the stop rule that ended it before its rounds were over"""
    failure: str = ""
    """if every match is void: the reason of the last one"""
    handed_over: str = ""
    """if another process plays the run and only its players or games were changed: what was changed"""
    seconds: float = 0.0
    """wall time of the matches of this call, without loading models before and tables after"""


def run_tournament(
    config: TournamentConfig | Mapping[str, Any] | str | Path,
    file: str | Path = "",
    *,
    board: str | Board = "auto",
    metagame: bool | None = None,
    trust: bool = False,
) -> TournamentResult:
    """Start a tournament, or resume it if it was interrupted.

    `config` may be the settings, a dict of them or the path of a tournament file. `file` is the path of the file that
    settings come from: plugins are relative to it, and messages name it. `board` is auto, live, plain or off, or a
    board, which its opener closes.
    `metagame` is as in `RunPanels`. `trust` uses stored players that would run code or load a model, see
    `league.trust`.

    Raises InputError before any match if the settings, the store or the players are invalid, and RunPaused if an
    endpoint or a budget stopped the run; the same call resumes it later.
    """
    if isinstance(config, str | Path):
        file = file or config
    config = _read(config)
    load_plugins(config, Path(file).parent)
    config, named = resolve_players(config, trust=trust)
    config, wishes = seated_config(config, trust)
    with open_backend(config) as (lineup, runner):
        check_game_names(config.ratings, lineup.games)
        spec = tournament_spec(config, lineup, named)
        planner = Planner(spec)
        planner.check()
        check_sprt(spec, planner)
        with Store.open(config.db) as store:
            run, changed = open_run(store, config, spec, wishes, bool(lineup.outside))
            ids = dict.fromkeys([*config.games, *spec.games])  # as written, and as the store has them
            things = [of_player(player.player) for player in config.players] + [of_game(id) for id in ids]
            TrustGate(store).remember(chain.from_iterable(things))
            if changed and not store.shared and store.played(run):
                line = f"{run.name}: {changed}; the process that plays the run applies it"
                return TournamentResult(compute(store, run), False, handed_over=line)
            share_secret(lineup, runner, store.secret(run))
            warn_of_changes(store, run)
            with ExitStack() as stack:
                stack.callback(warn_of_changes, store, run)  # remembers the end
                seats = Seats(lineup, runner, store, run, trust)
                work = _Tournament(config, runner, seats, store, run, metagame)
                stack.enter_context(store.join(run, work.playing.owner))
                display = stack.enter_context(_board(board, lineup.players.values()))
                display.attach(PlayerHistory(store, run))
                for line in filter(None, (*about(lineup, run), changed, *unlisted(run, wishes))):
                    display.log(line)
                stack.enter_context(pinned(store.day(run)))
                paying = shared_budget(config.budget, store, run, lineup.players.values(), display.log)
                seats.budget = stack.enter_context(paying)
                stack.enter_context(rare_collections())
                return event_loop.run(work.play(display, file))


def _read(config: TournamentConfig | Mapping[str, Any] | str | Path) -> TournamentConfig:
    if isinstance(config, TournamentConfig):
        return config
    return load_tournament(config) if isinstance(config, str | Path) else parse_tournament(config)


def _board(mode: str | Board, seated: Iterable[Player]) -> AbstractContextManager[Board]:
    """Returns the board: a human answers at the terminal, which a live board would take and lines would interrupt."""
    if isinstance(mode, Board):
        return nullcontext(mode)
    quiet = mode == "auto" and any(isinstance(player, Human) for player in seated)
    return open_board("plain", interval=math.inf) if quiet else open_board(mode)


class _Tournament:
    """The work of one process on a run. On PostgreSQL, several processes may play one run."""

    board: Board

    def __init__(
        self,
        config: TournamentConfig,
        runner: Runner,
        seats: Seats,
        store: Store,
        run: Run,
        metagame: bool | None = None,
    ) -> None:
        self.store, self.runner, self.seats = store, runner, seats
        self.metagame = metagame
        self.playing = PlanWorker(
            store, run, self.runner, self._report, more=self._extend, able=self._seated, log=self._log
        )
        self.progress = Progress(config.name)
        self.refused: InputError | None = None
        """why this process cannot play with the players or games that joined"""
        self._use(run)

    def _use(self, run: Run) -> None:
        """Take the settings of the run, and rate its results again by them."""
        self.run, self.planner = run, Planner(run.spec)
        self.panels = RunPanels(run.spec, self.metagame)
        self.ratings = ratings_for(run.spec)
        self.notebook, self.noted = Notebook(run.spec.notes), -1
        """`noted`: index of the last match whose notes are in the notebook"""
        learning = {name: player for name, player in self.seats.players.items() if name in run.spec.learning}
        self.memories = Memories(learning, self.store, run)
        self.remaining: Remaining | None = None
        """None until the earlier results are known"""
        self.counts = MatchCounts()
        self.last_seq = 0
        """`seq` of the last result that is rated"""

    async def play(self, board: Board, file: str | Path) -> TournamentResult:
        """Play all remaining matches, then save and show the final standings."""
        self.board = board
        try:
            self._resume()
        except BaseException:  # a matchmaker failed, or Ctrl-C: not stored as running
            if self.store.alone(self.run):
                self.store.set_status(self.run, "interrupted")
            raise
        self.board.update(self._state("running"))
        show = asyncio.create_task(self._show())
        start, seconds = time.monotonic(), 0.0
        status: Status = "failed"
        try:
            with interruptible(partial(self._stop, file)):
                if not self.panels.stopping.reason:
                    await self.playing.run()
            seconds = time.monotonic() - start
            done = self.refused is None and (bool(self.panels.stopping.reason) or self._complete())
            status = "finished" if done else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
        except RunPaused:
            status = "interrupted"
            raise
        finally:
            show.cancel()
            self._renew(seat=False)
            if status == "finished" or self.store.alone(self.run):
                self.store.set_status(self.run, "finished" if status == "finished" else "interrupted")
            final = self.ratings.final(self.run.name, self._now())
            panels = self.panels.panels(final.standings)
            self.board.update(self.progress.state(final, status=status, panels=panels))
            save(self.store, self.run, final)
        if self.refused is not None:
            raise self.refused
        return TournamentResult(final, status == "finished", self.panels.stopping.reason, self._failure(), "", seconds)

    def _resume(self) -> None:
        self.store.set_status(self.run, "running")
        self._catch_up()
        if not self.last_seq:
            return
        before = f"{self.last_seq:,} matches played before" + (
            f", {n:,} of them void" if (n := self.counts.void) else ""
        )
        if self.panels.stopping.reason or self._complete():
            self.board.log(f"all matches are played: {before}")
            return
        self.board.log(f"resuming: {before}")
        self.store.add_event(self.run, "resume", f"{self.playing.worker} resumes after {self.last_seq} matches")

    def _catch_up(self) -> None:
        """Rate all earlier results."""
        self._follow()
        self.remaining = Remaining()
        self.remaining.plan(self.store.planned(self.run))
        self.remaining.ended(self.store.results(self.run)[: self.last_seq], before=True)

    def _renew(self, seat: bool = True) -> None:
        """Take in the players and games that joined or left the run since; make the players if `seat`.

        A process that cannot seat them goes on rating, because others play matches that only the new settings know.
        """
        now = self.store.run(self.run.name)
        if changes(now) == changes(self.run):
            return
        count_before = changes(self.run)
        if seat and self.refused is None:
            try:
                self.seats.allow_games(now.spec)
                self.seats.make(now.spec, now.spec.roster().plays)
            except InputError as error:
                self._refuse(error)
        self._use(now)
        self._catch_up()
        self.board.attach(PlayerHistory(self.store, now))
        for count in range(count_before + 1, changes(now) + 1):
            self.board.log(described(msgspec.structs.replace(now.spec, changes=now.spec.changes[:count])))

    def _refuse(self, error: InputError) -> None:
        """Leave the run to processes that can seat its players; matches in flight are played to the end."""
        if self.refused is None:
            self.refused = error
            self.runner.stop()
            self.board.log(f"this process leaves the run: {error}")

    def _seated(self, planned: PlannedMatch) -> bool:
        """Returns whether the players of a match are here; makes those that joined since."""
        if not (lacks := self.seats.lacks(planned.match.seats.values())):
            return True
        self._renew()
        if self.refused is not None:
            return False
        try:
            self.seats.make(self.run.spec, lacks)
        except InputError as error:
            if not set(self.seats.lacks(lacks)) <= self.run.spec.retired:
                self._refuse(error)
                return False
            ended = void(games.make(planned.match.game), planned.match, f"{', '.join(lacks)} retired: {error}")
            self._report(self.store.finish([(planned, ended)]))
            return False
        return True

    def _failure(self) -> str:
        if self.counts.finished or not self.counts.void:
            return ""
        return self.store.results(self.run)[-1].reason

    def _complete(self) -> bool:
        self._follow()
        return self.last_seq == self.counts.planned and not self._extend()

    def _extend(self) -> bool:
        """Plan the next round if all planned matches have ended. Returns False at the end of the tournament.

        Processes that do so at the same time plan the same matches: they follow from the results of earlier rounds.
        """
        self._renew()
        if self.refused is not None:
            return False
        round, start = self.store.next_round(self.run)
        self._follow()
        if self.last_seq < start:
            return True  # another process just planned it
        history = self.store.results_in_plan_order(self.run)[:start] if self.planner.needs_log else ()
        planned = self.planner.extend(round, start, history)
        if self.notebook.games:
            planned = self._with_notes(planned, start)
        if self.memories.players:
            planned = self.memories.fill(planned, start)
        try:
            self.store.plan(self.run, planned)
        except RosterChanged:
            return self._extend()
        if self.remaining is not None:
            self.remaining.plan(planned)
        self.counts = msgspec.structs.replace(self.counts, planned=start + len(planned))
        return bool(planned)

    def _with_notes(self, planned: list[PlannedMatch], start: int) -> list[PlannedMatch]:
        """Returns the matches from index `start` on, with the notes of all earlier matches, which have ended."""
        for result, episode in self.store.episodes(self.run, after=self.noted):
            if result.index >= start:
                break  # another process has planned and played this round already
            self.notebook.add(episode)
            self.noted = result.index
        return self.notebook.fill(planned)

    def _follow(self) -> None:
        """Rates the results that other processes wrote."""
        self._report(self.store.results(self.run, self.last_seq))
        self.counts = self.store.counts(self.run)

    def _report(self, results: list[Result]) -> None:
        """Rate new results, also those that other processes wrote in between."""
        if results and results[0].seq > self.last_seq + 1:
            results = self.store.results(self.run, self.last_seq)
        results = [r for r in results if r.seq > self.last_seq]
        if any(r.game not in self.run.spec.games for r in results):
            count_before = changes(self.run)
            self._renew()
            if changes(self.run) != count_before:
                return  # rated with all earlier results
        if results:
            self.last_seq = results[-1].seq
        self.ratings.add(results)
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
        """Stop because a rule is met. Matches in flight are played to the end."""
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
            self._renew()
            if not self.store.alone(self.run):
                self._follow()
            elif self.counts.in_flight:  # the other processes have left
                self.counts = msgspec.structs.replace(self.counts, in_flight=0)
            start = time.perf_counter()
            self.board.update(self._state("stopping" if self.runner.stopping else "running"))
            await asyncio.sleep(max(REFRESH, PAUSE * (time.perf_counter() - start)))

    def _stop(self, file: str | Path, grace: float) -> None:
        self.runner.stop()
        for line in stop_lines(len(self.playing), grace, file):
            self.board.log(line)
