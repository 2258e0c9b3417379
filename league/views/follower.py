"""Follows a run from another process. It reads the store and writes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from games import InputError
from games.errors import InfrastructureError
from league.board import Board
from league.board.factory import open_board
from league.board.state import ENDED, BoardState, Panel, Progress, Status, status_now
from league.config.database_url import DatabaseUrl
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result, of_known_games
from league.records.run_spec import RunSpec
from league.store.runs import changes
from league.views.player_history import PlayerHistory

if TYPE_CHECKING:
    from rich.console import Console

    from league.ratings import RatingEngine
    from league.store import Store
    from league.store.runs import Run
from league.store import Event
from league.views.wording_gaps import KIND

RatingsFor = Callable[[RunSpec], "RatingEngine"]
"""a run's settings -> its empty ratings"""
TotalFor = Callable[[RunSpec], int | None]
"""a run's settings -> the number of matches of the whole run, or None if unknown"""
PanelsFor = Callable[[RunSpec], "Panels"]
"""a run's settings -> its panels"""


class Panels(Protocol):
    """Panels below the table, such as the curves of a training."""

    def add(self, results: Iterable[Result]) -> None:
        """Add results, each once."""

    def panels(self, standings: Sequence[Standing]) -> tuple[Panel, ...]:
        """Returns the current panels."""
        ...


EVENTS = 20
"""earlier events of the run that are shown at first"""


def watch(
    url: DatabaseUrl | str,
    run: str | None = None,
    *,
    ratings_for: RatingsFor,
    total_for: TotalFor | None = None,
    panels_for: PanelsFor | None = None,
    mode: str = "auto",
    console: Console | None = None,
    refresh: float = 0.5,
    patience: float = 60.0,
    board: Board | None = None,
) -> BoardState | None:
    """Show a run until it ends or the user presses q or Ctrl-C; returns the last state shown.

    A board that takes keys stays until the user leaves it, so that a run that has ended can be looked at.

    `run` is a name; default: the newest run. Waits at most `patience` seconds for a database or run that does not exist
    yet. Raises InputError if it does not appear in time or cannot be read.
    """
    state: BoardState | None = None
    with board or open_board(mode, console, watching=True) as board:
        try:
            follower = _attach(url, run, ratings_for, total_for, board, refresh, patience, panels_for)
            if follower is None:
                return None
            with follower:
                board.attach(follower.history())
                while True:
                    state = follower.poll(board)
                    board.update(state)
                    ended = state.status in ("finished", "interrupted")
                    if (ended and not board.interactive) or board.wait(refresh):
                        return state
        except KeyboardInterrupt:  # does not affect the run
            return state


def _attach(
    url: DatabaseUrl | str,
    name: str | None,
    ratings_for: RatingsFor,
    total_for: TotalFor | None,
    board: Board,
    refresh: float,
    patience: float,
    panels_for: PanelsFor | None,
) -> Follower | None:
    """Wait for the run; returns None if the user presses q."""
    from league.store import Store

    deadline, logged = time.monotonic() + patience, False
    while True:
        error = _missing(url)
        if error is None:
            with ExitStack() as opened:
                store = opened.enter_context(Store.open(url, read_only=True))
                try:
                    run = store.run(name)
                except InputError as absent:
                    error = absent
                else:
                    follower = Follower(store, run, ratings_for, total_for, panels_for)
                    opened.pop_all()
                    return follower
        assert error is not None
        if time.monotonic() >= deadline:
            raise error
        if not logged:
            board.log(f"waiting for the run: {error}")
            logged = True
        if board.wait(refresh):
            return None


def _missing(url: DatabaseUrl | str) -> InputError | None:
    """Returns what to say of a SQLite file that is missing or empty."""
    file = DatabaseUrl(url).path
    if file is None:
        return None
    path = Path(file).expanduser()
    if path.exists() and (not path.is_file() or path.stat().st_size):
        return None
    return InputError(f"database {path} does not exist; `arena tournament FILE.toml --db URL` creates it")


class Follower:
    """Reads new results of a run and updates its own ratings."""

    def __init__(
        self,
        store: Store,
        run: Run,
        ratings_for: RatingsFor,
        total_for: TotalFor | None = None,
        panels_for: PanelsFor | None = None,
    ) -> None:
        self._store, self._run, self._panels_for, self._ratings_for = store, run, panels_for, ratings_for
        self._total_for = total_for
        self._start()
        self._event: int | None = None
        self._played = True
        """whether a process played the run at the last poll"""
        age = (datetime.now(UTC) - datetime.fromisoformat(run.created)).total_seconds()
        self._progress = Progress(run.name, started=time.monotonic() - age)
        self._last = BoardState(Leaderboard(run.name, (), {}, {}, MatchCounts()), status="waiting")

    def _start(self) -> None:
        """Start again from the first result, with the players and games of now."""
        self._total = self._total_for(self._run.spec) if self._total_for else None
        self._ratings = self._ratings_for(self._run.spec)
        self._panels = self._panels_for(self._run.spec) if self._panels_for else None
        self._last_seq = self._void = self._ended = 0
        self._final: Leaderboard | None = None

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def history(self) -> PlayerHistory:
        """Returns the matches and opponents of the run's players."""
        return PlayerHistory(self._store, self._run)

    def poll(self, board: Board) -> BoardState:
        """Returns the current state and logs new events of the run. If the database is lost, the last state stays."""
        try:
            # Read the status first: after a run is finished, no more results arrive.
            run = self._store.run(self._run.name)
            played, self._played = self._played, self._store.played(run)
            if changes(run) != changes(self._run):  # players or games have joined or left
                self._run = run
                self._start()
                board.attach(self.history())
            counts = self._store.counts(self._run)
            self._log_events(board)
            results = of_known_games(self._store.results(self._run, self._last_seq), self._run.spec.games)
        except InfrastructureError as error:
            if self._last.status != "disconnected":
                board.log(f"lost the database, retrying: {error}")
            self._last = msgspec.structs.replace(self._last, status="disconnected")
            return self._last
        self._ratings.add(results)
        # Count the results read here: a match may have ended after `counts` was read.
        self._last_seq = results[-1].seq if results else self._last_seq
        self._void += sum(r.status == "void" for r in results)
        self._ended += len(results)
        counts = msgspec.structs.replace(
            counts, finished=self._ended - self._void, void=self._void, total=counts.total or self._total
        )
        # Two polls, because a new run is in the store a moment before its process takes the lock.
        status = status_now(run, counts, played=played or self._played)
        snapshot = self._table(counts, status)
        panels: tuple[Panel, ...] = ()
        if self._panels is not None:
            self._panels.add(results)
            panels = self._panels.panels(snapshot.standings)
        state = self._progress.state(snapshot, status=status, panels=panels)
        if status in ENDED:  # the store does not record when it ended
            state = msgspec.structs.replace(state, elapsed=None, matches_per_second=None, tokens_per_second=None)
        self._last = state
        return state

    def _table(self, counts: MatchCounts, status: Status) -> Leaderboard:
        """Returns the live table, or of a run that has ended the final one, as `arena board` prints it."""
        if status not in ENDED:
            return self._ratings.snapshot(self._run.name, counts)
        if self._final is None or self._final.matches != counts:
            self._final = self._ratings.final(self._run.name, counts)
        return self._final

    def _log_events(self, board: Board) -> None:
        events = self._store.events(self._run, self._event or 0)
        if self._event is None:
            events = events[-EVENTS:]
        for event in events:
            at = datetime.fromtimestamp(event.time).astimezone()
            board.log(f"{at:%H:%M:%S} {event_line(event)}")
            self._event = event.seq
        self._event = self._event or 0


NAMED = {"snapshot": "name", KIND: "player"}
"""kind -> the key of its JSON that names what it is about"""


def event_line(event: Event) -> str:
    """`kind: text`; of an event that holds JSON, the name in it."""
    text = event.text
    if event.kind in NAMED or event.kind == "spent":
        try:
            fields = msgspec.json.decode(text, type=dict[str, object])
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return f"{event.kind}: {text}"
        if event.kind == "spent":
            amounts = ((key, round(value, 4) if isinstance(value, float) else value) for key, value in fields.items())
            text = ", ".join(f"{key} {amount}" for key, amount in amounts)
        else:
            text = str(fields.get(NAMED[event.kind]) or text)
    return f"{event.kind}: {text}"
