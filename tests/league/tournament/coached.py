"""A tournament of a game with a coach, whose matches leave notes to later ones."""

from pathlib import Path
from typing import Any

from league.config.tournament import TournamentConfig

GAME = "bargain-v1(rounds=1,coach=seller,games=2)"


def config(folder: Path, name: str = "t", **more: Any) -> TournamentConfig:
    base = {
        "name": name,
        "db": f"sqlite:///{folder}/{name}.db",
        "games": [GAME, "openspiel/kuhn_poker"],
        "rounds": 6,
        "players": [{"name": n, "player": "random"} for n in "abc"],
    }
    return TournamentConfig.model_validate(base | more)
