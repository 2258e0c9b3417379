"""The state of a run as a board shows it, and the meters that measure its rates."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from league.records.leaderboard import Leaderboard, MatchCounts

if TYPE_CHECKING:
    from league.store.runs import Run

Status = Literal["waiting", "running", "stopping", "finished", "interrupted", "failed", "disconnected"]
ENDED: tuple[Status, ...] = ("finished", "interrupted", "failed")
Clock = Callable[[], float]


class CurveLine(msgspec.Struct, frozen=True):
    """A metric over time in a line of a panel. The board draws the curve as wide as there is room."""

    label: str
    value: str
    """the newest value"""
    values: tuple[float, ...]
    """all of them, or means of equal intervals; NaN is blank"""


class Panel(msgspec.Struct, frozen=True):
    """A titled block of lines under the table. A line wider than the board is cut at its end, or `wraps`."""

    title: str
    lines: tuple[str, ...]
    wraps: bool = False
    """whether the lines are sentences, which wrap"""
    optional: bool = False
    """omitted without a note if there is no room"""
    first: int = 0
    """number of first lines that may be shown alone if there is no room for all; 0: all lines or none"""
    curves: tuple[CurveLine, ...] = ()
    """drawn below the lines; a narrow board shows only names and values"""
    axis: tuple[str, str] = ("", "")
    """what the curves begin and end with, such as the first and the last step"""
    leads: bool = False
    """whether the panel comes before all others, and is never omitted at the end of a run"""
    warns: bool = False
    """whether the panel is a warning, whose title is coloured"""
    headline: tuple[str, ...] = ()
    """the part of this panel that a plain line shows, such as the step and reward of a training"""


class BoardState(msgspec.Struct, frozen=True):
    """Everything that one frame shows. The live board, the plain lines and the tests render the same data."""

    snapshot: Leaderboard
    title: str = ""
    """default: the name of the run"""
    status: Status = "running"
    games: tuple[str, ...] = ()
    """order of the game columns; default: that of the snapshot"""
    matches_per_second: float | None = None
    tokens_per_second: float | None = None
    """completion tokens; None if they are not counted"""
    elapsed: float | None = None
    """seconds"""
    to_go: float | None = None
    """seconds; None if unknown"""
    log: tuple[str, ...] = ()
    """oldest first"""
    panels: tuple[Panel, ...] = ()
    activity: str = ""
    """what takes time while no match is played, such as an evaluation"""

    @property
    def in_flight(self) -> int:
        """The number of matches being played."""
        return self.snapshot.matches.in_flight


class RateMeter:
    """Events per second over a sliding window, measured from a running total.

    The first total is the baseline, so a resumed run does not count earlier matches. `window` is in seconds.
    """

    def __init__(self, window: float = 30.0, clock: Clock = time.monotonic) -> None:
        self._window, self._clock = window, clock
        self._points: deque[tuple[float, float]] = deque()
        self._first: tuple[float, float] | None = None

    def feed(self, total: float) -> None:
        """Record the current total. A total below the previous one restarts the meter."""
        now, points = self._clock(), self._points
        if points and total < points[-1][1]:
            points.clear()
            self._first = None
        self._first = self._first or (now, total)
        # Keep at most about 64 points at any rate of calls; the first one stays as the baseline.
        if len(points) >= 2 and now - points[-2][0] < self._window / 64:
            points[-1] = (now, total)
        else:
            points.append((now, total))
        while len(points) > 2 and points[1][0] <= now - self._window:
            points.popleft()

    def rate(self) -> float | None:
        """Events per second in the window up to now; None before the second total."""
        return self._since(self._points[0]) if self._points else None

    def mean(self) -> float | None:
        """Events per second since the baseline; None before the second total."""
        return self._since(self._first) if self._first else None

    def _since(self, point: tuple[float, float]) -> float | None:
        start, first = point
        passed = self._clock() - start
        return (self._points[-1][1] - first) / passed if passed > 0 and len(self._points) > 1 else None


class Progress:
    """Makes board states from snapshots; it keeps the clock and the meters of a run.

    `started` is the time of `clock` at which the run began; default: now.
    """

    def __init__(
        self, title: str = "", *, clock: Clock = time.monotonic, window: float = 30.0, started: float | None = None
    ) -> None:
        self._title, self._clock = title, clock
        self._started = clock() if started is None else started
        self._matches, self._tokens = RateMeter(window, clock), RateMeter(window, clock)

    def state(
        self,
        snapshot: Leaderboard,
        *,
        status: Status = "running",
        tokens: int | None = None,
        games: tuple[str, ...] = (),
        panels: tuple[Panel, ...] = (),
        log: tuple[str, ...] = (),
        to_go: float | None = None,
        estimate: bool = True,
        activity: str = "",
    ) -> BoardState:
        """Returns the state to show now. Rates cover the last seconds of a running run and the whole of an ended one.

        `tokens` is the total of completion tokens; default: those of ended matches. `to_go` is the time left in
        seconds; default: computed from the remaining matches and their rate if `estimate`, otherwise unknown.
        """
        if tokens is None:
            tokens = sum(row.tokens for row in snapshot.standings)
        self._matches.feed(done(snapshot.matches))
        self._tokens.feed(tokens)
        if status in ENDED:
            rate, token_rate = self._matches.mean(), self._tokens.mean()
        else:
            rate, token_rate = self._matches.rate(), self._tokens.rate()
        if to_go is None and estimate:
            to_go = time_to_go(snapshot.matches, rate)
        return BoardState(
            snapshot=snapshot,
            title=self._title or snapshot.run,
            status=status,
            games=games,
            matches_per_second=rate,
            tokens_per_second=token_rate if tokens else None,
            elapsed=self._clock() - self._started,
            to_go=to_go if status == "running" else None,
            log=log,
            panels=panels,
            activity=activity,
        )


def done(matches: MatchCounts) -> int:
    """Returns the number of matches that have ended, void ones included."""
    return matches.finished + matches.void


def status_of(matches: MatchCounts) -> Status:
    """Returns the status of a run that follows from its counts."""
    if matches.in_flight:
        return "running"
    complete = done(matches) >= max(matches.planned, matches.total or 0)
    return ("finished" if complete else "interrupted") if matches.planned else "waiting"


def status_now(run: Run, matches: MatchCounts, *, played: bool) -> Status:
    """Returns the status of a stored run.

    A run that is stored as running while no process holds its lock (`played` is False) was killed, or its lock is not
    visible from here. Its counts then decide, except that they do not show whether a training has steps left, or a
    tournament rounds if `matches.total` is unknown.
    """
    if run.status != "running" or played:
        return run.status
    status = status_of(matches)
    if status == "finished" and matches.total is None:
        return "interrupted"
    # A training may rate no match at all, so that none is planned.
    return "interrupted" if status in ("waiting", "finished") and run.kind != "tournament" else status


def time_to_go(matches: MatchCounts, rate: float | None) -> float | None:
    """Returns seconds to the end at `rate` matches/s; None if the rate or the number of matches is unknown."""
    if matches.total is None or not rate:
        return None
    return max(0, matches.total - done(matches)) / rate
