"""When a policy starts again from other weights: AlphaStar's rule for exploiters.

Vinyals et al., Nature 2019, pseudocode: an exploiter leaves a snapshot once it beats all its targets in 70% of the
matches, or after a number of steps, and is then reset to the supervised weights, a league exploiter with probability
1/4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.randomness import RandomStream
from league.config.policies import ResetConfig
from league.training.opponent_pool import OpponentPool, Snapshot


class ResetRule:
    """Decides when the policy of an opponent pool is reset; `games` are the ids of its games."""

    def __init__(self, rule: ResetConfig, pool: OpponentPool, games: Sequence[str]) -> None:
        self.rule, self._pool, self._games = rule, pool, tuple(games)
        self._since = 0
        """step of the newest reset, or of the newest decision against one"""

    def reason(self, step: int) -> str:
        """Returns why the rule applies after `step` steps, in words; "" if it does not."""
        rule, taken = self.rule, step - self._since
        if taken <= 0:
            return ""
        if rule.steps is not None and taken >= rule.steps:
            return f"{taken:,} steps have passed"
        if rule.win_rate is None:
            return ""
        records = {(g, name): self._pool.record(g, name) for g in self._games for name in self._pool.targets(g)}
        if not records or any(r.matches < rule.games or r.rate < rule.win_rate for r in records.values()):
            return ""
        (_, name), worst = min(records.items(), key=lambda item: item[1].rate)
        return f"it wins {worst.rate:.0%} or more against its targets, the least against {name}"

    def decide(self, step: int, seed: int) -> bool:
        """Returns whether the policy is reset now that the rule applies; `seed` decides with its probability."""
        self._since = step
        self._pool.forget()
        return self.rule.probability >= 1 or RandomStream(seed).random() < self.rule.probability

    def target(self, snapshots: Sequence[Snapshot]) -> Snapshot:
        """Returns the snapshot, of those of the rule's policy, that it starts from."""
        if self.rule.to == "newest":
            return snapshots[-1]
        if self.rule.to == "first":
            return snapshots[0]
        return max((s for s in snapshots if s.step <= int(self.rule.to)), key=lambda s: s.step)

    def state_dict(self) -> dict[str, Any]:
        """Returns the state as plain JSON."""
        return {"since": self._since}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        self._since = int(state["since"])
