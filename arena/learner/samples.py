"""From episodes and advantages to what the learner trains on: one sample for each time the policy wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.learner.baseline import Key
from arena.learner.credit import Credit
from arena.match.records import Decision, Episode


@dataclass(frozen=True, slots=True)
class TurnSample:
    """One completion, exactly as it was sampled. P = prompt tokens, T = completion tokens."""

    prompt_ids: tuple[int, ...]
    """(P,)"""
    completion_ids: tuple[int, ...]
    """(T,)"""
    logprobs: tuple[float, ...]
    """(T,) under the distribution sampled from"""
    allowed: tuple[tuple[int, ...] | None, ...] | None
    """(T,) the tokens sampling was restricted to at each position; None: unrestricted"""
    advantage: float
    temperature: float
    key: Key
    """(game, role, phase)"""
    version: int = 0
    """version of the weights that sampled"""

    _decided: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        allowed = self.allowed or (None,) * len(self.completion_ids)
        object.__setattr__(self, "_decided", tuple(t for t, a in enumerate(allowed) if a is None or len(a) > 1))

    def decided(self) -> tuple[int, ...]:
        """The positions where more than one token was possible; the others carry no gradient."""
        return self._decided


def turn_samples(
    episodes: Sequence[Episode], credits: Sequence[Credit], advantages: Sequence[float]
) -> list[TurnSample]:
    """Every completion of every credited seat, in the order it was written.

    Failed attempts are samples too, those of a forfeited or a substituted turn included: they share what the whole turn
    came to. That unlearns them where they cost the match; a slip that was mended at the next attempt, in a match that
    was won, is taught with it, and only a role's reward can say otherwise. The random action of a substituted turn is
    no sample, and what it brought is no merit of the attempts that it stands for: they are never taught with an
    advantage above 0. A greedy completion (temperature 0) was not sampled
    and is left out. A credit for one phase counts for the turns of that phase only. Where a credit is split, all
    attempts of a turn carry that turn's part; a forfeited turn comes after the last.
    """
    earned = {(c.match, c.seat, c.phase): float(a) for c, a in zip(credits, advantages, strict=True)}
    seats = {(c.match, c.seat): c.split for c in credits}
    out = []
    for episode in episodes:
        for seat, role, phase, turn, attempt, replaced in _attempts(episode):
            if (episode.match, seat) not in seats or attempt.sample is None or attempt.sample.temperature == 0.0:
                continue
            whole = earned.get((episode.match, seat, ""))
            advantage = earned.get((episode.match, seat, phase), whole)
            split = seats[episode.match, seat]
            if advantage is None or (split is not None and turn >= len(split)):
                continue
            if split is not None:
                advantage *= split[turn]
            if replaced:
                advantage = min(advantage, 0.0)
            s = attempt.sample
            key = (episode.game, role, phase)
            out.append(
                TurnSample(
                    s.prompt_ids, s.completion_ids, s.logprobs, s.allowed, advantage, s.temperature, key, s.version
                )
            )
    return out


def _attempts(episode: Episode) -> Iterator[tuple[str, str, str, int, Decision, bool]]:
    """(seat, role, phase, index among the seat's turns, attempt, whether a random action stood in for it) of all
    trainable turns, then of the forfeited one.

    The record of a forfeit keeps no phase: it is the one of the seat's turn before, or "play".
    """
    last = "play"
    taken = dict.fromkeys(episode.seats, 0)
    for turn in episode.turns:
        if turn.opening:
            continue
        if turn.seat == episode.forfeited_by:
            last = turn.phase
        if turn.trainable:
            for attempt in turn.attempts:
                yield turn.seat, turn.role, turn.phase, taken[turn.seat], attempt, turn.substituted
        taken[turn.seat] += 1
    for attempt in episode.failure:
        seat = episode.forfeited_by
        yield seat, episode.roles[seat], last, taken[seat], attempt, False
