"""What matches say about players: TrueSkill's model online and in batch, both pure functions of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.ratings.draws import draw_probability, environment
from league.ratings.ledger import Ledger
from league.ratings.outcomes import GameInfo, Outcome, outcomes
from league.ratings.registry import Ratings, ids, make
from league.ratings.trueskill import Rating, TrueSkill

if TYPE_CHECKING:
    from league.ratings.batch import refine
    from league.ratings.bootstrap import bootstrap
    from league.ratings.bradley_terry import BradleyTerry
    from league.ratings.counts import Counts, CountTable
    from league.ratings.fitted import Fit
    from league.ratings.games import fit_games
    from league.ratings.roles import fit_roles
    from league.ratings.skill_model import SkillModel

_BATCH = {
    "BradleyTerry": "bradley_terry",
    "CountTable": "counts",
    "Counts": "counts",
    "Fit": "fitted",
    "SkillModel": "skill_model",
    "bootstrap": "bootstrap",
    "fit_games": "games",
    "fit_roles": "roles",
    "refine": "batch",
}
"""The batch fit imports numpy, which the online ratings do without."""

__all__ = [
    "BradleyTerry",
    "CountTable",
    "Counts",
    "Fit",
    "GameInfo",
    "Ledger",
    "Outcome",
    "Rating",
    "Ratings",
    "SkillModel",
    "TrueSkill",
    "bootstrap",
    "draw_probability",
    "environment",
    "fit_games",
    "fit_roles",
    "ids",
    "make",
    "outcomes",
    "refine",
]


def __getattr__(name: str) -> Any:
    if name not in _BATCH:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    # a function may share its module's name, and importing the module sets that name to the module
    found = globals()[name] = getattr(import_module(f"{__name__}.{_BATCH[name]}"), name)
    return found
