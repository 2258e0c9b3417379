"""The pinned suite: games, their anchors, and the ratings of these, which ship with the package."""

from __future__ import annotations

import json
import tomllib
from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from arena.settings import Settings
from league.config.tournament import RatingAnchor


class SuiteGame(Settings):
    """A game and its anchors."""

    id: str
    name: str
    """a short name"""
    anchors: dict[str, str]
    """name -> player id"""


class RankSuite(Settings):
    """What every model is ranked by. Results of different versions are not compared."""

    version: int
    seed: int
    games: tuple[SuiteGame, ...]
    ratings: tuple[RatingAnchor, ...] = Field(default=())
    """of each anchor in each of its games"""
    turns: dict[str, float] = Field(default_factory=dict)
    """of a seat in a match of the anchors: game -> mean number"""

    def name(self, game: SuiteGame, anchor: str) -> str:
        """Returns the name of an anchor in a run: a player has a name, and a rating, for each of its games."""
        return f"{anchor} in {game.name}"


@lru_cache(1)
def suite() -> RankSuite:
    """Returns the suite of this release, with the ratings that `scripts/bench/rank_anchors.py` measured."""
    folder = files("league.rank")
    settings = tomllib.loads((folder / "suite.toml").read_text())
    measured = json.loads((folder / "anchors.json").read_text())
    return RankSuite.model_validate(settings | {key: measured[key] for key in ("ratings", "turns")})
