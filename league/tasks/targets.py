"""The targets that a training has proved, in games that show a target (`conjecture`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from arena.match import Episode


class ProvedTargets:
    """Counts different targets by game: those with a proof, and those that most provers of a match proved.

    In a closed game a guess may be a proof, so the second count says more there. STP (Dong and Ma 2025, arXiv
    2502.00212) reports the first.
    """

    def __init__(self) -> None:
        self._proved: dict[str, dict[str, set[str]]] = {}
        """game -> metric -> targets"""

    def add(self, episodes: Iterable[Episode], players: Collection[str]) -> dict[str, float]:
        """Count the proofs of a step by seats of these players; return the numbers so far."""
        for episode in episodes:
            if episode.status != "void" and isinstance(tried := episode.facts.get("target_attempts"), dict):
                proved = self._proved.setdefault(episode.game, {"targets": set(), "targets_most": set()})
                proofs = [a["kind"] == "pass" for seat, a in tried.items() if episode.seats[seat] in players]
                for name, needed in (("targets", 1), ("targets_most", len(proofs) // 2 + 1)):
                    if proofs and sum(proofs) >= needed:
                        proved[name].add(str(episode.facts["target"]))
        return {f"{name}/{game}": len(v) for game, proved in sorted(self._proved.items()) for name, v in proved.items()}

    def state_dict(self) -> dict[str, Any]:
        """Returns the targets, as plain JSON."""
        return {game: {name: sorted(v) for name, v in proved.items()} for game, proved in self._proved.items()}

    def load_state_dict(self, state: Mapping[str, Mapping[str, Iterable[str]]]) -> None:
        """Restore what `state_dict` returned."""
        self._proved = {game: {name: set(v) for name, v in proved.items()} for game, proved in state.items()}
