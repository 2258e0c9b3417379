"""Plans the next rounds of a run from its results so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games import InputError
from league import matchmaking
from league.matchmaking import PairingContext, plugin_checks
from league.matchmaking.registry import MATCHMAKERS
from league.records.matches import PlannedMatch, Result
from league.records.run_spec import RunSpec

AHEAD = 10_000
"""Rounds that do not depend on results are planned together, up to about this many matches: a run seldom waits for the
next batch, and the first match starts at once."""
EMPTY = 1_000
"""rounds without a pairing after which a matchmaker counts as broken"""


class Planner:
    """Plans a run round by round. The plan follows from the run's settings and results alone, so a resumed run plans
    the same matches as an uninterrupted one.
    """

    def __init__(self, spec: RunSpec) -> None:
        self._spec = spec
        self._matchmaker = matchmaking.make(spec.pairing)
        self._context = PairingContext(spec.plays, spec.games, spec.rounds, spec.seed)

    @property
    def total(self) -> int | None:
        """The number of matches of the whole run, if the matchmaker or a stop rule determines it, otherwise None."""
        known = (plugin_checks.total(self._spec.pairing, self._matchmaker, self._context), self._spec.stop.matches)
        return min((n for n in known if n is not None), default=None)

    @property
    def needs_log(self) -> bool:
        """Whether the next round depends on the results so far."""
        return not self._matchmaker.ahead

    @property
    def by_round(self) -> bool:
        """Whether a round is planned only after the one before it has ended: it depends on results or notes."""
        return self.needs_log or bool(self._spec.notes or self._spec.learning)

    def pairs(self, one: str, other: str) -> bool:
        """Whether two players can play both matches of a pairing of two sides. True also if that depends on results."""
        if self.needs_log:
            return getattr(self._matchmaker, "mirrored", True) is not False
        two = {id for id, info in self._context.games.items() if info.size == 2 and info.rated}
        met = Counter(
            planned.pairing
            for planned in self.extend(0, 0, ())
            if planned.match.game in two and {*planned.match.seats.values()} == {one, other}
        )
        return any(matches == 2 for matches in met.values())

    def extend(self, round: int, start: int, log: Sequence[Result]) -> list[PlannedMatch]:
        """The next matches, from a round and an index on; [] at the end of the run. `log` has all results so far."""
        planned: list[PlannedMatch] = []
        first = round
        while len(planned) < AHEAD:
            given = () if self._matchmaker.ahead else log
            pairings = plugin_checks.next_round(self._spec.pairing, self._matchmaker, self._context, round, given)
            if pairings is None:
                break
            if not planned and round - first > EMPTY:
                what = f"no pairing in {EMPTY:,} rounds from {first} on; next returns None at the end of the run"
                raise MATCHMAKERS.broken(self._spec.pairing, what)
            planned += matchmaking.expand(
                pairings,
                self._context.games,
                run=self._spec.name,
                seed=self._context.seed,
                round=round,
                start=start + len(planned),
                openings=self._spec.openings,
            )
            round += 1
            if self.by_round and planned:
                break
        return planned


def total_for(spec: RunSpec) -> int | None:
    """The number of matches of a run, or None if it is unknown here, as with a plugin's matchmaker."""
    try:
        return Planner(spec).total
    except InputError:
        return None
