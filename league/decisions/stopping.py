"""When a tournament has told enough, or cost enough: rules over the snapshot that the board shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from league.standings import Snapshot, Standing

_UNKNOWN = float("-inf")


class StopRule(Protocol):
    """Says why to stop, or None to go on."""

    def met(self, snapshot: Snapshot) -> str | None:
        """One line for the board and the log."""
        ...

    def told(self, snapshot: Snapshot) -> str:
        """How far it has come, in a line."""
        ...


@dataclass(frozen=True)
class Matches:
    """So many matches have ended, void ones aside."""

    most: int

    def met(self, snapshot: Snapshot) -> str | None:
        """Counted over all games."""
        return self.told(snapshot) if snapshot.matches.finished >= self.most else None

    def told(self, snapshot: Snapshot) -> str:
        """Counted over all games."""
        return f"{snapshot.matches.finished:,} matches played of at most {self.most:,}"


@dataclass(frozen=True)
class Tokens:
    """So many completion tokens have been written, by all players together."""

    most: int

    def met(self, snapshot: Snapshot) -> str | None:
        """Of the matches that count; a pairing still being played is not in yet."""
        return self.told(snapshot) if _tokens(snapshot) >= self.most else None

    def told(self, snapshot: Snapshot) -> str:
        """All players together."""
        return f"{_tokens(snapshot):,} tokens written of at most {self.most:,}"


@dataclass(frozen=True)
class Cost:
    """Completion tokens have cost so much. `prices`: player -> price of a million tokens; others cost nothing."""

    most: float
    prices: Mapping[str, float]

    def met(self, snapshot: Snapshot) -> str | None:
        """In the currency of `prices`."""
        return self.told(snapshot) if self._spent(snapshot) >= self.most else None

    def told(self, snapshot: Snapshot) -> str:
        """In the currency of `prices`."""
        return f"cost {self._spent(snapshot):,.2f} of at most {self.most:,.2f}"

    def _spent(self, snapshot: Snapshot) -> float:
        return sum(row.tokens * self.prices.get(row.player, 0.0) for row in snapshot.standings) / 1e6


@dataclass(frozen=True)
class IntervalWidth:
    """Every 95% interval is at most `width` rating points wide; with `top`, those of the first so many rows."""

    width: float
    top: int | None = None

    def met(self, snapshot: Snapshot) -> str | None:
        """By the batch fit's intervals where there are any."""
        return self.told(snapshot) if self._widest(snapshot) <= self.width else None

    def told(self, snapshot: Snapshot) -> str:
        """The widest one."""
        return f"intervals at most {self._widest(snapshot):.2f} wide, {self.width:g} asked for"

    def _widest(self, snapshot: Snapshot) -> float:
        rows = [row for row in snapshot.standings if row.rated][: self.top]
        return max((_width(row) for row in rows), default=float("inf"))


@dataclass(frozen=True)
class Ranked:
    """Each of the first `top` rows (default: all) is better than the next with at least `probability`.

    Needs the batch fit's columns; with rows that are equal in truth it is never met, so give a budget beside it.
    """

    probability: float = 0.95
    top: int | None = None

    def met(self, snapshot: Snapshot) -> str | None:
        """`top=1`: the best is found."""
        return self.told(snapshot) if self._least(snapshot) >= self.probability else None

    def told(self, snapshot: Snapshot) -> str:
        """The least sure one."""
        what = f"the first {self.top}" if self.top else "all ranks"
        least = self._least(snapshot)
        return f"{what}: each above the next with at least {least:.1%}, {self.probability:.0%} asked for"

    def _least(self, snapshot: Snapshot) -> float:
        rows = [row for row in snapshot.standings if row.rated][:-1][: self.top]
        return min((row.above_next if row.above_next is not None else 0.0 for row in rows), default=0.0)


@dataclass(frozen=True)
class Apart:
    """The batch fit's 95% interval of each of the first `top` rows (default: all) lies above the next row's.

    More than `Ranked` asks for: what two neighbours share moves both intervals, but not their order.
    """

    top: int | None = None

    def met(self, snapshot: Snapshot) -> str | None:
        """In the order of the board."""
        return self.told(snapshot) if self._least(snapshot) > 0.0 else None

    def told(self, snapshot: Snapshot) -> str:
        """The narrowest gap."""
        what = f"the first {self.top}" if self.top else "all ranks"
        least = self._least(snapshot)
        if least == _UNKNOWN:
            return f"{what}: intervals apart asked for, none known yet"
        return f"{what}: intervals {'apart by' if least > 0.0 else 'overlap by up to'} {abs(least):.2f}"

    def _least(self, snapshot: Snapshot) -> float:
        rows = [row for row in snapshot.standings if row.rated]
        pairs = list(pairwise(rows))[: self.top]
        gaps = (_UNKNOWN if a.bt_low is None or b.bt_high is None else a.bt_low - b.bt_high for a, b in pairs)
        return min(gaps, default=_UNKNOWN)


def first_met(rules: Iterable[StopRule], snapshot: Snapshot) -> str | None:
    """The reason of the first rule that is met, or None."""
    return next((reason for rule in rules if (reason := rule.met(snapshot)) is not None), None)


def _tokens(snapshot: Snapshot) -> int:
    return sum(row.tokens for row in snapshot.standings)


def _width(row: Standing) -> float:
    if row.bt_low is not None and row.bt_high is not None:
        return row.bt_high - row.bt_low
    return row.high - row.low


__all__ = [
    "Apart",
    "Cost",
    "IntervalWidth",
    "Matches",
    "Ranked",
    "StopRule",
    "Tokens",
    "first_met",
]
