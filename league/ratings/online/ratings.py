"""Ratings as a function of the log: the fold of all ended matches in plan order, whatever order they ended in.

TrueSkill depends on order, and concurrent matches end in any order. `OnlineRatings` applies each result at once at its
place in the plan: it takes back the updates of later matches, applies this one, and applies those again. At every
moment the tables equal, bit for bit, those of a fresh `OnlineRatings` that is given the same results sorted by index.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from league.config.tournament import RatingConfig
from league.ratings.online.state import RatingState, Tables, Undo
from league.ratings.online.tally import Tally
from league.ratings.online.trueskill import Rating
from league.ratings.outcomes.stream import JoinedMatches, OutcomeStream
from league.records.game_info import GameInfo
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result


class OnlineRatings:
    """TrueSkill per (player, game, role), per (player, game) and overall per player, with counts.

    `games` says how each game is rated; `players` are listed before they have played. A row's rating is the mean mu of
    the skill, low and high are mu -/+ 1.96 sigma.

    A match counts for its players (games, wins, draws, losses, turns, tokens, failed attempts, forfeits, score) once
    `OutcomeStream` has joined it. First place alone wins, first place shared draws, anything else loses. A match that
    repeats others (see `repeats`) is counted too, but moves no rating, or only once its cell shows another transcript;
    `distinct` is the number without repeats. Cooperative matches and those of games that are not rated count as draws
    and move no rating. Void matches and self-meetings change nothing, so wins + draws + losses == games in every row. A
    player that fills a team counts once.
    """

    def __init__(
        self, games: Mapping[str, GameInfo], config: RatingConfig | None = None, players: Sequence[str] = ()
    ) -> None:
        self.stream = OutcomeStream(games)
        self._state = RatingState(self.stream.games, config or RatingConfig(), players)
        self._tables: Tables | None = None
        self._revocable: deque[tuple[JoinedMatches, Undo]] = deque()
        """matches applied at or after the frontier, in plan order, with the values they replaced"""

    def add(self, results: Iterable[Result]) -> None:
        """Add results of matches that ended, in any order.

        Raises ValueError for a match that was added before or whose game is unknown; then no result is added.
        """
        for joined in self.stream.add(results):
            self.fold(joined)

    def fold(self, joined: Sequence[JoinedMatches]) -> None:
        """Rate what `stream` has just joined."""
        if not joined:
            return
        self._tables = None
        for one in joined:
            for outcome in one.outcomes:
                self._state.count(one.game, outcome)
        again = []
        while self._revocable and self._revocable[-1][0].index > joined[0].index:
            later, undo = self._revocable.pop()
            self._state.revert(undo)
            again.append(later)
        frontier = self.stream.frontier
        for one in sorted([*joined, *again], key=_index) if again else joined:
            final = one.index < frontier  # no earlier match can still arrive
            evidence = not self.stream.repeats_so_far(one.index)
            undo_: Undo = []
            for outcome in one.outcomes:
                self._state.fold(one.game, outcome, None if final else undo_, evidence=evidence)
            for other in self.stream.released(one.index):
                for outcome in other.outcomes:
                    self._state.fold(other.game, outcome, None if final else undo_, counted=True)
            if not final:
                self._revocable.append((one, undo_))
        while self._revocable and self._revocable[0][0].index < frontier:
            self._revocable.popleft()

    def fill(self, tallies: Mapping[tuple[str, str, str], Tally]) -> None:
        """Add the counts of games whose matches are not rated here: see `RatingEngine.fill`."""
        self._state.fill(tallies)
        self._tables = None

    def standings(self) -> tuple[Standing, ...]:
        """Returns the table over all games: every player, by rating then name, those without a match last."""
        return self._current().overall

    def by_game(self) -> dict[str, tuple[Standing, ...]]:
        """Returns the tables per game, the players that have played it."""
        return self._current().games

    def by_role(self) -> dict[str, dict[str, tuple[Standing, ...]]]:
        """Returns the tables per game and role, the players that have played it."""
        return self._current().roles

    def snapshot(self, run: str, matches: MatchCounts) -> Leaderboard:
        """Returns all tables together. They are made again only if a result was added since."""
        return Leaderboard(run, *self._current(), matches)

    def rating(self, player: str, game: str | None = None, role: str | None = None) -> Rating:
        """Returns a player's rating: overall, in a game, or in a role of a game; the prior if it has not played."""
        return self._state.rating(player, game, role)

    def _current(self) -> Tables:
        if self._tables is None:
            self._tables = self._state.tables()
        return self._tables


def _index(joined: JoinedMatches) -> int:
    return joined.index
