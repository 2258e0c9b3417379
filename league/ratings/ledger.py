"""Ratings as a function of the log: the fold of all ended matches in plan order, whatever order they ended in.

TrueSkill depends on order, and matches in flight end in any order. The ledger applies each result at once at its
place: it takes back the updates of later matches, applies this one, and applies those again. At every moment the
table equals, bit for bit, that of a fresh ledger given the same results sorted by index.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from league.config import RatingConfig
from league.ratings.book import Book, Tables, Undo
from league.ratings.outcomes import Outcome, counts, match_outcome, outcomes
from league.ratings.repeats import Repeats, key_of, keys_of
from league.ratings.sides import GameInfo
from league.ratings.trueskill import Rating
from league.records import Result
from league.standings import MatchCounts, Snapshot, Standing

Due = tuple[int, str, list[Outcome]]
"""place in the plan, game, what was decided there"""

_CHUNK = 512
"""Results taken in together; a rebuild in one piece would fill the garbage collector's lists."""


class Ledger:
    """TrueSkill per (player, game, role), per (player, game) and overall per player, with counts.

    `games` says how each game is rated, `players` who is listed before having played. A row's rating is the mean mu
    of the skill, low and high are mu -/+ 1.96 sigma.

    A match counts for its players (games, W-D-L, turns, tokens, faults, forfeits, score) when it is rated: in a game
    rated by pairing (see `outcomes`) once its pairing, one match per side of the game, has ended. First place alone
    wins, first place shared draws, anything else loses. A match that repeats another (see `repeats`) counts like any,
    but moves no rating, and `distinct` is the number without those. Cooperative matches and those of games that are not
    rated count as draws and rate nobody. Void matches and self-meetings change nothing at all, so wins + draws + losses
    == games on every row. A player that fills a team counts once.
    """

    def __init__(
        self, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
    ) -> None:
        self._games = dict(games)
        self._book = Book(self._games, config or RatingConfig(), players)
        self._tables: Tables | None = None
        self._waiting: dict[tuple[str, str], list[Result]] = {}
        """ended matches of pairings that are rated together and not complete yet"""
        self._frontier = 0
        """every match before this index has ended"""
        self._beyond: set[int] = set()
        """the ended matches after it"""
        self._revocable: deque[tuple[Due, Undo]] = deque()
        """what was applied at or after the frontier, in plan order, with what it replaced"""
        self._repeats = Repeats()

    def add(self, results: Iterable[Result]) -> None:
        """Take in results of matches that ended, in any order.

        Raises ValueError for a match that was added before or of a game the ledger was not told of; then nothing of
        the batch is taken in.
        """
        batch = sorted(results, key=_index)
        self._check(batch)
        for start in range(0, len(batch), _CHUNK):
            self._take(batch[start : start + _CHUNK])

    def _take(self, batch: Sequence[Result]) -> None:
        due = [decided for result in batch if (decided := self._arrive(result)) is not None]
        if not due:
            return
        self._tables = None
        for _, game, decided_ in due:
            for outcome in decided_:
                self._book.count(game, outcome)
        self._fold(sorted(due, key=_place))

    def standings(self) -> tuple[Standing, ...]:
        """Over all games: every player, by rating then name, those without a match last."""
        return self._current().overall

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Per game, the players that have played it."""
        return self._current().games

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Per game and role, the players that have played it."""
        return self._current().roles

    def snapshot(self, run: str, matches: MatchCounts) -> Snapshot:
        """All tables together. The tables are made again only where a result was added since."""
        return Snapshot(run, *self._current(), matches)

    def rating(self, player: str, game: str | None = None, role: str | None = None) -> Rating:
        """A player's rating: overall, in a game, or in a role of a game; the prior where it has not played."""
        return self._book.rating(player, game, role)

    def _current(self) -> Tables:
        if self._tables is None:
            self._tables = self._book.tables()
        return self._tables

    def _check(self, batch: Sequence[Result]) -> None:
        before = -1
        for result in batch:
            index = result.index
            if index == before or index < self._frontier or index in self._beyond:
                raise ValueError(f"the result of match {index} was added before; each match counts once")
            if result.game not in self._games:
                raise ValueError(f"match {index} is of game {result.game!r}; known: {', '.join(self._games)}")
            before = index

    def _arrive(self, result: Result) -> Due | None:
        """What a result decides, and where: at its own place, or at that of its pairing's last match."""
        if result.index == self._frontier:
            self._frontier += 1
            while self._frontier in self._beyond:
                self._beyond.remove(self._frontier)
                self._frontier += 1
        else:
            self._beyond.add(result.index)
        info = self._games[result.game]
        if not info.by_pairing:
            if not counts(result, info):
                return None
            self._repeats.enter(result.index, [key_of(result, info)])
            return result.index, result.game, [match_outcome(result, info)]
        if result.status != "void" and not counts(result, info):
            return None  # a self-meeting; no match of its pairing will ever count
        key = result.game, result.pairing
        matches = self._waiting.setdefault(key, [])
        matches.append(result)
        if len(matches) < info.size:
            return None
        del self._waiting[key]
        decided = outcomes(matches, info)
        if not decided:
            return None
        place = max(m.index for m in matches)
        self._repeats.enter(place, keys_of(matches, info))
        return place, result.game, decided

    def _fold(self, due: list[Due]) -> None:
        """Apply what is due, in plan order, and what comes after it again."""
        again = []
        while self._revocable and self._revocable[-1][0][0] > due[0][0]:
            later, undo = self._revocable.pop()
            self._book.revert(undo)
            again.append(later)
        for entry in sorted(due + again, key=_place) if again else due:
            index, game, decided = entry
            final = index < self._frontier  # nothing can come before it any more
            evidence = self._repeats.counts(index)
            undo_: Undo = []
            for outcome in decided:
                self._book.fold(game, outcome, None if final else undo_, evidence=evidence)
            if not final:
                self._revocable.append((entry, undo_))
        while self._revocable and self._revocable[0][0][0] < self._frontier:
            self._revocable.popleft()


def _index(result: Result) -> int:
    return result.index


def _place(due: Due) -> int:
    return due[0]
