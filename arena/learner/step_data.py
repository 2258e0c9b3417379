"""The samples of a training step as tables: what losses read of each sample and of each decision token.

Shapes: N samples, K decision tokens of all of them; micro-batches select tokens by their places `flat` among the K.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from arena.learner.batch import offsets
from arena.learner.losses import LossStep, LossTokens
from arena.learner.samples import TurnSample
from games import InputError

T = TypeVar("T", bound=Hashable)
Other = Literal["teacher", "reference", "kept"]
"""policies whose log probabilities losses read beside those of the policy"""
OTHERS: tuple[Other, ...] = get_args(Other)


class StepData:
    """The N samples of a step and tables of their K decision tokens. Raises InputError if a number is not finite.

    With `scored` the rewards are the samples' scores, for a loss that needs a kind of reward.
    """

    def __init__(self, samples: Sequence[TurnSample], device: torch.device, scored: bool = False) -> None:
        self.samples, self.starts, self.device = samples, offsets(samples), device
        decided = [s.decided() for s in samples]
        self._lengths = list(map(len, decided))
        sampler = [s.logprobs[t] for s, positions in zip(samples, decided, strict=True) for t in positions]
        token = [s.completion_ids[t] for s, positions in zip(samples, decided, strict=True) for t in positions]
        rewards = [s.score for s in samples] if scored else [s.reward for s in samples]
        if None in rewards:
            raise InputError("the loss reads scores of rewards, and a sample has none; see `TurnSample.score`")
        credits = np.array([[s.advantage for s in samples], rewards], dtype=np.float32)
        table = np.ones((3, len(sampler)), dtype=np.float32)
        table[:2] = sampler
        if not np.isfinite(table).all() or not np.isfinite(credits).all():
            raise InputError("a sample has a log probability, a reward or an advantage that is not finite")
        self._advantage, self._reward = self._columns(credits)
        self._table = torch.from_numpy(table).to(device)
        sample = np.repeat(np.arange(len(samples)), self._lengths)
        position = list(chain.from_iterable(decided))
        self._sample, self._position, self._token = self._columns(np.array([sample, position, token], dtype=np.int64))
        groups, _ = _numbered([s.group for s in samples])
        trajectories, _ = _numbered([s.trajectory for s in samples])
        keys, self._keys = _numbered([s.key for s in samples])
        columns = np.array([self._lengths, [s.turn for s in samples], groups, trajectories, keys], dtype=np.int64)
        self._length, self._turn, self._group, self._trajectory, self._key = self._columns(columns)
        (self._replayed,) = self._columns(np.array([[s.replayed for s in samples]]))
        self._measured = torch.from_numpy(np.full((2 + len(OTHERS), len(sampler)), np.nan, dtype=np.float32)).to(device)
        self._prepared: dict[str, Tensor] = {}

    def _columns(self, table: NDArray[Any]) -> list[Tensor]:
        """Returns the rows of a table as tensors. Several times as fast as the rows of a tensor."""
        return [torch.from_numpy(row).to(self.device) for row in table]

    def flat_of(self, part: Sequence[int]) -> Tensor:
        """Returns (K,) the places of the decision tokens of the samples `part`."""
        places = [np.arange(self.starts[i], self.starts[i] + self._lengths[i]) for i in part]
        return torch.from_numpy(np.concatenate(places)).to(self.device)

    def step(self, part: Sequence[int], number: int, seed: int) -> LossStep:
        """Returns an optimizer step over the samples `part`, after `number` others."""
        return LossStep(
            number=number,
            generator=torch.Generator().manual_seed((seed * 1_000_003 + number) % (1 << 63)),
            samples=len(part),
            tokens=sum(map(self._lengths.__getitem__, part)),
            length=self._length,
            reward=self._reward,
            advantage=self._advantage,
            turn=self._turn,
            group=self._group,
            trajectory=self._trajectory,
            key=self._key,
            keys=self._keys,
            replayed=self._replayed,
        )

    def tokens(self, flat: Tensor, step: LossStep, logp: Tensor, entropy: Tensor) -> LossTokens:
        """Returns the tokens at places `flat` (K,), with their `logp` and `entropy` (K,) under the current policy."""
        sampler, old, weight = self._table.index_select(1, flat)
        sample = self._sample.index_select(0, flat)
        others = dict(zip(OTHERS, self._measured[2:].index_select(1, flat), strict=True))
        return LossTokens(
            logp=logp,
            old=old,
            weight=weight,
            advantage=self._advantage.index_select(0, sample),
            sampler=sampler,
            entropy=entropy,
            sample=sample,
            position=self._position.index_select(0, flat),
            token=self._token.index_select(0, flat),
            **others,
            step=step,
            prepared={name: values.index_select(0, flat) for name, values in self._prepared.items()},
        )

    def whole(self, flat: Tensor, step: LossStep) -> LossTokens:
        """Returns all tokens of an optimizer step for `prepare`, with what `set_now` stored; NaN if not stored."""
        return self.tokens(flat, step, *self._measured[:2].index_select(1, flat))

    def set_now(self, flat: Tensor, logp: Tensor, entropy: Tensor) -> None:
        """Store `logp` and `entropy` (K,) under the current policy."""
        self._measured[0, flat], self._measured[1, flat] = logp, entropy

    def set_other(self, name: Other, flat: Tensor, logp: Tensor) -> None:
        """Store `logp` (K,) under another policy."""
        self._measured[2 + OTHERS.index(name), flat] = logp

    @contextmanager
    def measured_together(self, flat: Tensor, name: Other | None, add_up: Callable[[Tensor], None]) -> Iterator[None]:
        """Inside the block each process stores its measurements of tokens at `flat` (K,); afterwards all share them.

        `name` is the policy that is measured; None: the current one. `add_up` replaces a tensor by its sum over all
        processes.
        """
        rows = slice(0, 2) if name is None else slice(2 + OTHERS.index(name), 3 + OTHERS.index(name))
        self._measured[rows, flat] = 0.0
        yield
        values = self._measured[rows, flat]
        add_up(values)
        self._measured[rows, flat] = values

    def take_old(self, cap: float) -> None:
        """Take ratios against the probabilities of `set_now` instead of the sampler's.

        The ratio between the two becomes the tokens' importance weight, at most `cap`.
        """
        self._table[1] = self._measured[0]
        self._table[2] = (self._measured[0] - self._table[0]).exp().clamp(max=cap)

    def set_prepared(self, flat: Tensor, values: Mapping[str, Tensor]) -> None:
        """Keep what a loss prepared for the tokens at `flat` (K,)."""
        count = self._table.shape[1]
        self._prepared = {
            name: value.new_zeros(count).index_copy(0, flat, value.detach()) for name, value in values.items()
        }


def _numbered(keys: Sequence[T]) -> tuple[list[int], tuple[T, ...]]:
    """Returns the number of each key, and the keys by number, in order of first appearance."""
    numbers = defaultdict[T, int](count().__next__)
    return list(map(numbers.__getitem__, keys)), tuple(numbers)
