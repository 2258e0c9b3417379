"""The table `[[phases]]` of a training file, which says what trains when."""

from __future__ import annotations

from pydantic import Field

from arena.settings import Settings


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
    """Roles that are trained; the others still play, outside gradient and baseline. Default: all."""
    steps: int | None = Field(default=None, ge=1)
    """The phase ends after this many steps, or earlier on a plateau. Default: only on a plateau, or never."""
    plateau: PlateauConfig | None = None
    """The phase ends when the reward of its policies no longer rises; `plateau = {}` uses the defaults."""

    @property
    def ends(self) -> bool:
        """Whether it can end before the training does."""
        return self.steps is not None or self.plateau is not None
