"""Joins results into outcomes: the one place that waits for the matches of a pairing and finds repeated matches.

Rating methods, count tables, matchmakers and sequential tests read the log through `OutcomeStream`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from league.ratings.outcomes.outcome import Outcome, counted_outcomes, match_outcome
from league.ratings.outcomes.repeats import Repeats, key_of
from league.ratings.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Result

_CHUNK = 512
"""Results joined together. Joining a whole log in one piece would fill the garbage collector's lists."""


class JoinedMatches(msgspec.Struct, frozen=True, gc=False):
    """Matches that are rated together: one match, or all matches of a pairing."""

    index: int
    """plan index of the last match, void ones included; no two `JoinedMatches` share it"""
    game: str
    pairing: str
    results: Sequence[Result]
    """the matches that count, in plan order"""
    outcomes: Sequence[Outcome]
    is_repeat: bool
    """whether they are no evidence, because each repeats an earlier one (`league.ratings.outcomes.repeats`)"""
    displaced: Sequence[int]
    """indices of matches that were joined before and are no evidence any more"""
    restored: Sequence[int] = ()
    """indices of matches that were joined before and are evidence again"""


class OutcomeStream:
    """Joins results that arrive in any order.

    A match of a game that is not rated by pairing is joined by itself. A pairing of a game that is, or of any game with
    `whole_pairings`, is joined once all its matches have ended. Void matches and matches in which a player meets itself
    do not count: they give no outcome, but a void match completes its pairing. Results of excluded workers must not be
    added; a pairing that lacks one of its matches is never joined.
    """

    def __init__(self, games: Mapping[str, GameInfo], *, whole_pairings: bool = False) -> None:
        self.games = dict(games)
        self.frontier = 0
        """every match with a smaller index has been added"""
        self._whole_pairings = whole_pairings
        self._beyond: set[int] = set()
        """the matches after the frontier that have been added"""
        self._waiting: dict[tuple[str, str], list[Result]] = {}
        """ended matches of incomplete pairings"""
        self._repeats = Repeats()
        self.repeats = self._repeats.repeats
        """whether the joined matches with an index are no evidence, given all that was joined"""
        self.repeats_so_far = self._repeats.repeats_so_far
        """the same, given only what is not after them in the plan: sequential methods use this and `released`"""
        self._doubtful: dict[int, JoinedMatches] = {}
        """joined matches that may still repeat others"""

    def add(self, results: Iterable[Result]) -> Iterator[list[JoinedMatches]]:
        """Yield what the results complete, in chunks, each in plan order.

        Raises ValueError for a match that was added before or whose game is unknown; then no result is added.
        """
        ordered = sorted(results, key=_index)
        self._check(ordered)
        return (self._join_all(ordered[start : start + _CHUNK]) for start in range(0, len(ordered), _CHUNK))

    def joined(self, results: Iterable[Result]) -> list[JoinedMatches]:
        """`add` as one list."""
        return [joined for chunk in self.add(results) for joined in chunk]

    @property
    def incomplete(self) -> int:
        """The number of pairings that lack a match."""
        return len(self._waiting)

    def released(self, index: int) -> list[JoinedMatches]:
        """Returns the earlier matches that are evidence from this one on, because it differs from them."""
        return [self._doubtful[unit] for unit in self._repeats.released(index)]

    def _check(self, ordered: Sequence[Result]) -> None:
        before = -1
        for result in ordered:
            index = result.index
            if index == before or index < self.frontier or index in self._beyond:
                raise ValueError(f"the result of match {index} was added before; each match counts once")
            if result.game not in self.games:
                raise ValueError(f"match {index} is of game {result.game!r}; known: {', '.join(self.games)}")
            before = index

    def _join_all(self, ordered: Sequence[Result]) -> list[JoinedMatches]:
        found = [joined for result in ordered if (joined := self._join(result)) is not None]
        found.sort(key=_index)
        return found

    def _join(self, result: Result) -> JoinedMatches | None:
        if result.index != self.frontier:
            self._beyond.add(result.index)
        else:
            self._advance()
        info = self.games[result.game]
        if info.by_pairing or self._whole_pairings:
            return self._join_pairing(result, info)
        if not is_counted(result, info):
            return None
        return self._entered(result.index, (result.game, result.pairing), (result,), (match_outcome(result, info),))

    def _join_pairing(self, result: Result, info: GameInfo) -> JoinedMatches | None:
        if result.status != "void" and not is_counted(result, info):
            return None  # a self-meeting: no match of its pairing counts
        key = result.game, result.pairing
        matches = self._waiting.setdefault(key, [])
        matches.append(result)
        if len(matches) < info.size:
            return None
        del self._waiting[key]
        matches.sort(key=_index)
        index = matches[-1].index
        kept = [m for m in matches if m.status != "void"]
        if not kept:
            return None
        return self._entered(index, key, kept, counted_outcomes(kept, info))

    def _entered(
        self, index: int, key: tuple[str, str], matches: Sequence[Result], outcomes: Sequence[Outcome]
    ) -> JoinedMatches:
        info = self.games[key[0]]
        change = self._repeats.enter(index, [key_of(match, info) for match in matches])
        joined = JoinedMatches(index, *key, matches, outcomes, change.repeats, change.displaced, change.restored)
        self._doubtful[index] = joined
        for unit in change.settled:
            self._doubtful.pop(unit, None)
        return joined

    def _advance(self) -> None:
        self.frontier += 1
        while self.frontier in self._beyond:
            self._beyond.remove(self.frontier)
            self.frontier += 1


def _index(item: Result | JoinedMatches) -> int:
    return item.index
