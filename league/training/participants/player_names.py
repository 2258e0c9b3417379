"""The names under which the policies of a training play with their newest weights, and what stands behind each name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from league.records.player_ref import PlayerRef


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
