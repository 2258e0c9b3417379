"""Who plays whom, what it says about them, and what is kept.

    finished = league.run_tournament(league.load_tournament("file.toml"))
    trained = league.run_training(league.load_training("train.toml"))
    with league.open_store("sqlite:///runs/arena.db") as store:
        episodes = list(store.episodes())

Everything is imported when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from league.config import TournamentConfig, load_tournament
    from league.reading import open_store
    from league.tournament import run_tournament
    from league.training.config import TrainingConfig, load_training
    from league.training.run import run_training

DEFAULT_DB = "sqlite:///runs/arena.db"
"""where a run is kept when nothing else is said"""

__all__ = [
    "DEFAULT_DB",
    "TournamentConfig",
    "TrainingConfig",
    "load_tournament",
    "load_training",
    "open_store",
    "run_tournament",
    "run_training",
]

_WHERE = {
    "TournamentConfig": "league.config",
    "TrainingConfig": "league.training.config",
    "load_tournament": "league.config",
    "load_training": "league.training.config",
    "open_store": "league.reading",
    "run_tournament": "league.tournament",
    "run_training": "league.training.run",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
