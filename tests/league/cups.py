"""A small tournament for tests."""

from pathlib import Path
from typing import Any

from league.config.tournament import TournamentConfig


def cup(folder: Path, **changes: Any) -> TournamentConfig:
    """Returns a round robin of a perfect player and two random ones in race-v0, with changes."""
    entrants = {"perfect": "perfect", "r1": "random", "r2": "random"}
    base: dict[str, Any] = {
        "name": "t",
        "db": f"sqlite:///{folder}/t.db",
        "games": ["race-v0"],
        "rounds": 20,
        "players": [{"name": name, "player": player} for name, player in entrants.items()],
    }
    return TournamentConfig.model_validate(base | changes)
