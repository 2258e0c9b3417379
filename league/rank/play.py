"""Plays a ranking: a model meets the anchors of the suite until its rating is as certain as asked."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import games
from arena import players
from arena.players import Player
from games import InputError, UnknownName
from games.errors import RunPaused
from games.naming import Name, parse_name
from league.board import open_board
from league.config.database_url import DatabaseUrl
from league.config.tournament import TournamentConfig, parse_tournament
from league.rank.board import RankingBoard
from league.rank.ranking import MODEL, Ranking, game_ranks, mean_rating, open_width
from league.rank.suite import RankSuite, suite
from league.records.leaderboard import Leaderboard
from league.store import Store
from league.tournament.run import run_tournament

STEP = 2
"""rounds between two looks at the intervals; a round has two matches against each anchor of each game"""
WIDTH = 4.0
"""rating points of the 95% interval of the mean over the games"""
ROUNDS = 20
FLOOR = 6
"""matches of a game, all of them forfeited, after which a model plays it no more: further ones would say the same"""
_AT_ONCE, _AT_ONCE_OUTSIDE = 64, 8
"""matches in flight: a model in this process answers a round of the suite in one batch; endpoints limit requests"""


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
    human = board == "auto" and player_of(model).partition("(")[0] == "human"  # who answers where a board would draw
    with open_board("plain", interval=math.inf) if human else open_board(board) as screen:
        display = RankingBoard(screen, model, pinned, width)
        try:
            for played in range(STEP, rounds + STEP, STEP):
                config = prepared.config.model_copy(update={"rounds": min(played, rounds)})
                result = run_tournament(config, board=display, trust=trust)
                if len(list(game_ranks(pinned, result.snapshot))) < len(pinned.games):
                    again = f"the same command resumes {config.name!r}"
                    raise RunPaused(f"the ranking stopped before each game had a match; {again}")
                ranking = _ranking(model, pinned, config, result.snapshot, result.complete)
                show(ranking)
                if not result.complete or open_width(ranking.games) <= width:
                    break
        finally:
            screen.discard()
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
    ranks = tuple(game_ranks(of, board))
    middle, low, high = mean_rating(ranks)
    return Ranking(
        model=model,
        player=player_of(model),
        suite=of.version,
        rating=middle,
        low=low,
        high=high,
        floor=not any(rank.answered for rank in ranks),
        games=ranks,
        matches=board.matches.finished,
        complete=complete,
        run=config.name,
        db=str(config.db),
        head=head,
    )
