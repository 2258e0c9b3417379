"""The tables of a training file that say what trains when: `[[freeze]]` and `[[phases]]`."""

from __future__ import annotations

from pydantic import Field, model_validator

from arena.settings import Settings


class FreezeConfig(Settings):
    """A role that is not trained from step `start` to step `stop`. It still plays, outside gradient and baseline."""

    role: str
    """The role."""
    game: str | None = None
    """The game in which it is frozen. Default: all."""
    start: int = Field(default=0, ge=0)
    """The first step that does not train it."""
    stop: int | None = Field(default=None, ge=0)
    """The first step that trains the role again. Default: never."""

    @model_validator(mode="after")
    def _some(self) -> FreezeConfig:
        if self.stop is not None and self.stop <= self.start:
            raise ValueError(
                f"stop is {self.stop} and start {self.start}, which freezes no step; stop must be above start"
            )
        return self


class PlateauConfig(Settings):
    """Ends a phase when the reward of its policies no longer rises."""

    window: int = Field(default=20, ge=1)
    """The mean reward of this many steps is compared with that of as many steps before them."""
    gain: float = 0.01
    """The phase ends unless the later mean is higher by more than this."""


class PhaseConfig(Settings):
    """A part of the training in which only some policies, or roles, are trained. The others play with fixed weights."""

    policies: tuple[str, ...] = ()
    """Names of the policies that are trained and plan matches. Default: all."""
    roles: tuple[str, ...] = ()
    """Roles that are trained. Default: all."""
    steps: int | None = Field(default=None, ge=1)
    """The phase ends after this many steps, or earlier on a plateau. Default: only on a plateau, or never."""
    plateau: PlateauConfig | None = None
    """The phase ends when the reward of its policies no longer rises; `plateau = {}` uses the defaults."""

    @property
    def ends(self) -> bool:
        """Whether it can end before the training does."""
        return self.steps is not None or self.plateau is not None
