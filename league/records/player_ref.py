"""What stands behind the name of a trained player. Code reads this; the name is for display."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import msgspec


class PlayerRef(msgspec.Struct, frozen=True, omit_defaults=True):
    """A policy of a training as a player."""

    policy: str
    """the training, or TRAINING.POLICY"""
    role: str = ""
    """the role that it plays; "": all"""
    copy: int = 0
    """number of the copy in a group of matches that share a seed"""
    frozen: bool = False
    """whether it does not learn from the match"""
    opponent: bool = False
    """whether it plays with its newest weights against the policy whose match it is"""
    step: int | None = None
    """the training steps after which it was frozen; None: it is trained now"""

    @property
    def text(self) -> str:
        """Returns its name as a player, for display."""
        role, copy = f".{self.role}" if self.role else "", f"#{self.copy}" if self.copy else ""
        if self.step is not None:
            return f"{self.policy}{role}@{self.step}{copy}"
        return f"{self.policy}{role}{copy}{' (opponent)' if self.opponent else ' (frozen)' if self.frozen else ''}"


def lineage_of(refs: Mapping[str, PlayerRef]) -> dict[str, str]:
    """Returns snapshot -> the previous snapshot of the same policy and role, by name."""
    steps = sorted((ref.policy, ref.role, ref.step, name) for name, ref in refs.items() if ref.step is not None)
    pairs = itertools.pairwise(steps)
    return {child[-1]: parent[-1] for parent, child in pairs if parent[:2] == child[:2]}
