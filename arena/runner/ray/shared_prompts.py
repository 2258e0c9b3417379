"""Episodes on their way from a worker: the start that a prompt shares with an earlier one is sent and decoded once.

A seat's prompts repeat the rules and what was said so far, and the rules are the same in all matches of a game. Most of
the driver's time for an episode that the learner reads goes into the numbers of its tokens, which travel apart from the
samples (`token_arrays.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec.structs import force_setattr, replace

from arena.common_prefix import common_prefix
from arena.match import Decision, Episode, Sample
from arena.runner.ray.token_arrays import TokenArrays, TokenArrayWriter, put_back

Shared = tuple[int, int]
"""the number of an earlier sample of the message, and how many tokens at the start of its prompt a sample repeats"""


def shorten(episodes: Sequence[Episode]) -> tuple[list[Episode], list[Shared], TokenArrays]:
    """The episodes without the numbers of their samples; for each sample, in order, what its prompt shares; the rest of
    the numbers.
    """
    writer = TokenArrayWriter()
    prompts: list[tuple[int, ...]] = []
    shared: list[Shared] = []
    first: dict[tuple[str, str], int] = {}
    """game and role -> the sample with the newest prompt that began a match"""

    def short(episode: Episode, seat: str, attempts: Iterable[Decision], last: dict[str, int]) -> tuple[Decision, ...]:
        decisions = []
        for attempt in attempts:
            sample = attempt.sample
            if sample is not None:
                key, number = (episode.game, episode.roles.get(seat, "")), len(prompts)
                other = last.get(seat, first.get(key))
                count = 0 if other is None else common_prefix(prompts[other], sample.prompt_ids)
                prompts.append(sample.prompt_ids)
                shared.append((other or 0, count))
                if seat not in last:
                    first[key] = number
                last[seat] = number
                attempt = replace(attempt, sample=writer.take(sample, count))
            decisions.append(attempt)
        return tuple(decisions)

    out = []
    for episode in episodes:
        last: dict[str, int] = {}
        turns = tuple(replace(t, attempts=short(episode, t.seat, t.attempts, last)) for t in episode.turns)
        failure = short(episode, episode.offender, episode.failure, last)
        out.append(replace(episode, turns=turns, failure=failure))
    return out, shared, writer.arrays()


def restore(episodes: Iterable[Episode], shared: Sequence[Shared], arrays: TokenArrays) -> None:
    """Restores token numbers of decoded episodes in place. Raises ValueError if `shared` or `arrays` is unsound."""
    samples = list(chain.from_iterable(map(_samples, episodes)))
    put_back(samples, arrays)
    prompts: list[tuple[int, ...]] = []
    for sample, (number, count) in zip(samples, shared, strict=True):
        if count:
            if not 0 <= number < len(prompts) or not 0 < count <= len(prompts[number]):
                raise ValueError(f"a prompt repeats {count} tokens of sample {number}, which has fewer")
            force_setattr(sample, "prompt_ids", prompts[number][:count] + sample.prompt_ids)
        prompts.append(sample.prompt_ids)


def _samples(episode: Episode) -> Iterator[Sample]:
    attempts = chain(*(turn.attempts for turn in episode.turns), episode.failure)
    return (attempt.sample for attempt in attempts if attempt.sample is not None)
