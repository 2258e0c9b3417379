"""The roles of critic, credited as in SPC: 1 or -1 by whether the critic is right, -1 for an invalid step.

In a match in which the critic is shown the correct step, the sneaky player does nothing and gets no credit. The
correct and the wrong steps of a batch weigh the same for the critic: where a sneaky player often fails, most steps that
a critic is asked about are correct, and "correct" for all of them would earn half of a good critic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.native.common.rewards import balanced_batch
from roles.native.tagged import Speaker
from roles.reward_kind import outcome
from roles.rewards.credit import EpisodeWithFacts, from_batch, outcomes
from roles.types import Scored


class Sneaky(Speaker):
    """Writes a wrong step that looks correct."""

    name = "sneaky"
    reward_kind = outcome(0.0)
    form = "Reply only with the step."


class Critic(Speaker):
    """Judges whether a step is correct."""

    name = "critic"
    reward_kind = outcome(0.0)
    form = "End with your verdict, one word: correct or incorrect."

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]]:
        """Returns 2 a - 1, where a is the balanced agreement over the batch; -1 for an unreadable verdict."""
        return from_batch(episodes, self.name, _is_judged, _agreement)


def _is_judged(episode: EpisodeWithFacts) -> bool:
    """Returns whether a match of this game asked the critic."""
    critic = outcomes(episode).get("critic")
    return critic is not None and critic.label is not None


def _agreement(episodes: Sequence[EpisodeWithFacts]) -> list[float]:
    critics = [outcomes(episode)["critic"] for episode in episodes]
    agreed = balanced_batch([one.right or 0.0 for one in critics], [one.label for one in critics])
    return [-1.0 if one.unread else 2 * a - 1 for one, a in zip(critics, agreed, strict=True)]
