"""The table `[imitation]` of a training file."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from arena.settings import Settings
from league.config.database_url import DatabaseUrl


class ImitationConfig(Settings):
    """Stored matches that the policy imitates before its first step."""

    run: str = Field(min_length=1)
    """The run whose matches are imitated: a tournament, or a training, whose matches are in NAME.training."""
    db: DatabaseUrl | None = None
    """The store that holds it. Default: that of the training."""
    players: tuple[str, ...] = ()
    """The players whose turns are imitated, by their names in the run. Default: all."""
    games: tuple[str, ...] = ()
    """The games whose matches are imitated, of those of the training. Default: all."""
    keep: Literal["all", "winners", "best"] = "all"
    """winners: only turns of seats with a return above that of every opponent. best: only those of the seats with the
    highest returns in their game and role."""
    share: float = Field(default=0.25, gt=0, le=1)
    """The share of the seats that `best` keeps."""
    learn: Literal["answers", "returns"] = "answers"
    """answers: what was played becomes more likely. returns: also what earned less than the mean of its game and role
    becomes less likely, by ppo with importance weights (off-policy); only turns whose probabilities are stored and
    whose prompts have the ids that the policy reads."""
    matches: int | None = Field(default=None, ge=1)
    """The first so many matches with such a player. Default: all."""
    epochs: int = Field(default=10, ge=1)
    """Passes over the turns."""
    batch: int = Field(default=256, ge=1)
    """Turns of an optimizer step."""
    lr: float | None = Field(default=None, gt=0)
    """Learning rate of the first of these steps; it falls linearly to 0. Default: lr of [optimizer]."""
