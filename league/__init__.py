"""Tournaments and trainings, and the store that keeps them.

    league.run_tournament("cup.toml")
    league.run_tournament({"name": "cup", "games": ["openspiel/kuhn_poker"], "players": [...]})
    league.run_training("train.toml")
    episodes = list(league.open_store("sqlite:///runs/arena.db").episodes())

Names are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.config.database_url import DEFAULT_DB

if TYPE_CHECKING:
    from league.config.tournament import TournamentConfig, load_tournament
    from league.config.training import TrainingConfig, load_training
    from league.imports import rate
    from league.records.leaderboard import Leaderboard
    from league.runs.reader import open_store
    from league.tournament.run import run_tournament
    from league.training.run import run_training


__all__ = [
    "DEFAULT_DB",
    "Leaderboard",
    "TournamentConfig",
    "TrainingConfig",
    "load_tournament",
    "load_training",
    "open_store",
    "rate",
    "run_tournament",
    "run_training",
]

_MODULES = {
    "Leaderboard": "league.records.leaderboard",
    "TournamentConfig": "league.config.tournament",
    "TrainingConfig": "league.config.training",
    "load_tournament": "league.config.tournament",
    "load_training": "league.config.training",
    "open_store": "league.runs.reader",
    "rate": "league.imports",
    "run_tournament": "league.tournament.run",
    "run_training": "league.training.run",
}


def __getattr__(name: str) -> Any:
    from games.lazy import lazy_attribute  # here, so that importing this package imports nothing else

    return lazy_attribute(__name__, _MODULES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
