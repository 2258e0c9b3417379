"""Applies the stop rules of a run to its results, in plan order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from league.config.tournament import StopConfig
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.runs.ratings import ratings_for
from league.stopping.rules import MatchBudget, StopRule, first_verdict, standings_rules
from league.stopping.sprt_rule import Sprt


class PlanOrderBuffer:
    """Releases results in the order of their index, from `start` on, up to the first gap.

    Its reader sees the same sequence whichever match ends first, so the reader's decisions can be resumed.
    """

    def __init__(self, start: int = 0) -> None:
        self._next = start
        self._early: dict[int, Result] = {}

    def add(self, results: Iterable[Result]) -> None:
        """Add results, each once."""
        for result in results:
            if result.index >= self._next:
                self._early[result.index] = result

    def ready(self) -> Iterator[Result]:
        """Yields the results before the first gap, each once. The caller may stop early."""
        while (result := self._early.pop(self._next, None)) is not None:
            self._next += 1
            yield result


def needs_ratings(stop: StopConfig) -> bool:
    """Returns whether a rule reads the standings."""
    return any(standings_rules(stop))


class StopMonitor:
    """The stop rules of a run. `add` results in any order; the rules see them in plan order.

    A decision depends only on results without a gap before them, so an interrupted run stops at the same match as an
    uninterrupted one. Players or games that join or leave reopen the decision: the rules decide again by the matches
    that are planned after them.
    """

    def __init__(self, spec: RunSpec) -> None:
        stop = spec.stop
        self._every = stop.every
        self.sprt = Sprt(stop.sprt, spec.games) if stop.sprt else None
        self._match_rules: tuple[StopRule, ...] = (self.sprt,) if self.sprt else ()
        """checked after every match"""
        if stop.matches is not None:
            self._match_rules += (MatchBudget(stop.matches),)
        self._standings_rules = tuple(standings_rules(stop))
        """checked after every `every` matches"""
        self._ratings = ratings_for(spec) if self._standings_rules else None
        self._order = PlanOrderBuffer()
        self._ended = self._void = 0
        self._reopened = spec.changes[-1].index if spec.changes else 0
        """no match before this index decides"""
        self._snapshot = Leaderboard("", (), {}, {}, MatchCounts())
        self.reason = ""
        """why the run stops; empty until a rule is met"""

    def __bool__(self) -> bool:
        """Returns whether there is any rule."""
        return bool(self._rules)

    @property
    def _rules(self) -> tuple[StopRule, ...]:
        return (*self._match_rules, *self._standings_rules)

    def add(self, results: Iterable[Result]) -> None:
        """Add results, each once. After a decision they change nothing."""
        if self.reason or not self._rules:
            return
        self._order.add(results)
        for result in self._order.ready():
            self.reason = self._check(result)
            if self.reason:
                return

    def _check(self, result: Result) -> str:
        self._ended += 1
        self._void += result.status == "void"
        if self.sprt is not None:
            self.sprt.add(result)
        if self._ratings is not None:
            self._ratings.add([result])
        counts = MatchCounts(self._ended, self._ended - self._void, self._void)
        rules = self._match_rules
        if self._ratings is not None and self._ended % self._every == 0:
            rules = self._rules
            for precise in (False, True):  # a decision rests on all draws, and few of them say that none is near
                self._snapshot = self._ratings.snapshot("", counts, precise=precise)
                if first_verdict(self._standings_rules, self._snapshot) is None:
                    break
        self._snapshot = msgspec.structs.replace(self._snapshot, matches=counts)
        if result.index < self._reopened:
            return ""
        return first_verdict(rules, self._snapshot) or ""

    def lines(self) -> tuple[str, ...]:
        """Returns the progress of every rule; the line of the rule that stopped the run says so."""
        progress = [rule.progress(self._snapshot) for rule in self._rules]
        out = [f"stopped: {line}" if line == self.reason else line for line in progress]
        if self.sprt is not None:
            out[1:1] = [f"  {line}" for line in self.sprt.lines()]
        return tuple(out)

    def to_json(self) -> dict[str, Any]:
        """Returns `reason` (None before a decision), `rules` in words, `sprt` in figures."""
        sprt = self.sprt.to_json() if self.sprt else None
        rules = [rule.progress(self._snapshot) for rule in self._rules]
        return {"reason": self.reason or None, "rules": rules, "sprt": sprt}
