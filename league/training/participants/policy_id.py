"""The policies of a training by name."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from league.records.player_ref import PlayerRef


class PolicyId(msgspec.Struct, frozen=True):
    """A policy of a training. "" is the only one of a file without `[[policies]]`."""

    name: str = ""

    def labelled(self, metrics: Mapping[str, float]) -> dict[str, float]:
        """Metrics with the policy's name behind the name of the metric: `reward/main/GAME/ROLE`, `entropy/main`."""
        return {self._key(key): value for key, value in metrics.items()} if self.name else dict(metrics)

    def _key(self, key: str) -> str:
        parts = key.split("/")
        place = 2 if parts[0] == "probe" else 1
        return "/".join([*parts[:place], self.name, *parts[place:]])

    def grouped(self, part: str, name: str) -> str:
        """Returns the name of a policy's tensor group in a checkpoint, such as `POLICY.ROLE.weights`."""
        return ".".join([*filter(None, (self.name, part)), name])

    def prefixed(self, name: str) -> str:
        """Returns the name of something that each policy of a training has, NAME.POLICY for a training NAME."""
        return f"{name}.{self.name}" if self.name else name

    def snapshot(self, training: str, step: int) -> PlayerRef:
        """Returns the reference of its snapshot after so many steps of a training."""
        return PlayerRef(self.prefixed(training), frozen=True, step=step)


ONLY = PolicyId()
"""the policy of a training file without `[[policies]]`"""
