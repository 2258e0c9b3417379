"""Board states made up for tests, the same for the same arguments."""

from __future__ import annotations

import random

from league.board import BoardState
from league.records.leaderboard import Leaderboard, MatchCounts, Standing

GAMES = ("openspiel/kuhn_poker", "pettingzoo/connect_four_v3", "bargain-v1")


def standing(name: str, rank: int, rng: random.Random, rating: float) -> Standing:
    half, games = rng.uniform(0.8, 2.5), rng.randrange(50, 900)
    wins = rng.randrange(games)
    draws = rng.randrange(games - wins)
    illegal = rng.randrange(1, 40) if rank % 3 == 0 else 0
    return Standing(
        player=name,
        rank=rank,
        rating=rating,
        low=rating - half,
        high=rating + half,
        games=games,
        wins=wins,
        draws=draws,
        losses=games - wins - draws,
        forfeits=illegal // 3,
        faults={"illegal": illegal, "unparsable": illegal // 2} if illegal else {},
        turns=games * 5,
        tokens=games * 7,
        score=rng.uniform(-1, 1),
    )


def rows(names: list[str], seed: int) -> tuple[Standing, ...]:
    rng = random.Random(seed)
    ratings = sorted((rng.gauss(25, 5) for _ in names), reverse=True)
    return tuple(standing(n, i + 1, rng, r) for i, (n, r) in enumerate(zip(names, ratings, strict=True)))


def state(players: int = 3, names: list[str] | None = None, games: tuple[str, ...] = GAMES, **fields) -> BoardState:
    names = names or [f"player-{i}" for i in range(players)]
    per_game = {g: rows(names, i + 2) for i, g in enumerate(games)}
    roles = {g: {"first": per_game[g], "second": per_game[g]} for g in games}
    snapshot = Leaderboard("quickstart", rows(names, 1), per_game, roles, MatchCounts(2000, 1234, 2, 32, 4000))
    given = {"matches_per_second": 18.2, "tokens_per_second": 1530.0, "elapsed": 68.0, "to_go": 152.0}
    return BoardState(snapshot, **(given | fields))


class Clock:
    """A clock that changes only when a test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now
