"""The policies of a training by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

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


class PlayerNames:
    """Gives each policy a name for every way in which it plays: it learns, is frozen or is an opponent, in each copy.

    A name is the text of its reference, with a mark behind it if a user gave this name to another player (`taken`).
    Code reads the references, never a name.
    """

    def __init__(self, policies: Iterable[str], copies: int = 1, taken: Iterable[str] = ()) -> None:
        self.refs: dict[str, PlayerRef] = {}
        """by name"""
        self._names: dict[PlayerRef, str] = {}
        others = set(taken)
        for policy in policies:
            learning = PlayerRef(policy)
            frozen = replace(learning, frozen=True)
            for ref in (learning, frozen, replace(frozen, opponent=True)):
                for copy in range(copies):
                    self._add(replace(ref, copy=copy), others)

    def _add(self, ref: PlayerRef, others: set[str]) -> None:
        name = ref.text
        while name in others:
            name += "'"
        others.add(name)
        self.refs[name], self._names[ref] = ref, name

    def of(self, ref: PlayerRef) -> str:
        """Returns the name of a policy as a player."""
        return self._names[ref]

    def playing(self, policy: str) -> frozenset[str]:
        """Returns the names of a policy in its matches and as a partner, learning or frozen."""
        return frozenset(name for name, ref in self.refs.items() if ref.policy == policy and not ref.opponent)

    def learning(self, policy: str) -> frozenset[str]:
        """Returns the names of a policy where it learns."""
        return frozenset(name for name, ref in self.refs.items() if ref.policy == policy and not ref.frozen)

    def of_policy(self, policy: str) -> Mapping[str, PlayerRef]:
        """Returns all names of a policy."""
        return {name: ref for name, ref in self.refs.items() if ref.policy == policy}

    def shared(self, player: str) -> str:
        """Returns the name that all copies of a player share: that of the first."""
        ref = self.refs.get(player)
        return player if ref is None else self._names[replace(ref, copy=0)]
