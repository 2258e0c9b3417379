"""Matchmakers by name, such as `round-robin` or `gauntlet(seeds=2)`."""

from __future__ import annotations

from games.registries import Registry
from league.matchmaking.matchmaker import Matchmaker

MATCHMAKERS = Registry(
    "pairing",
    "arena.matchmakers",
    Matchmaker,  # type: ignore[type-abstract]
    {
        "find-best": "league.matchmaking.best_arm:FindBest",
        "gauntlet": "league.matchmaking.round_robin:Gauntlet",
        "information": "league.matchmaking.information:Information",
        "random": "league.matchmaking.uncertainty:Random",
        "rank-all": "league.matchmaking.information:RankAll",
        "round-robin": "league.matchmaking.round_robin:RoundRobin",
        "swiss": "league.matchmaking.swiss:Swiss",
        "uncertainty": "league.matchmaking.uncertainty:Uncertainty",
    },
)

ids = MATCHMAKERS.ids
make = MATCHMAKERS.make
register = MATCHMAKERS.register
