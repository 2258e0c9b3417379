"""The samples of a step and, for all their decision tokens one after another, what the losses need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from arena.learner.batch import offsets
from arena.learner.samples import TurnSample
from games import InputError


class StepData:
    """N samples with K decision tokens in all. Raises InputError for a number that is not finite."""

    def __init__(self, samples: Sequence[TurnSample], device: torch.device) -> None:
        self.samples, self.starts = samples, offsets(samples)
        sampler: list[float] = []
        advantage: list[float] = []
        for s in samples:
            decided = s.decided()
            sampler += [s.logprobs[t] for t in decided]
            advantage += [s.advantage] * len(decided)
        table = np.array([sampler, sampler, [1.0] * len(sampler), advantage], dtype=np.float32)
        if not np.isfinite(table).all():
            raise InputError("a sample has a log probability or an advantage that is not finite")
        self._table = torch.from_numpy(table).to(device)

    def of(self, flat: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """For some decision tokens, (K,) each: the sampler's log probability, the one ratios are taken against, the
        importance weight between the two, the advantage.
        """
        sampler, old, weight, advantage = self._table.index_select(1, flat)
        return sampler, old, weight, advantage

    def take_old(self, flat: Tensor, logp: Tensor, cap: float) -> None:
        """Take ratios of some tokens against `logp` (K,) instead of the sampler's; a weight, cut at `cap`, takes in
        what lies between the two.
        """
        self._table[1, flat] = logp
        self._table[2, flat] = (logp - self._table[0, flat]).exp().clamp(max=cap)
