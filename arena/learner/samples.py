"""Training samples: one for each completion of the policy, with its advantage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from arena.learner.baseline import Key
from arena.learner.credit import Credit
from arena.records import Decision, Episode
from games.errors import InputError


@dataclass(frozen=True, slots=True)
class TurnSample:
    """One completion exactly as it was sampled. P prompt tokens, T completion tokens."""

    prompt_ids: tuple[int, ...]
    """(P,)"""
    completion_ids: tuple[int, ...]
    """(T,)"""
    logprobs: tuple[float, ...]
    """(T,) log probabilities under the distribution that was sampled from"""
    allowed: tuple[tuple[int, ...] | None, ...] | None
    """(T,) the tokens that sampling was restricted to at each position; None: unrestricted"""
    advantage: float
    temperature: float
    key: Key
    """(game, role, phase)"""
    version: int = 0
    """version of the weights that sampled the completion"""
    reward: float = 0.0
    """the reward of its credit"""
    turn: int = 0
    """index of the turn among those of its seat"""
    group: tuple[str, ...] = ()
    """`Credit.group_key`: samples with an equal one answer the same task"""
    trajectory: tuple[str, ...] = ()
    """(match, seat)"""
    replayed: bool = False
    """a sample of an earlier step"""
    score: float | None = None
    """its reward from 0 to 1 by its kind: `Credit.score`"""

    _decided: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.allowed:
            decided = tuple(range(len(self.completion_ids)))
        else:
            decided = tuple(t for t, a in enumerate(self.allowed) if a is None or len(a) > 1)
        object.__setattr__(self, "_decided", decided)

    def decided(self) -> tuple[int, ...]:
        """Returns the positions where more than one token was possible; other positions have no gradient."""
        return self._decided


def check_ids(samples: Iterable[TurnSample], vocabulary: int) -> None:
    """Raises InputError for a token that the model does not have: a GPU would report it as a kernel's assertion."""
    for sample in samples:
        for ids in (sample.prompt_ids, sample.completion_ids, *filter(None, sample.allowed or ())):
            if ids and not (min(ids) >= 0 and max(ids) < vocabulary):
                wrong = next(id for id in ids if not 0 <= id < vocabulary)
                raise InputError(
                    f"a sample of {sample.key} holds the token id {wrong}; the model has ids from 0 to {vocabulary - 1}"
                )


def units_of(samples: Sequence[TurnSample], unit: Literal["sample", "trajectory", "group"]) -> list[list[int]]:
    """Returns the indices of the samples of each unit, in order of first appearance."""
    if unit == "sample":
        return [[i] for i in range(len(samples))]
    units: dict[tuple[str, ...], list[int]] = {}
    for i, sample in enumerate(samples):
        units.setdefault(sample.group if unit == "group" else sample.trajectory, []).append(i)
    return list(units.values())


def turn_samples(
    episodes: Sequence[Episode],
    credits: Sequence[Credit],
    advantages: Sequence[float],
    by_turn: Sequence[Sequence[float]] | None = None,
) -> list[TurnSample]:
    """Returns one sample for every completion of every credited seat, in the order of play.

    Failed attempts are samples too, including those of a forfeited or substituted turn; all attempts of a turn have its
    advantage. This discourages attempts that lose the match. It also encourages a failed attempt that was corrected in
    a match that was won, unless the role's reward penalises it. The random action of a substituted turn is not a
    sample, and the advantage of the failed attempts before it is at most 0, because they did not earn its result.
    Greedy completions (temperature 0) were not sampled and are excluded. A credit with a phase applies to the turns of
    that phase only. If a credit is split, all attempts of a turn have that turn's factor; a forfeited turn follows the
    last one. `by_turn` gives each credit the advantages of its seat's turns instead, the last one for all later turns.
    """
    turns = by_turn or [(float(a),) for a in advantages]
    earned = {(c.match, c.seat, c.phase): (c, each) for c, each in zip(credits, turns, strict=True)}
    seats = {(c.match, c.seat): c.split for c in credits}
    out = []
    for episode in episodes:
        for seat, role, phase, turn, attempt, replaced in _attempts(episode):
            if (episode.match, seat) not in seats or attempt.sample is None or attempt.sample.temperature == 0.0:
                continue
            credited = earned.get((episode.match, seat, phase)) or earned.get((episode.match, seat, ""))
            split = seats[episode.match, seat]
            if credited is None or (split is not None and turn >= len(split)):
                continue
            credit, each = credited
            advantage = each[min(turn, len(each) - 1)]
            if split is not None:
                advantage *= split[turn]
            if replaced:
                advantage = min(advantage, 0.0)
            s = attempt.sample
            out.append(
                TurnSample(
                    s.prompt_ids,
                    s.completion_ids,
                    s.logprobs,
                    s.allowed,
                    advantage,
                    s.temperature,
                    (episode.game, role, phase),
                    s.version,
                    credit.reward,
                    turn,
                    credit.group_key,
                    (episode.match, seat),
                    score=credit.score,
                )
            )
    return out


def _attempts(episode: Episode) -> Iterator[tuple[str, str, str, int, Decision, bool]]:
    """(seat, role, phase, index among the seat's turns, attempt, substituted) for each attempt of the trainable turns
    and then of the forfeited one."""
    taken = dict.fromkeys(episode.seats, 0)
    for turn in episode.turns:
        if turn.opening:
            continue
        if turn.trainable:
            for attempt in turn.attempts:
                yield turn.seat, turn.role, turn.phase, taken[turn.seat], attempt, turn.substituted
        taken[turn.seat] += 1
    for attempt in episode.failure:
        seat = episode.offender
        yield seat, episode.roles[seat], episode.last_phase, taken[seat], attempt, False
