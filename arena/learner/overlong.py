"""What is learned from answers that the limit of tokens ended, instead of the model.

mask: the credit of a seat that played such an answer is dropped: it has no gradient and is not in the baseline, as in
    DAPO's filtering (arXiv 2503.14476, section 3.4). A credit for a phase is dropped for an answer in that phase. What
    could not be played because it was cut off (a failed attempt, a forfeit) is trained: the game has punished it.
penalty: the reward becomes R - max over the answers of P(n), with n tokens, the limit L and B = buffer * L:
    P(n) = 0 for n <= L - B; (n - (L - B)) / B for L - B < n < L; 1 for an answer that the limit ended (DAPO, eq. 13).
train: nothing changes; a cut text that is played trains at its full reward.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from arena.learner.credit import Credit
from arena.records import Decision, Episode, Sample


def without_overlong(
    episodes: Sequence[Episode],
    credits: Sequence[Credit],
    mode: Literal["mask", "penalty", "train"],
    limit: int,
    buffer: float = 0.2,
) -> list[Credit]:
    """Returns the credits to learn from, in order. `limit`: the largest number of tokens of an answer."""
    if mode == "train":
        return list(credits)
    by_match = {episode.match: episode for episode in episodes}
    if mode == "mask":
        return [c for c in credits if not any(s.truncated for s in _played(by_match[c.match], c))]
    worst = [max((penalty(s, limit, buffer) for s in _all(by_match[c.match], c)), default=0.0) for c in credits]
    return [replace(c, reward=c.reward - p) if p else c for c, p in zip(credits, worst, strict=True)]


def penalty(sample: Sample, limit: int, buffer: float) -> float:
    """Returns P(n) of an answer: from 0 for a short one to 1 for a truncated one."""
    if sample.truncated:
        return 1.0
    zone = buffer * limit
    return max(0.0, (len(sample.completion_ids) - (limit - zone)) / zone) if zone else 0.0


def _played(episode: Episode, credit: Credit) -> Iterator[Sample]:
    """Yields the answers that the seat played, in the credit's phase if it has one."""
    for turn in episode.turns:
        if turn.seat == credit.seat and credit.phase in ("", turn.phase) and turn.sample is not None:
            yield turn.sample


def _all(episode: Episode, credit: Credit) -> Iterator[Sample]:
    """Yields all answers of the seat, failed attempts included."""
    tried: list[Decision] = []
    for turn in episode.turns:
        if turn.seat == credit.seat and credit.phase in ("", turn.phase):
            tried += turn.attempts
    if episode.forfeited_by == credit.seat:
        tried += episode.failure
    yield from (attempt.sample for attempt in tried if attempt.sample is not None)
