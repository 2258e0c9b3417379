"""Ranks a model: it plays the anchors of the suite until its rating is as certain as asked."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any, NamedTuple

import msgspec

import games
from arena import players
from arena.players import Player
from games import InputError, UnknownName
from games.errors import RunPaused
from games.naming import Name, parse_name
from league.board.standing_columns import unanswered
from league.config.database_url import DatabaseUrl
from league.config.tournament import RatingAnchor, RatingConfig, TournamentConfig, parse_tournament
from league.rank.suite import RankSuite, SuiteGame, suite
from league.records.leaderboard import Leaderboard, Standing
from league.store import Store
from league.tournament.run import run_tournament

STEP = 2
"""rounds between two looks at the intervals; a round has two matches against each anchor of each game"""
WIDTH = 4.0
"""rating points of the 95% interval of the mean over the games"""
ROUNDS = 20
FLOOR = 6
"""matches of a game, all of them forfeited, after which a model plays it no more: further ones would say the same"""
MODEL = "model"
"""the name of the model in a ranking's run"""
_AT_ONCE, _AT_ONCE_OUTSIDE = 64, 8
"""matches in flight: a model in this process answers a round of the suite in one batch; endpoints limit requests"""
_Z = NormalDist().inv_cdf(0.975)


class Against(msgspec.Struct, frozen=True):
    """A model against an anchor."""

    anchor: str
    points: float
    """expected points of 100, a draw half a point"""
    above: float
    """the probability of being stronger"""


class GameRank(msgspec.Struct, frozen=True):
    """A model in one game. The ratings of anchors fix its scale."""

    game: str
    name: str
    """a short name"""
    matches: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    answered: bool
    """whether it played any match to its end; if it forfeited all, it is rated as weaker than every anchor"""
    rating: float
    low: float
    high: float
    anchors: tuple[Against, ...]


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a model is in the suite."""

    model: str
    player: str
    suite: int
    """version"""
    rating: float
    """the mean over the games"""
    low: float
    high: float
    floor: bool
    """whether it forfeited all matches of all games"""
    games: tuple[GameRank, ...]
    matches: int
    complete: bool
    run: str
    db: str
    head: str
    """of the hash chain of the run's log: `arena verify` recomputes it"""


class Prepared(NamedTuple):
    """A ranking that can be played."""

    model: str
    suite: RankSuite
    """with the games that the model can play"""
    config: TournamentConfig
    outside: bool
    """whether the model is at an endpoint"""


def player_of(model: str) -> str:
    """Returns the player id of a model: the id of a player as it is, otherwise a language model of this name.

    Raises UnknownName for a misspelt player.
    """
    try:
        kind = parse_name(model).base
    except ValueError:
        kind = ""
    stored = "@" in model and "/" not in model
    if (
        kind not in players.ids()
        and difflib.get_close_matches(kind, players.ids(), 1, 0.8)
        and not Path(model).exists()
    ):
        raise UnknownName("player", model, players.ids(), "arena players")
    return model if stored or kind in players.ids() else str(Name("llm", {"model": model}))


def playable(of: RankSuite, player: Player | None) -> RankSuite:
    """Returns the suite without the games that a player cannot play. Raises InputError if it can play none."""
    if player is None:
        return of
    reasons = {game.id: player.supports(games.make(game.id)) for game in of.games}
    if all(reasons.values()):
        raise InputError(f"{player.name} can play no game of the suite: {next(iter(reasons.values()))}")
    return of.model_copy(update={"games": tuple(game for game in of.games if not reasons[game.id])})


@contextmanager
def prepare(
    model: str,
    *,
    name: str | None = None,
    db: DatabaseUrl | str | None = None,
    rounds: int = ROUNDS,
    seed: int | None = None,
    concurrency: int | None = None,
    of: RankSuite | None = None,
) -> Iterator[Prepared]:
    """Yields a ranking that can be played. The player is made once, so that all runs of the ranking share its engine; a
    player of the store is made by its runs.
    """
    id = player_of(model)
    with nullcontext() if "@" in id else closing(players.make(id)) as player:
        outside, pinned = player is not None and player.outside, playable(of or suite(), player)
        at_once = concurrency or (_AT_ONCE_OUTSIDE if outside else _AT_ONCE)
        config = config_of(model, pinned, name=name, db=db, rounds=rounds, seed=seed, concurrency=at_once)
        yield Prepared(model, pinned, config, outside)


def rank_model(
    model: str,
    *,
    width: float = WIDTH,
    board: str = "auto",
    trust: bool = False,
    show: Callable[[Ranking], None] = lambda ranking: None,
    **settings: Any,
) -> Ranking:
    """Prepares a ranking with the `settings` of `prepare`, and plays it."""
    with prepare(model, **settings) as prepared:
        return play(prepared, width=width, board=board, trust=trust, show=show)


def play(
    prepared: Prepared,
    *,
    width: float = WIDTH,
    board: str = "auto",
    trust: bool = False,
    show: Callable[[Ranking], None] = lambda ranking: None,
) -> Ranking:
    """Plays a model against the anchors until its interval is at most `width` wide, at most the prepared rounds.

    A model that forfeited its first matches of a game, `FLOOR` or more, plays no more of it, and the width that this
    game leaves open no longer counts. The same call resumes an
    interrupted run. `show` is called after each look. Raises RunPaused if it is interrupted before each game has a
    match, otherwise as `run_tournament` does.
    """
    model, pinned, rounds = prepared.model, prepared.suite, int(prepared.config.rounds)
    for played in range(STEP, rounds + STEP, STEP):
        config = prepared.config.model_copy(update={"rounds": min(played, rounds)})
        result = run_tournament(config, board=board, trust=trust)
        if any(_row(game, result.snapshot) is None for game in pinned.games):
            raise RunPaused(
                f"the ranking stopped before each game had a match; the same command resumes {config.name!r}"
            )
        ranking = _ranking(model, pinned, config, result.snapshot, result.complete)
        show(ranking)
        if not result.complete or _open_width(ranking) <= width:
            break
    return ranking


def config_of(
    model: str,
    of: RankSuite,
    *,
    name: str | None = None,
    db: DatabaseUrl | str | None = None,
    rounds: int = ROUNDS,
    seed: int | None = None,
    concurrency: int = _AT_ONCE,
) -> TournamentConfig:
    """Returns the tournament in which a model is ranked by a suite of games that it can play."""
    names = {of.name(game, anchor) for game in of.games for anchor in game.anchors}
    anchors = [
        {"name": of.name(game, anchor), "player": id, "games": [game.id]}
        for game in of.games
        for anchor, id in game.anchors.items()
    ]
    data: dict[str, Any] = {
        "name": name or f"rank-{model}"[:100],
        "games": [game.id for game in of.games],
        "players": [{"name": MODEL, "player": player_of(model)}, *anchors],
        "pairing": f"gauntlet(floor={FLOOR})",
        "rounds": rounds,
        "seed": of.seed if seed is None else seed,
        "concurrency": concurrency,
        "ratings": {"anchors": [anchor.model_dump() for anchor in of.ratings if anchor.player in names]},
    }
    return parse_tournament(data if db is None else data | {"db": db}, "arena rank")


def _ranking(model: str, of: RankSuite, config: TournamentConfig, board: Leaderboard, complete: bool) -> Ranking:
    with Store.open(config.db, read_only=True) as store:
        head = store.head(store.run(config.name))
    ranks = tuple(_game_ranks(of, board))
    middle = fmean(rank.rating for rank in ranks)
    down, up = _doubts(ranks, len(ranks))
    return Ranking(
        model=model,
        player=player_of(model),
        suite=of.version,
        rating=middle,
        low=middle - down,
        high=middle + up,
        floor=not any(rank.answered for rank in ranks),
        games=ranks,
        matches=board.matches.finished,
        complete=complete,
        run=config.name,
        db=str(config.db),
        head=head,
    )


def _open_width(ranking: Ranking) -> float:
    """Returns the width of the interval of the mean as far as further matches can narrow it: 0 at the floor of all."""
    return sum(_doubts([rank for rank in ranking.games if rank.answered], len(ranking.games)))


def _doubts(ranks: Sequence[GameRank], count: int) -> tuple[float, float]:
    """Returns how far the mean over `count` games reaches down and up, as far as these games leave it open.

    Games are independent evidence: the standard error of a mean falls with their number.
    """
    down = math.sqrt(sum((rank.rating - rank.low) ** 2 for rank in ranks)) / count
    up = math.sqrt(sum((rank.high - rank.rating) ** 2 for rank in ranks)) / count
    return down, up


def _game_ranks(of: RankSuite, board: Leaderboard) -> Iterator[GameRank]:
    for game in of.games:
        row = _row(game, board)
        assert row is not None
        answered, rating = not unanswered(row), (row.rating, row.low, row.high)
        if not answered:
            weakest = min((anchor.rating for _, anchor in _rated_anchors(game, of)), default=row.rating)
            rating = _below(weakest, row.rating, (row.high - row.low) / (2 * _Z))
        beaten = (Against(name, 0.0, 0.0) for name, _ in _rated_anchors(game, of))
        against = _against(row, game, of) if answered else beaten
        counts = row.games, row.wins, row.draws, row.losses, row.forfeits
        yield GameRank(game.id, game.name, *counts, answered, *rating, tuple(against))


def _below(weakest: float, mean: float, sd: float) -> tuple[float, float, float]:
    """Returns the median and the 95% interval of a normal distribution given that its value is below `weakest`.

    Whoever never answers loses to everyone who does. A few forfeits alone do not say so: after six of Kuhn poker the
    prior still holds a rating near that of random play.
    """
    normal = NormalDist(mean, max(sd, 1e-9))
    share = max(normal.cdf(weakest), 1e-300)
    return normal.inv_cdf(0.5 * share), normal.inv_cdf(0.025 * share), normal.inv_cdf(0.975 * share)


def _row(game: SuiteGame, board: Leaderboard) -> Standing | None:
    """Returns the row of the model in a game; None before its first match there."""
    return next((row for row in board.games.get(game.id, ()) if row.player == MODEL and row.games), None)


def _against(row: Standing, game: SuiteGame, of: RankSuite) -> Iterator[Against]:
    """Yields the model against each anchor, by TrueSkill's model; the strongest anchor comes first."""
    sd = (row.high - row.low) / (2 * _Z)
    beta = RatingConfig().beta
    for name, anchor in _rated_anchors(game, of):
        gap, doubt = row.rating - anchor.rating, math.hypot(sd, anchor.sd)
        points = NormalDist().cdf(gap / math.hypot(doubt, math.sqrt(2.0) * beta))
        yield Against(name, 100.0 * points, NormalDist().cdf(gap / max(doubt, 1e-9)))


def _rated_anchors(game: SuiteGame, of: RankSuite) -> list[tuple[str, RatingAnchor]]:
    """Returns the anchors of a game with their ratings, the strongest first."""
    names = {of.name(game, anchor): anchor for anchor in game.anchors}
    rated = ((names[anchor.player], anchor) for anchor in of.ratings if anchor.player in names)
    return sorted(rated, key=lambda pair: -pair[1].rating)
