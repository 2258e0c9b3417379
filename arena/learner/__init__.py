"""From episodes to weights."""

from arena.learner.baseline import Key, RoleBaseline

__all__ = ["Key", "RoleBaseline"]
