"""Plans the next rounds of a run from its results so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from games import InputError
from league import matchmaking
from league.matchmaking import PairingContext, plugin_checks
from league.matchmaking.matchmaker import of_present
from league.matchmaking.registry import MATCHMAKERS
from league.records.matches import PlannedMatch, Result
from league.records.roster import RosterChange, missed_rounds, roster_at
from league.records.run_spec import RunSpec

AHEAD = 10_000
"""Rounds that do not depend on results are planned together, up to about this many matches: a run seldom waits for the
next batch, and the first match starts at once."""
EMPTY = 1_000
"""rounds without a pairing after which a matchmaker counts as broken"""


class Planner:
    """Plans a run round by round. The plan follows from the run's settings and results alone, so a resumed run plans
    the same matches as an uninterrupted one. Each round is planned for the players and games that the run has then.

    Raises InputError for a game without enough players, now or after an earlier change.
    """

    def __init__(self, spec: RunSpec) -> None:
        self._spec = spec
        self._matchmaker = matchmaking.make(spec.pairing)
        self._contexts = {start: _context(spec, start) for start in (0, *(change.round for change in spec.changes))}
        """first round -> the players and games from it on"""
        self._last: RosterChange | None = spec.changes[-1] if spec.changes else None

    def check(self) -> None:
        """Raises InputError if the pairing cannot use the players and games after the last change."""
        since = self._last.round if self._last is not None else 0
        plugin_checks.total(self._spec.pairing, self._matchmaker, replace(self._context_of(since), rounds=1))

    def _context_of(self, round: int) -> PairingContext:
        return self._contexts[max(start for start in self._contexts if start <= round)]

    @property
    def total(self) -> int | None:
        """The number of matches of the whole run, if the matchmaker or a stop rule determines it, otherwise None."""
        limits = (self._total(), self._spec.stop.matches)
        return min((n for n in limits if n is not None), default=None)

    def _total(self) -> int | None:
        """Returns the number of matches before the last change plus that of the rounds after it."""
        if self._spec.rounds == "forever":
            return None
        since = self._last.round if self._last is not None else 0
        context = replace(self._context_of(since), rounds=max(0, self._spec.rounds - since))
        rest = plugin_checks.total(self._spec.pairing, self._matchmaker, context)
        return rest if rest is None or self._last is None else self._last.index + rest

    @property
    def needs_log(self) -> bool:
        """Whether the next round depends on the results so far."""
        return not self._matchmaker.ahead

    @property
    def by_round(self) -> bool:
        """Whether a round is planned only after the one before it has ended: it depends on results or notes."""
        return self.needs_log or bool(self._spec.notes or self._spec.learning)

    def pairs(self, one: str, other: str) -> bool:
        """Returns whether two players can play both matches of a two-sided pairing; True if results decide that."""
        if self.needs_log:
            return getattr(self._matchmaker, "mirrored", True) is not False
        first = min(self._last.round, self._spec.round_limit - 1) if self._last is not None else 0
        two = {id: info for id, info in self._spec.games.items() if info.size == 2 and info.rated}
        meetings = Counter(
            planned.pairing
            for planned in self.extend(first, 0, ())
            if planned.match.game in two and two[planned.match.game].compared(planned.match.seats) == {one, other}
        )
        return any(matches == 2 for matches in meetings.values())

    def extend(self, round: int, start: int, log: Sequence[Result]) -> list[PlannedMatch]:
        """Returns the next matches, from a round and an index on; [] at the end. `log` has all results so far."""
        planned: list[PlannedMatch] = []
        first = round
        while len(planned) < AHEAD:
            context, results = self._context_of(round), () if self._matchmaker.ahead else log
            if results and self._last is not None:
                context, results = of_present(context, results)
            pairings = plugin_checks.next_round(self._spec.pairing, self._matchmaker, context, round, results)
            if pairings is None:
                break
            if not planned and round - first > EMPTY:
                what = f"no pairing in {EMPTY:,} rounds from {first} on; next returns None at the end of the run"
                raise MATCHMAKERS.broken(self._spec.pairing, what)
            planned += matchmaking.expand(
                pairings,
                context.games,
                run=self._spec.name,
                seed=context.seed,
                round=round,
                start=start + len(planned),
                openings=self._spec.openings,
                recalling=self._spec.recalling,
                entrants=context.entrants,
            )
            round += 1
            if self.by_round and planned:
                break
        return planned


def _context(spec: RunSpec, round: int) -> PairingContext:
    """Returns the players and games of a run from a round on, until the next change."""
    plays, games = roster_at(spec.plays, spec.games, spec.changes, round)
    missed = missed_rounds(spec.plays, tuple(spec.games), spec.changes, round) if spec.changes else {}
    return PairingContext(plays, {id: spec.games[id] for id in games}, spec.round_limit, spec.seed, missed)


def total_for(spec: RunSpec) -> int | None:
    """Returns the number of matches of a run, or None if it is unknown here, as with a plugin's matchmaker."""
    try:
        return Planner(spec).total
    except InputError:
        return None
