"""Watching a run from another process: everything is read from the store, nothing is written to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from games import InputError
from games.errors import InfrastructureError
from league.board.opening import open_board
from league.board.plain import Board
from league.board.state import ENDED, BoardState, Panel, Progress, status_now
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing
from league.strikes import STRIKE, UNDO, counted, struck

if TYPE_CHECKING:
    from rich.console import Console

    from league.ratings import Ratings
    from league.store import Store
    from league.store.runs import Run

LedgerFor = Callable[[Mapping[str, Any]], "Ratings"]
"""a run's configuration, as stored -> its empty ratings, such as a league.ratings.Ledger"""
TotalFor = Callable[[Mapping[str, Any]], int | None]
"""a run's configuration, as stored -> matches the run will have at its end, where that is known"""
PanelsFor = Callable[[Mapping[str, Any], Collection[str]], "Panels"]
"""a run's configuration, as stored, and the workers that are struck out -> what to show under the table"""


class Panels(Protocol):
    """What is shown under the table, such as a training's curves: given every result once."""

    def add(self, results: Iterable[Result]) -> None:
        """Take in results."""

    def panels(self, standings: Sequence[Standing]) -> tuple[Panel, ...]:
        """What to show now."""
        ...


DIARY = 20
"""lines of the diary shown when attaching"""


def watch(
    url: str,
    run: str | None = None,
    *,
    ledger_for: LedgerFor,
    total_for: TotalFor | None = None,
    panels_for: PanelsFor | None = None,
    mode: str = "auto",
    console: Console | None = None,
    refresh: float = 0.5,
    patience: float = 60.0,
    board: Board | None = None,
) -> BoardState | None:
    """Show a run until it has ended or somebody types q or Ctrl-C; returns what was shown last.

    `run` is a name, default: the newest run. A database or a run that does not exist yet is waited for, `patience`
    seconds at most. Raises InputError for one that cannot be read or did not come.
    """
    state: BoardState | None = None
    with board or open_board(mode, console) as board:
        try:
            follower = _attach(url, run, ledger_for, total_for, board, refresh, patience, panels_for)
            if follower is None:
                return None
            with follower:
                while True:
                    state = follower.look(board)
                    board.update(state)
                    if state.status in ("finished", "interrupted") or board.key(refresh) in ("q", "Q"):
                        return state
        except KeyboardInterrupt:  # leaves the run alone
            return state


def _attach(
    url: str,
    name: str | None,
    ledger_for: LedgerFor,
    total_for: TotalFor | None,
    board: Board,
    refresh: float,
    patience: float,
    panels_for: PanelsFor | None,
) -> Follower | None:
    """Wait for the run; None where somebody typed q before it came."""
    from league.store import Store

    deadline, told = time.monotonic() + patience, False
    while True:
        error: InputError
        if not (missing := _missing(url)):
            store = Store.open(url, read_only=True)
            try:
                run = store.run(name)
            except InputError as absent:
                store.close()
                error = absent
            else:
                return Follower(store, run, ledger_for, total_for, panels_for)
        else:
            error = InputError(f"database {missing} does not exist; `arena tournament FILE.toml --db URL` makes it")
        if time.monotonic() >= deadline:
            raise error
        if not told:
            board.log(f"waiting for the run: {error}")
            told = True
        if board.key(refresh) in ("q", "Q"):
            return None


def _missing(url: str) -> str:
    """The path of a SQLite file that is not there or still empty; an empty text otherwise."""
    from league.store.dialect import parse_url

    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        return ""
    path = Path(parsed.database or "").expanduser()
    return "" if path.exists() and (not path.is_file() or path.stat().st_size) else str(path)


class Follower:
    """Reads what is new in a run and keeps its own ratings up to date."""

    def __init__(
        self,
        store: Store,
        run: Run,
        ledger_for: LedgerFor,
        total_for: TotalFor | None = None,
        panels_for: PanelsFor | None = None,
    ) -> None:
        self._store, self._run, self._panels_for, self._ledger_for = store, run, panels_for, ledger_for
        self._total = total_for(run.config) if total_for else None
        self._start()
        self._diary: int | None = None
        self._played = True
        """whether somebody was seen to play it at the last look"""
        age = (datetime.now(UTC) - datetime.fromisoformat(run.created)).total_seconds()
        self._progress = Progress(run.name, started=time.monotonic() - age)
        self._last = BoardState(Snapshot(run.name, (), {}, {}, MatchCounts()), status="waiting")

    def _start(self) -> None:
        """From the first result, without the workers that are struck out now."""
        self._struck = struck(self._store, self._run)
        self._ledger = self._ledger_for(self._run.config)
        self._panels = self._panels_for(self._run.config, self._struck) if self._panels_for else None
        self._seen = self._void = self._ended = 0

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    def look(self, board: Board) -> BoardState:
        """The state now; new lines of the run's diary go to the board's log. A lost database keeps the last state."""
        try:
            # The status first: a run that says finished has no more results to come.
            run = self._store.run(self._run.name)
            played, self._played = self._played, self._store.played(run)
            counts = self._store.counts(self._run)
            self._tell(board)
            results = self._store.results(self._run, self._seen)
        except InfrastructureError as error:
            if self._last.status != "disconnected":
                board.log(f"database lost, trying again: {error}")
            self._last = msgspec.structs.replace(self._last, status="disconnected")
            return self._last
        self._ledger.add(counted(results, self._struck))
        # Counted here, because a match may end between the two readings, and the table knows only the results.
        self._seen = results[-1].seq if results else self._seen
        self._void += sum(r.status == "void" for r in results)
        self._ended += len(results)
        counts = msgspec.structs.replace(
            counts, finished=self._ended - self._void, void=self._void, total=counts.total or self._total
        )
        snapshot = self._ledger.snapshot(self._run.name, counts)
        panels: tuple[Panel, ...] = ()
        if self._panels is not None:
            self._panels.add(results)
            panels = self._panels.panels(snapshot.standings)
        # Twice unseen: who starts a run has it in the store a moment before its lock.
        status = status_now(run, counts, played=played or self._played)
        state = self._progress.state(snapshot, status=status, panels=panels)
        if status in ENDED:  # the store does not say when it ended
            state = msgspec.structs.replace(state, elapsed=None)
        self._last = state
        return state

    def _tell(self, board: Board) -> None:
        events = self._store.events(self._run, self._diary or 0)
        if self._diary is None:
            events = events[-DIARY:]
        elif any(event.kind in (STRIKE, UNDO) for event in events):
            self._start()
        for event in events:
            at = datetime.fromtimestamp(event.time).astimezone()
            board.log(f"{at:%H:%M:%S} {event.kind}: {event.text}")
            self._diary = event.seq
        self._diary = self._diary or 0
