"""Bradley-Terry ratings: the skill model with a logistic curve in the place of TrueSkill's normal one."""

from __future__ import annotations

from dataclasses import dataclass

from league.ratings._link import Link
from league.ratings.skill_model import SkillModel


@dataclass(frozen=True)
class BradleyTerry(SkillModel):
    """The rating method `bradley-terry`; everything but the curve is as in `SkillModel`."""

    link: Link = "logit"


__all__ = ["BradleyTerry"]
