"""The roles of games in which one seat sets a task and others solve it: psj, math-duel, code-io.

The reward of a proposer depends on how often its task is solved and on the other tasks of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from annotated_types import Ge

from games.native.common.controls import remaining
from games.tasks.canonical import canonical_of
from roles.native.tagged import TaggedRole
from roles.reward_kind import outcome, verdict
from roles.rewards import difficulty as difficulties
from roles.rewards.credit import EpisodeWithFacts, controls_of, from_batch, task_set, with_facts
from roles.rewards.diversity import cluster_shares, repeated_shares
from roles.types import Scored

NonNegative = Annotated[float, Ge(0)]


class Proposer(TaggedRole):
    """Credited with base + weight * D(p) * C - duplicates * R.

    `base`, `weight` and the solve rate p are facts of the match (`proposal`). D is a row of `roles.rewards.difficulty`,
    by default the game's own. C is what wrong answers to control questions leave of a D above 0, 1 if there are none:
    see `games.native.common.controls`. The batch's controls count together, but for those of tasks that nobody solves,
    which may be too long, and right ones of tasks that all solve, which tell nothing.
    R is |K| / B, the share of the batch in the cluster K of the task, by BLEU `distance` of canonical texts
    (`games.tasks.canonical`). Where anything may be asked (the fact `repeat_once`), R is 1 - 1 / |K|, so a question is
    paid once a batch, and K is by the share of terms in common; if that fact is `equal`, as of programs, which have
    many words in common, K is of equal texts, and R at least |K| / B as above. Without
    `duplicates` the game decides what repetition costs (the fact `repeat_cost`; nothing in published games).

    difficulty: D, such as tent(scale=2) or barely(tau=0.25); empty: the game's own.
    """

    name = "proposer"
    reward_kind = outcome(0.5)

    def __init__(
        self, difficulty: str = "", duplicates: NonNegative | None = None, distance: NonNegative = 0.5
    ) -> None:
        super().__init__()
        self.difficulty = difficulties.make(difficulty) if difficulty else None
        self.duplicates, self.distance = None if duplicates is None else float(duplicates), float(distance)

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Returns the rewards of the batch; None if each match's own reward is enough."""
        if self.difficulty is None and not any(map(self._cost, map(with_facts, episodes))):
            return None
        return from_batch(episodes, self.name, _asked, self._rewards)

    def _rewards(self, episodes: Sequence[EpisodeWithFacts]) -> list[float]:
        """Rewards game by game: tasks of different games are not compared."""
        out = [0.0] * len(episodes)
        for game in dict.fromkeys(e.game for e in episodes):
            at = [i for i, e in enumerate(episodes) if e.game == game]
            for i, reward in zip(at, self._of_game([episodes[i] for i in at]), strict=True):
                out[i] = reward
        return out

    def _of_game(self, episodes: Sequence[EpisodeWithFacts]) -> list[float]:
        proposals = [e.facts["proposal"] for e in episodes]
        rates = [p["rate"] for p in proposals if p["weight"] > 0]
        paid = [self._paid(p, rates) for p in proposals]
        left = remaining([right for e, p in zip(episodes, proposals, strict=True) for right in _controls(e, p["rate"])])
        rewards = [p["base"] + (of * left if of > 0 else of) for p, of in zip(proposals, paid, strict=True)]
        costs = list(map(self._cost, episodes))
        if not any(costs):
            return rewards
        return [r - cost * share for r, cost, share in zip(rewards, costs, self._shares(episodes), strict=True)]

    def _shares(self, episodes: Sequence[EpisodeWithFacts]) -> list[float]:
        """Returns how far the task of each match repeats others."""
        return self._repeats(episodes, [canonical_of(e.facts) for e in episodes])

    def _repeats(self, episodes: Sequence[EpisodeWithFacts], texts: Sequence[str]) -> list[float]:
        """Returns how far one text of each match repeats those of others."""
        once = next(filter(None, (e.facts.get("repeat_once") for e in episodes)), False)
        alike = repeated_shares(texts, self.distance) if once is True else cluster_shares(texts, self.distance)
        return list(map(max, alike, repeated_shares(texts, 0.0))) if once == "equal" else alike

    def _cost(self, episode: EpisodeWithFacts) -> float:
        """Returns what repetition costs in this match."""
        return float(episode.facts.get("repeat_cost", 0.0)) if self.duplicates is None else self.duplicates

    def _paid(self, proposal: Mapping[str, float], rates: Sequence[float]) -> float:
        if not proposal["weight"] > 0:
            return 0.0
        return proposal["weight"] * (self.difficulty(proposal["rate"], rates) if self.difficulty else proposal["paid"])


def _controls(episode: EpisodeWithFacts, rate: float) -> list[bool]:
    """Returns which controls beside a task are right; none beside a task of which they tell nothing."""
    right = list(controls_of(episode).values())
    return [] if rate == 0 or (rate == 1 and all(right)) else right


def _asked(episode: EpisodeWithFacts) -> bool:
    """Returns whether the proposer set the task itself: it is not from a pool."""
    return "proposal" in episode.facts and not episode.facts.get("pooled")


class Challenger(Proposer):
    """Credited as in R-Zero: the uncertainty of the solvers' vote minus the share of the batch that asks the same.

    This is 1 - 2 |s - 1/2| - R, with R = |C| / B as in the paper, except for written questions with known answers
    (see `Proposer`). Its code has half of the first term: difficulty=tent.
    """

    name = "challenger"

    def __init__(
        self, difficulty: str = "tent(scale=2)", duplicates: NonNegative = 1.0, distance: NonNegative = 0.5
    ) -> None:
        super().__init__(difficulty, duplicates, distance)


class SolverRole(TaggedRole):
    """Answers alone, next to other solvers of the same task. The facts of the match hold its reward.

    psj: 0.9 s + 0.1 f. math-duel: 0.9 right + 0.1 f (R-Zero). code-io: 1, -0.5 or -1 (Absolute Zero).
    """

    name = "solver"
    reward_kind = verdict()

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the task of the proposer or of the pool, or the one that the facts say this seat was asked."""
        facts = getattr(episode, "facts", None) or {}
        return str(facts.get("asked", {}).get(seat, "")) or task_set(episode)

    def answer(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the answer alone, and the number of its vote where answers are compared by meaning."""
        facts = getattr(episode, "facts", None) or {}
        found = facts.get("clusters", {}).get(seat, facts.get("answers", {}).get(seat))
        return super().answer(episode, seat, phase) if found is None else str(found)
