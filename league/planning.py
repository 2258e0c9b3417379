"""From the log to the next matches of the plan: rounds in order, numbered through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games import InputError
from league import matchmaking
from league.matchmaking import Field, checked
from league.matchmaking.registry import MATCHMAKERS
from league.records import PlannedMatch, Result
from league.stored import rated_games

# Rounds that do not depend on results are planned together up to about this many matches: enough that a run hardly
# ever waits at the end of a batch, few enough that the first match starts at once.
AHEAD = 10_000
EMPTY = 1_000
"""rounds without a pairing after which nothing is expected of a matchmaker any more"""


class Planner:
    """Plans a run round by round; a pure function of its stored configuration and the log, so a resumed run plans
    what an uninterrupted one would have planned.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._name = config["name"]
        self._pairing: str = config["pairing"]
        self._matchmaker = matchmaking.make(self._pairing)
        self._field = Field(config["plays"], rated_games(config), config["rounds"], config["seed"])
        self._openings: int = config.get("openings", 0)
        self._noted = bool(config.get("notes"))
        self._most: int | None = config.get("stop", {}).get("matches")

    @property
    def total(self) -> int | None:
        """Matches of the whole run, where the matchmaker or a stop rule knows; another rule may end it earlier."""
        known = (checked.total(self._pairing, self._matchmaker, self._field), self._most)
        return min((n for n in known if n is not None), default=None)

    @property
    def needs_log(self) -> bool:
        """Whether the next round depends on the results so far."""
        return not self._matchmaker.ahead

    @property
    def by_round(self) -> bool:
        """Whether a round is planned only when the one before it was played: it depends on results, or on notes."""
        return self.needs_log or self._noted

    def pairs(self, one: str, other: str) -> bool:
        """Whether these two can play both matches of a pairing of two sides: True, too, where results will tell."""
        if self.needs_log:
            return getattr(self._matchmaker, "mirrored", True) is not False
        two = {id for id, info in self._field.games.items() if info.size == 2 and info.rated}
        met = Counter(
            planned.pairing
            for planned in self.extend(0, 0, ())
            if planned.match.game in two and {*planned.match.seats.values()} == {one, other}
        )
        return any(matches == 2 for matches in met.values())

    def extend(self, round: int, start: int, log: Sequence[Result]) -> list[PlannedMatch]:
        """The matches from a round and an index on; () at the end of the run. `log`: all results so far."""
        planned: list[PlannedMatch] = []
        first = round
        while len(planned) < AHEAD:
            given = () if self._matchmaker.ahead else log
            pairings = checked.next_round(self._pairing, self._matchmaker, self._field, round, given)
            if pairings is None:
                break
            if not planned and round - first > EMPTY:
                what = f"no pairing in {EMPTY:,} rounds from {first} on; next returns None where the run has ended"
                raise MATCHMAKERS.broken(self._pairing, what)
            planned += matchmaking.expand(
                pairings,
                self._field.games,
                run=self._name,
                seed=self._field.seed,
                round=round,
                start=start + len(planned),
                openings=self._openings,
            )
            round += 1
            if self.by_round and planned:
                break
        return planned


def total_for(config: Mapping[str, Any]) -> int | None:
    """The matches of a stored run, or None where that is not known here (a plugin's matchmaker, perhaps)."""
    try:
        return Planner(config).total
    except (InputError, KeyError, TypeError):  # also settings that somebody damaged
        return None
