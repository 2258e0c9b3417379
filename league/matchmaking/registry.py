"""Makes matchmakers from ids such as `round-robin` or `gauntlet(seeds=2)`."""

from __future__ import annotations

from games.plugins import Registry
from league.matchmaking.matchmaker import Matchmaker

MATCHMAKERS = Registry(
    "pairing",
    "arena.matchmakers",
    Matchmaker,  # type: ignore[type-abstract]
    {
        "find-best": "league.matchmaking.find_best:FindBest",
        "gauntlet": "league.matchmaking.round_robin:Gauntlet",
        "information": "league.matchmaking.greedy:Information",
        "placement": "league.matchmaking.placement:Placement",
        "random": "league.matchmaking.adaptive:Random",
        "rank-all": "league.matchmaking.greedy:RankAll",
        "round-robin": "league.matchmaking.round_robin:RoundRobin",
        "swiss": "league.matchmaking.swiss:Swiss",
        "uncertainty": "league.matchmaking.greedy:Uncertainty",
    },
)

ids = MATCHMAKERS.ids
register = MATCHMAKERS.register
make = MATCHMAKERS.make
