"""Answers that the limit of tokens ended, instead of the model, are not learned from.

The credit of a seat that played such an answer is dropped: it has no gradient and is not in the baseline, as in DAPO's
filtering (arXiv 2503.14476, section 3.4). A credit for a phase is dropped for an answer in that phase. What could not
be played because it was cut off (a failed attempt, a forfeit) is trained: the game has punished it.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.learner.credit import Credit
from arena.records import Episode


def without_overlong(episodes: Sequence[Episode], credits: Sequence[Credit]) -> list[Credit]:
    """Returns the credits to learn from, in order."""
    by_match = {episode.match: episode for episode in episodes}
    return [credit for credit in credits if not _truncated(by_match[credit.match], credit)]


def _truncated(episode: Episode, credit: Credit) -> bool:
    """Returns whether an answer that the seat played, in the credit's phase if it has one, was cut off."""
    return any(
        turn.seat == credit.seat
        and credit.phase in ("", turn.phase)
        and turn.sample is not None
        and turn.sample.truncated
        for turn in episode.turns
    )
