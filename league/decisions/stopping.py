"""When a tournament has told enough, or cost enough: rules over the snapshot that the board shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from league.standings import Snapshot, Standing

_UNKNOWN = float("-inf")
LOOKS = 0.5
"""Under the model, stopping at a posterior probability errs as often as that probability says, however often one looks;
half of the doubt is kept for what the model has wrong. scripts/stress.py --best counts errors: scripts/RESULTS.md."""
_JOINT = 0.95
"""Probability of the order that `Apart` asks for, that of the intervals it looks at."""


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
    """The first `top` rows (default: all) are the best, in this order, with at least `probability` at once.

    `top=1`: the best is found. The rule is looked at again and again, and who is ahead by luck is found out of many
    looks more often than at one: a look may leave only the share `LOOKS` of the doubt that is asked for. Needs the
    batch fit of every row. With rows that are equal in truth it is never met, so give a budget beside it.
    """

    probability: float = 0.95
    top: int | None = None

    @property
    def wanted(self) -> float:
        """The probability at which a look ends the run."""
        return 1.0 - LOOKS * (1.0 - self.probability)

    def met(self, snapshot: Snapshot) -> str | None:
        """By the joint posterior."""
        return self.told(snapshot) if _in_order(snapshot, self.top) >= self.wanted else None

    def told(self, snapshot: Snapshot) -> str:
        """How sure the order is."""
        sure = f"{_first(self.top)} with {_in_order(snapshot, self.top):.1%}"
        return f"{sure}, {self.probability:.1%} asked for, so {self.wanted:.1%} at a look"


@dataclass(frozen=True)
class Apart:
    """The batch fit's 95% interval of each of the first `top` rows (default: all) lies above the next row's, and the
    order of these rows is right as a whole, as for `Ranked(0.95)`.

    More than `Ranked` asks for: what two neighbours share moves both intervals, but not their order.
    """

    top: int | None = None

    def met(self, snapshot: Snapshot) -> str | None:
        """In the order of the board."""
        sure = _in_order(snapshot, self.top) >= 1.0 - LOOKS * (1.0 - _JOINT)
        return self.told(snapshot) if sure and self._least(snapshot) > 0.0 else None

    def told(self, snapshot: Snapshot) -> str:
        """The narrowest gap, and how sure the order is."""
        what = f"the first {self.top}" if self.top else "all ranks"
        least = self._least(snapshot)
        if least == _UNKNOWN:
            return f"{what}: intervals apart asked for, none known yet"
        gap = f"intervals {'apart by' if least > 0.0 else 'overlap by up to'} {abs(least):.2f}"
        return f"{what}: {gap}, in this order with {_in_order(snapshot, self.top):.1%}"

    def _least(self, snapshot: Snapshot) -> float:
        rows = [row for row in snapshot.standings if row.rated]
        pairs = list(pairwise(rows))[: self.top]
        gaps = (_UNKNOWN if a.bt_low is None or b.bt_high is None else a.bt_low - b.bt_high for a, b in pairs)
        return min(gaps, default=_UNKNOWN)


def _in_order(snapshot: Snapshot, top: int | None) -> float:
    """The probability that the first `top` rows are the best in this order; 0 while anybody was not compared yet."""
    rows = [row for row in snapshot.standings if row.rated]
    if len(rows) < 2 or any(row.bt_rating is None for row in rows):
        return 0.0
    return rows[min(top or len(rows), len(rows)) - 1].p_order or 0.0


def _first(top: int | None) -> str:
    if top == 1:
        return "the first is the best"
    return f"the first {top} are the best, in this order," if top else "all ranks are as shown"


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
