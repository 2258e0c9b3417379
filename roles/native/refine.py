"""The roles of refine, credited from the facts of a match; its solver is the role `solver`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.native.common.rewards import balanced_batch
from roles.native.tagged import Speaker, TaggedRole
from roles.reward_kind import outcome, verdict
from roles.rewards.credit import EpisodeWithFacts, from_batch, task_set
from roles.types import Scored


class RefineSneaky(TaggedRole):
    """Writes a wrong answer that looks right (SPC, arXiv 2504.19162): 1 if the critic accepts it, else -1."""

    name = "refine-sneaky"
    reward_kind = outcome(0.0)


class Completer(TaggedRole):
    """Finishes drafts, so that a wrong one that misleads nobody does not count (SPC). Earns nothing."""

    name = "completer"


class RefineCritic(Speaker):
    """Judges an answer without naming the right one (RefCritic, arXiv 2507.15024).

    1 for a true verdict, plus the refined accuracy; -1 for naming the answer. Right and wrong answers of a batch
    weigh the same in the first term, so that a constant verdict earns half of it however good solvers are.
    """

    name = "refine-critic"
    reward_kind = outcome(0.5)
    form = "Do not name the right answer. End with your verdict, one word: correct or incorrect."

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]]:
        """The credit with the balanced agreement over the batch in place of 1 or 0."""
        return from_batch(episodes, self.name, _is_judged, _balanced)


def _is_judged(episode: EpisodeWithFacts) -> bool:
    """Returns whether a match has a critique that did not hand the answer over."""
    facts = episode.facts or {}
    return "handed_over" in facts and "critic" not in facts["idle"] and not facts["handed_over"]


def _balanced(episodes: Sequence[EpisodeWithFacts]) -> list[float]:
    facts = [episode.facts for episode in episodes]
    agrees = [float(bool(of["verdict_right"])) for of in facts]
    fair = balanced_batch(agrees, [bool(of["shown"]["right"]) for of in facts])
    return [
        of["rewards"]["critic"] - plain + (0.0 if of["verdict_right"] is None else weighed)
        for of, plain, weighed in zip(facts, agrees, fair, strict=True)
    ]


class Refiner(TaggedRole):
    """Answers again: r2 + bonus (r2 - r1) (SCoRe, arXiv 2409.12917).

    Each earlier round earns its correctness for the estimator `turn-level` (RISE, arXiv 2407.18219).
    """

    name = "refiner"
    reward_kind = verdict()

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """The task and the answer to refine, so that refiners of one match are compared."""
        return task_set(episode)

    def turn_rewards(self, episode: Scored, seat: str) -> Sequence[float] | None:
        """Whether each answer but the last is right."""
        facts = getattr(episode, "facts", None) or {}
        rounds = facts.get("rounds", {}).get(seat, [])
        return [float(right) for right in rounds[:-1]] if len(rounds) > 1 else None
