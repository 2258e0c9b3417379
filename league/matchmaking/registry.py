"""Matchmakers by name, such as `round-robin` or `gauntlet(seeds=2)`."""

from __future__ import annotations

from games.registries import Registry
from league.matchmaking.matchmaker import Matchmaker

MATCHMAKERS = Registry(
    "pairing",
    "arena.matchmakers",
    Matchmaker,  # type: ignore[type-abstract]
    {
        "alphastar": "league.matchmaking.challenge:AlphaStar",
        "double-elimination": "league.matchmaking.elimination:DoubleElimination",
        "find-best": "league.matchmaking.best_arm:FindBest",
        "gauntlet": "league.matchmaking.round_robin:Gauntlet",
        "information": "league.matchmaking.information:Information",
        "openai-five": "league.matchmaking.challenge:OpenAIFive",
        "pfsp": "league.matchmaking.challenge:Pfsp",
        "random": "league.matchmaking.uncertainty:Random",
        "rank-all": "league.matchmaking.information:RankAll",
        "round-robin": "league.matchmaking.round_robin:RoundRobin",
        "single-elimination": "league.matchmaking.elimination:SingleElimination",
        "swiss": "league.matchmaking.swiss:Swiss",
        "uncertainty": "league.matchmaking.uncertainty:Uncertainty",
    },
)

ids = MATCHMAKERS.ids
make = MATCHMAKERS.make
register = MATCHMAKERS.register
