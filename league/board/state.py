"""What a board shows of a run at one moment, and the meters that its rates come from."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from league.standings import MatchCounts, Snapshot

if TYPE_CHECKING:
    from league.store.runs import Run

Status = Literal["waiting", "running", "stopping", "finished", "interrupted", "failed", "disconnected"]
ENDED: tuple[Status, ...] = ("finished", "interrupted", "failed")
Clock = Callable[[], float]


class Panel(msgspec.Struct, frozen=True):
    """A titled block of ready lines under the table, never wrapped; what is wider than the board is cut at its end."""

    title: str
    lines: tuple[str, ...]
    optional: bool = False
    """left out without a word where there is no room"""
    first: int = 0
    """so many lines may stand alone where there is no room for all; 0: all or none"""
    figures: tuple[tuple[str, str], ...] = ()
    """of the last lines, name and value, which a narrow board shows without what else is there"""
    headline: tuple[str, ...] = ()
    """what a plain line says of this panel, such as a training's step and reward"""


class BoardState(msgspec.Struct, frozen=True):
    """One frame's worth of facts. Pure data: the live board, the plain lines and the tests render the same."""

    snapshot: Snapshot
    title: str = ""
    """default: the snapshot's run"""
    status: Status = "running"
    games: tuple[str, ...] = ()
    """order of the per-game columns; default: the snapshot's"""
    matches_per_second: float | None = None
    tokens_per_second: float | None = None
    """completion tokens; None where nobody counts them"""
    elapsed: float | None = None
    """seconds"""
    to_go: float | None = None
    """seconds, None while unknown"""
    log: tuple[str, ...] = ()
    """oldest first"""
    panels: tuple[Panel, ...] = ()

    @property
    def in_flight(self) -> int:
        """Matches being played now."""
        return self.snapshot.matches.in_flight


class RateMeter:
    """Events per second over a sliding window, fed with a running total.

    The first total is the baseline, so a resumed run does not count what was played before. `window` is in seconds.
    """

    def __init__(self, window: float = 30.0, clock: Clock = time.monotonic) -> None:
        self._window, self._clock = window, clock
        self._seen: deque[tuple[float, float]] = deque()
        self._first: tuple[float, float] | None = None

    def feed(self, total: float) -> None:
        """Record the running total as of now. A total below the last one starts the meter again."""
        now, seen = self._clock(), self._seen
        if seen and total < seen[-1][1]:
            seen.clear()
            self._first = None
        self._first = self._first or (now, total)
        # Keeps at most about 64 points whatever the rate of calls; the first one stays as the baseline.
        if len(seen) >= 2 and now - seen[-2][0] < self._window / 64:
            seen[-1] = (now, total)
        else:
            seen.append((now, total))
        while len(seen) > 2 and seen[1][0] <= now - self._window:
            seen.popleft()

    def rate(self) -> float | None:
        """Events per second up to now, so it falls while nothing happens; None before two points in time."""
        return self._since(self._seen[0]) if self._seen else None

    def mean(self) -> float | None:
        """Events per second since the baseline, for a run that has ended."""
        return self._since(self._first) if self._first else None

    def _since(self, point: tuple[float, float]) -> float | None:
        start, first = point
        passed = self._clock() - start
        return (self._seen[-1][1] - first) / passed if passed > 0 and len(self._seen) > 1 else None


class Progress:
    """Turns snapshots into board states: keeps the clock and the two meters of a run.

    `started` is the clock's reading at which the run began; default: now.
    """

    def __init__(
        self, title: str = "", *, clock: Clock = time.monotonic, window: float = 30.0, started: float | None = None
    ) -> None:
        self._title, self._clock = title, clock
        self._started = clock() if started is None else started
        self._matches, self._tokens = RateMeter(window, clock), RateMeter(window, clock)

    def state(
        self,
        snapshot: Snapshot,
        *,
        status: Status = "running",
        tokens: int | None = None,
        games: tuple[str, ...] = (),
        panels: tuple[Panel, ...] = (),
        log: tuple[str, ...] = (),
        to_go: float | None = None,
        estimate: bool = True,
    ) -> BoardState:
        """The state to show now; rates are of the last seconds while the run goes on, of the whole once it has ended.

        `tokens` is the running total of completion tokens; default: of ended matches. `to_go`: seconds to the end;
        default: by the matches left and their rate, or nothing without `estimate`.
        """
        if tokens is None:
            tokens = sum(row.tokens for row in snapshot.standings)
        self._matches.feed(done(snapshot.matches))
        self._tokens.feed(tokens)
        if status in ENDED:
            rate, token_rate = self._matches.mean(), self._tokens.mean()
        else:
            rate, token_rate = self._matches.rate(), self._tokens.rate()
        return BoardState(
            snapshot=snapshot,
            title=self._title or snapshot.run,
            status=status,
            games=games,
            matches_per_second=rate,
            tokens_per_second=token_rate if tokens else None,
            elapsed=self._clock() - self._started,
            to_go=None
            if status != "running"
            else time_to_go(snapshot.matches, rate)
            if to_go is None and estimate
            else to_go,
            log=log,
            panels=panels,
        )


def done(matches: MatchCounts) -> int:
    """Matches that need no more playing."""
    return matches.finished + matches.void


def status_of(matches: MatchCounts) -> Status:
    """Where a run stands as far as its counts tell."""
    if matches.in_flight:
        return "running"
    complete = done(matches) >= max(matches.planned, matches.total or 0)
    return ("finished" if complete else "interrupted") if matches.planned else "waiting"


def status_now(run: Run, matches: MatchCounts, *, played: bool) -> Status:
    """What the run says of itself. One that says it is running while nobody plays it was killed, or is played where
    its lock cannot be seen: its counts tell, but not whether a training has steps left.
    """
    if run.status != "running" or played:
        return run.status
    found = status_of(matches)
    return "interrupted" if found == "finished" and "training" in run.config else found


def time_to_go(matches: MatchCounts, rate: float | None) -> float | None:
    """Seconds to the end at `rate` matches/s; None where the rate or the number of matches is not known."""
    if matches.total is None or not rate:
        return None
    return max(0, matches.total - done(matches)) / rate
