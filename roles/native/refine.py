"""The roles of refine, credited from the outcomes of its seats; its solver is the role `solver`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games import SeatOutcome
from games.native.common.rewards import balanced_batch
from games.native.refine.texts import READER, verdict_pays
from roles.native.tagged import Speaker, TaggedRole
from roles.reward_kind import outcome, verdict
from roles.rewards.credit import EpisodeWithFacts, from_batch, outcomes, task_set
from roles.types import Scored


class RefineSneaky(TaggedRole):
    """Writes a wrong answer that looks right (SPC, arXiv 2504.19162): 1 if the critic accepts it, else -1."""

    name = "refine-sneaky"
    reward_kind = outcome(0.0)


class Completer(TaggedRole):
    """Finishes drafts, so that a wrong one that misleads nobody does not count (SPC). Earns nothing."""

    name = "completer"


class RefineCritic(Speaker):
    """Judges an answer and says what is wrong with it (RefCritic, arXiv 2507.15024).

    0.1 for a true verdict, 1 in a closed game, plus the refined accuracy if it rejects a wrong answer, minus 1 if the
    reader is right without the question, and minus the refined accuracy if it rejects a right one. Right and wrong
    answers of a batch weigh the same in the first term, so that a constant verdict earns half of it however good
    solvers are.
    """

    name = "refine-critic"
    reward_kind = outcome(0.05)  # the middle of what it earns without a list
    form = "Say which step is wrong, not what is right. End with your verdict, one word: correct or incorrect."

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]]:
        """Returns the credit with the balanced agreement over the batch in place of 1 or 0."""
        return from_batch(episodes, self.name, lambda episode: _critic(episode) is not None, _balanced)


def _critic(episode: EpisodeWithFacts) -> SeatOutcome | None:
    """Returns the outcome of a critic that judged an answer."""
    outcome = outcomes(episode).get("critic")
    return None if outcome is None or outcome.label is None else outcome


def _balanced(episodes: Sequence[EpisodeWithFacts]) -> list[float]:
    critics = [(one, verdict_pays(episode.roles)) for episode in episodes if (one := _critic(episode))]
    fair = balanced_batch([one.right or 0.0 for one, _ in critics], [one.label for one, _ in critics])
    return [
        one.reward + pays * ((0.0 if one.unread else weighed) - (one.right or 0.0))
        for (one, pays), weighed in zip(critics, fair, strict=True)
    ]


class Refiner(TaggedRole):
    """Answers again: r2 + bonus (r2 - r1) (SCoRe, arXiv 2409.12917). The reader earns 1 if it mends a wrong one.

    Each earlier round earns its correctness for the estimator `turn-level` (RISE, arXiv 2407.18219).
    """

    name = "refiner"
    reward_kind = verdict()

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the task and the answer to refine, so that refiners of one match are compared."""
        return task_set(episode)

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Returns the reader's reward for a phase of its own, so that it is not compared with those of refiners."""
        idle = super().phases(episode, seat)
        return {"blind": episode.returns[seat]} if idle is None and seat == READER else idle

    def turn_rewards(self, episode: Scored, seat: str) -> Sequence[float] | None:
        """Returns whether each answer but the last is right; None if there is one answer."""
        outcome = outcomes(episode).get(seat)
        return list(outcome.turns) or None if outcome else None
