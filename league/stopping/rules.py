"""Stop rules that read the leaderboard.

To add a rule, write its class here, add its key to `StopConfig`, and yield it from `standings_rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from league.config.tournament import StopConfig
from league.records.leaderboard import Leaderboard, Standing

DOUBT = 0.5
"""The share of the allowed error probability at which a rule stops. If the model is true, stopping at a posterior
probability errs exactly that often, however often it is checked; the other half allows for errors of the model.
scripts/bench/stress.py --best counts errors."""


class StopRule(Protocol):
    """A rule that decides whether to stop."""

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """Returns why to stop, in one line, or None to continue."""
        ...

    def progress(self, snapshot: Leaderboard) -> str:
        """Returns the progress towards the rule, in one line."""
        ...


@dataclass(frozen=True)
class MatchBudget:
    """Stops after `most` matches; void matches do not count."""

    most: int

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """Counted over all games."""
        return self.progress(snapshot) if snapshot.matches.finished >= self.most else None

    def progress(self, snapshot: Leaderboard) -> str:
        """Counted over all games."""
        return f"{snapshot.matches.finished:,} matches played of at most {self.most:,}"


@dataclass(frozen=True)
class TokenBudget:
    """Stops after `most` completion tokens of all players together."""

    most: int

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """Counts the tokens of rated matches; incomplete pairings are not rated yet."""
        return self.progress(snapshot) if _tokens(snapshot) >= self.most else None

    def progress(self, snapshot: Leaderboard) -> str:
        """Returns all players together."""
        return f"{_tokens(snapshot):,} tokens written of at most {self.most:,}"


@dataclass(frozen=True)
class CostBudget:
    """Stops once completion tokens have cost `most`. `prices`: player -> price of a million tokens, default 0."""

    most: float
    prices: Mapping[str, float]

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """In the currency of `prices`."""
        return self.progress(snapshot) if self._spent(snapshot) >= self.most else None

    def progress(self, snapshot: Leaderboard) -> str:
        """In the currency of `prices`."""
        return f"cost {self._spent(snapshot):,.2f} of at most {self.most:,.2f}"

    def _spent(self, snapshot: Leaderboard) -> float:
        return sum(row.tokens * self.prices.get(row.player, 0.0) for row in snapshot.standings) / 1e6


@dataclass(frozen=True)
class IntervalWidth:
    """Stops once every 95% interval, or each of the first `top` rows, is at most `width` rating points wide."""

    width: float
    top: int | None = None

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """Uses the intervals of the batch fit if there are any."""
        return self.progress(snapshot) if self._widest(snapshot) <= self.width else None

    def progress(self, snapshot: Leaderboard) -> str:
        """Returns the widest interval."""
        return f"widest interval {self._widest(snapshot):.2f}, stops at {self.width:g}"

    def _widest(self, snapshot: Leaderboard) -> float:
        rows = _playing(snapshot)[: self.top]
        return max((_width(row) for row in rows), default=float("inf"))


@dataclass(frozen=True)
class Ranked:
    """Stops once the first `top` rows (default: all) are the best, in this order, with joint `probability`.

    With `top=1` it stops once the best player is found. A rule that is checked often meets a lucky leader more often
    than one check would, so a check allows only the share `DOUBT` of the error probability. It needs the batch fit of
    every row. If two rows are equally strong it is never met, so set a budget as well.
    """

    probability: float = 0.95
    top: int | None = None

    @property
    def required(self) -> float:
        """The probability at which a check ends the run."""
        return 1.0 - DOUBT * (1.0 - self.probability)

    def verdict(self, snapshot: Leaderboard) -> str | None:
        """Uses the joint posterior of all skills."""
        return self.progress(snapshot) if _in_order(snapshot, self.top) >= self.required else None

    def progress(self, snapshot: Leaderboard) -> str:
        """Returns the probability of the order."""
        reached = f"{_first(self.top)} with {_in_order(snapshot, self.top):.1%}"
        return (
            f"{reached}, stops at {self.required:.1%} (at most {1.0 - self.probability:.1%} errors in repeated checks)"
        )


def _in_order(snapshot: Leaderboard, top: int | None) -> float:
    """Returns the probability that the first `top` rows are the best in this order; 0 until all rows were compared."""
    rows = _playing(snapshot)
    if len(rows) < 2 or any(row.bt_rating is None for row in rows):
        return 0.0
    return rows[min(top or len(rows), len(rows)) - 1].p_order or 0.0


def _playing(snapshot: Leaderboard) -> list[Standing]:
    """Returns the rated rows of players that still play: no match narrows a retired player's interval."""
    return [row for row in snapshot.standings if row.rated and not row.retired]


def _first(top: int | None) -> str:
    if top == 1:
        return "the first is the best"
    return f"the first {top} are the best, in this order," if top else "all ranks are as shown"


def standings_rules(stop: StopConfig) -> Iterator[StopRule]:
    """Yields the configured rules that read the standings."""
    if stop.tokens is not None:
        yield TokenBudget(stop.tokens)
    if stop.cost is not None:
        yield CostBudget(stop.cost, stop.prices)
    if stop.width is not None:
        yield IntervalWidth(stop.width, stop.top)
    if stop.ranked is not None:
        yield Ranked(stop.ranked, stop.top)


def first_verdict(rules: Iterable[StopRule], snapshot: Leaderboard) -> str | None:
    """Returns the reason of the first rule that is met, or None."""
    return next((reason for rule in rules if (reason := rule.verdict(snapshot)) is not None), None)


def _tokens(snapshot: Leaderboard) -> int:
    return sum(row.tokens for row in snapshot.standings)


def _width(row: Standing) -> float:
    if row.bt_low is not None and row.bt_high is not None:
        return row.bt_high - row.bt_low
    return row.high - row.low
