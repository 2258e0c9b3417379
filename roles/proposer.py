"""Who sets the tasks: proposer, challenger. Its reward depends on how often others solve the task, and on its batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games import InputError
from roles import difficulty as table
from roles.clusters import cluster_shares
from roles.credit import Told, from_batch
from roles.guides import less
from roles.role import Scored
from roles.tagged import Tagged


class Proposer(Tagged):
    """Credited with base + weight * D(p) - duplicates * |C| / B.

    `base`, `weight` and the rate p are facts of the match (`proposal`), D is a row of `roles.difficulty` (by default
    what the game pays already), |C| / B the share of the batch that asks the same, by clusters of BLEU distance below
    `distance`.
    """

    name = "proposer"

    def __init__(self, difficulty: str = "", duplicates: float = 0.0, distance: float = 0.5) -> None:
        super().__init__()
        for name, value in (("duplicates", duplicates), ("distance", distance)):
            if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise InputError(f"{self.name}: {name} is a number of at least 0, not {value!r}")
        self.difficulty = table.make(difficulty) if difficulty else None
        self.duplicates, self.distance = float(duplicates), float(distance)

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Rewards of the batch; None where nothing beyond the match's own reward is asked for."""
        if self.difficulty is None and not self.duplicates:
            return None
        return from_batch(episodes, self.name, _asked, self._rewards)

    def _rewards(self, episodes: Sequence[Told]) -> list[float]:
        """One game at a time: tasks of different games are not compared."""
        out = [0.0] * len(episodes)
        for game in dict.fromkeys(e.game for e in episodes):
            at = [i for i, e in enumerate(episodes) if e.game == game]
            for i, reward in zip(at, self._of_game([episodes[i] for i in at]), strict=True):
                out[i] = reward
        return out

    def _of_game(self, episodes: Sequence[Told]) -> list[float]:
        proposals = [e.facts["proposal"] for e in episodes]
        rates = [p["rate"] for p in proposals if p["weight"] > 0]
        rewards = [self._reward(p, rates) for p in proposals]
        if not self.duplicates:
            return rewards
        shares = cluster_shares([str(e.facts.get("task", "")) for e in episodes], self.distance)
        return less(rewards, [self.duplicates * share for share in shares])

    def _reward(self, proposal: Mapping[str, float], rates: Sequence[float]) -> float:
        if not proposal["weight"] > 0:
            return proposal["base"]
        paid = self.difficulty(proposal["rate"], rates) if self.difficulty else proposal["paid"]
        return proposal["base"] + proposal["weight"] * paid


def _asked(episode: Told) -> bool:
    """Whether the task is the proposer's own, not one of a pool."""
    return "proposal" in episode.facts and not episode.facts.get("pooled")


class Challenger(Proposer):
    """R-Zero's: the uncertainty of the solvers' vote minus the share of the batch that asks the same.

    1 - 2 |s - 1/2| - |C| / B as in the paper; its code has half of the first term: difficulty=tent.
    """

    name = "challenger"

    def __init__(self, difficulty: str = "tent(scale=2)", duplicates: float = 1.0, distance: float = 0.5) -> None:
        super().__init__(difficulty, duplicates, distance)
