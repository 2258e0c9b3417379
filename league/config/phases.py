"""The table `[[phases]]` of a training file, which says what trains when."""

from __future__ import annotations

from pydantic import Field

from arena.settings import Settings


class PhaseConfig(Settings):
    """A part of the training in which only some policies, or roles, are trained. The others play with fixed weights."""

    policies: tuple[str, ...] = ()
    """Names of the policies that are trained and plan matches. Default: all."""
    roles: tuple[str, ...] = ()
    """Roles that are trained; the others still play, outside gradient and baseline. Default: all."""
    steps: int | None = Field(default=None, ge=1)
    """The phase ends after this many steps. Default: never."""
