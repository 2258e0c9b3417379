"""The matches, opponents and ratings of players, read from the store for the page of a player.

Everything is read once, a bounded number of results per call, and only after the first page was opened.
"""

from __future__ import annotations

import itertools
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from games.sanitize import one_line
from league.board.match_pages import match_pages, overview
from league.board.player_details import PLAYING, MatchLine, OpponentLine, PlayerDetails
from league.outcomes import Outcome, compared_seats
from league.outcomes.table import OutcomeTable
from league.outcomes.units import RatedUnit
from league.ratings.online.replay import Replay
from league.ratings.online.state import RatingState, RatingValues
from league.records.matches import Result, of_known_games
from league.sprt import over_games, pair_scores
from league.trust import allow_game

if TYPE_CHECKING:
    from arena.match import Episode
    from league.store import Store
    from league.store.runs import Run

RESULTS = 2000
"""results read per call, about a tenth of a second"""
MATCHES = 1000
"""newest matches kept of each player"""
ERROR = 0.05
"""probability that any interval of any two players ever misses"""

GameRole = tuple[str, str]
"""game and role"""


class Comparisons:
    """A player's comparisons and returns against one opponent in one role."""

    __slots__ = ("draws", "losses", "matches", "score", "wins")

    def __init__(self) -> None:
        self.matches = self.wins = self.draws = self.losses = 0
        self.score = 0.0

    @property
    def share(self) -> float | None:
        """(wins + draws / 2) / comparisons; None without comparisons."""
        n = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / n if n else None


class RatingCurves:
    """TrueSkill ratings and what they were after each unit of evidence, in plan order: see `Replay`."""

    def __init__(self, state: RatingState) -> None:
        self._state = state
        self.ratings: defaultdict[tuple[str, str], array[float]] = defaultdict(lambda: array("f"))
        """by player and game; "" for all games"""

    def apply(self, unit: RatedUnit) -> None:
        """Rate a unit, and note the ratings that it led to."""
        self._state.apply(unit)
        for player in {entry.player for outcome in unit.outcomes for entry in outcome.entries}:
            for game in (unit.game, ""):
                self.ratings[player, game].append(self._state.rating(player, game).mu)

    def save(self) -> tuple[RatingValues, dict[tuple[str, str], int]]:
        """Returns the ratings, and the lengths of the curves."""
        return self._state.save(), {key: len(curve) for key, curve in self.ratings.items()}

    def load(self, saved: tuple[RatingValues, Mapping[tuple[str, str], int]]) -> None:
        """Take back what was rated since `save`."""
        self._state.load(saved[0])
        for key, curve in self.ratings.items():
            del curve[saved[1].get(key, 0) :]


class PlayerHistory:
    """Implements `league.board.player_details.DetailsSource` for a run of a store, which it only reads."""

    def __init__(self, store: Store, run: Run) -> None:
        self._store, self._run = store, run
        self._match: tuple[str, int | None] = ("", None)
        """the match whose pages were read last, and the number of its turns; None: it has ended"""
        self._pages = PlayerDetails("")
        self._start()

    def _start(self) -> None:
        spec = self._run.spec
        self._outcomes = OutcomeTable(spec.games)
        self._curves = RatingCurves(RatingState(spec.games, spec.ratings))
        self._rating_replay = Replay(self._curves)
        self._last_seq = 0
        self._records: defaultdict[str, defaultdict[GameRole, defaultdict[str, Comparisons]]]
        """by player, role and opponent"""
        self._records = defaultdict(lambda: defaultdict(lambda: defaultdict(Comparisons)))
        self._matches: defaultdict[str, deque[Result]] = defaultdict(lambda: deque(maxlen=MATCHES))

    def details(self, player: str, game: str, role: str) -> PlayerDetails:
        """See `DetailsSource`."""
        results = of_known_games(self._store.results(self._run, self._last_seq, RESULTS), self._run.spec.games)
        if results:
            self._last_seq = results[-1].seq
            self._add(results)
        counts = self._store.counts(self._run)
        game = game or (next(iter(self._run.spec.games)) if role else "")
        return PlayerDetails(
            player=player,
            ratings=tuple(self._curves.ratings.get((player, game), ())),
            opponents=tuple(self._opponents(player, game, role)),
            matches=(*self._in_play(player, game, role), *self._lines(player, game, role)),
            read=self._last_seq,
            total=max(self._last_seq, counts.finished + counts.void),
        )

    def all_details(self, player: str, game: str) -> PlayerDetails:
        """Returns the details from all results so far."""
        details, read = self.details(player, game, ""), -1
        while read < details.read < details.total:
            read, details = details.read, self.details(player, game, "")
        return details

    def pages(self, match: str) -> PlayerDetails:
        """See `DetailsSource`. A match is replayed again only after further turns."""
        if self._match != (match, None):
            # In this order: a match that ends in between is found as an episode.
            live = next((each for each in self._store.in_play(self._run) if each.planned.match.id == match), None)
            at = (match, None if live is None else len(live.turns))
            if self._match != at:
                episode = self._store.episode(match, self._run) if live is None else live.episode()
                pages = self._replay(episode, "" if live is None else "being played")
                self._match, self._pages = at, PlayerDetails("", pages=pages, live=live is not None)
        return self._pages

    def _replay(self, episode: Episode, status: str) -> tuple[tuple[str, ...], ...]:
        """Returns the pages of a match. A game that may not be made here leaves the overview, and says why."""
        try:
            allow_game(self._store, self._run.spec, episode.game)
            return match_pages(episode, status)
        except Exception as error:  # noqa: BLE001  not allowed, a damaged record, or a plugin that fails
            return ((*overview(episode, status), "", one_line(f"no positions: {error}", 400)),)

    def _in_play(self, player: str, game: str, role: str) -> Iterable[MatchLine]:
        for live in self._store.in_play(self._run):
            match, turns = live.planned.match, live.turns
            roles = dict.fromkeys(turn.role for turn in turns if turn.player == player)
            if player in match.seats.values() and game in ("", match.game) and (not role or role in roles):
                others = tuple(dict.fromkeys(name for name in match.seats.values() if name != player))
                yield MatchLine(
                    match.id, live.planned.index, match.game, ", ".join(roles), others, 0.0, PLAYING, False, len(turns)
                )

    def _add(self, results: Iterable[Result]) -> None:
        results = list(results)
        for result in results:
            for player in dict.fromkeys(seat.player for seat in result.seats):
                self._matches[player].append(result)
            if result.status != "void":
                self._meet(result)
        before = self._outcomes.rows()
        self._outcomes.add(results)
        rows = self._outcomes.rows()
        new = rows.unit[~np.isin(rows.index, before.index)]
        for unit in map(rows.units.__getitem__, new.tolist()):
            for outcome in unit.outcomes:
                if outcome.rated:
                    self._compare(unit.game, outcome)
        self._rating_replay.update(rows)

    def _meet(self, result: Result) -> None:
        """Count a match once against each opponent, with the mean return of the player's seats in that role."""
        seats: dict[tuple[str, str], list[float]] = {}
        for seat in compared_seats(result, self._run.spec.games[result.game]):
            seats.setdefault((seat.player, seat.role), []).append(seat.score)
        players = {player for player, _ in seats}
        for (player, role), scores in seats.items():
            for other in players - {player}:
                record = self._records[player][result.game, role][other]
                record.matches += 1
                record.score += sum(scores) / len(scores)

    def _compare(self, game: str, outcome: Outcome) -> None:
        groups = outcome.groups or range(len(outcome.entries))
        rows = list(zip(outcome.entries, outcome.ranks, groups, strict=True))
        for (a, rank_a, side_a), (b, rank_b, side_b) in itertools.permutations(rows, 2):
            if side_a == side_b or a.player == b.player:
                continue
            record = self._records[a.player][game, a.role][b.player]
            record.wins += rank_a < rank_b
            record.draws += rank_a == rank_b
            record.losses += rank_a > rank_b

    def _opponents(self, player: str, game: str, role: str) -> Iterable[OpponentLine]:
        """Returns the records against each opponent, with intervals that hold for all pairs of players in all games."""
        spec = self._run.spec
        by_pair = pair_scores(self._outcomes.rows(), spec.games, player, role)
        families = len(spec.games) * len(spec.plays) * (len(spec.plays) - 1) // 2
        by_opponent: defaultdict[str, dict[GameRole, Comparisons]] = defaultdict(dict)
        for key, records in self._records.get(player, {}).items():
            if game in ("", key[0]) and role in ("", key[1]):
                for other, record in records.items():
                    by_opponent[other][key] = record
        for other, each in by_opponent.items():
            total = _total(each.values())
            games = dict.fromkeys(name for name, _ in each)
            of_games = [_total(one for (name, _), one in each.items() if name == of) for of in games]
            shares = [share for one in of_games if (share := one.share) is not None]
            scores = [by_pair[other, of] for of in games if (other, of) in by_pair]
            low, high = over_games(scores, ERROR / max(families, 1))
            share = sum(shares) / len(shares) if shares else None
            mean = total.score / total.matches if total.matches else 0.0
            yield OpponentLine(other, total.matches, mean, total.wins, total.draws, total.losses, low, high, share)

    def _lines(self, player: str, game: str, role: str) -> Iterable[MatchLine]:
        for result in reversed(self._matches.get(player, ())):
            seats = [seat for seat in result.seats if seat.player == player and role in ("", seat.role)]
            if seats and game in ("", result.game):
                yield MatchLine(
                    match=result.match,
                    index=result.index,
                    game=result.game,
                    role=", ".join(dict.fromkeys(seat.role for seat in seats)),
                    opponents=tuple(dict.fromkeys(seat.player for seat in result.seats if seat.player != player)),
                    score=sum(seat.score for seat in seats) / len(seats),
                    status=result.status,
                    forfeited=any(seat.forfeited for seat in seats),
                    turns=sum(seat.turns for seat in result.seats),
                )


def _total(each: Iterable[Comparisons]) -> Comparisons:
    out = Comparisons()
    for one in each:
        for key in Comparisons.__slots__:
            setattr(out, key, getattr(out, key) + getattr(one, key))
    return out
