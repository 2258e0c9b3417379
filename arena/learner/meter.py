"""Collects the metrics of a training step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from arena.learner.objective import Measured
from arena.learner.samples import TurnSample
from arena.learner.stats import StepStats

# Sums over decision tokens.
_FARTHEST = 300.0
"""the largest log weight whose exponential is summed; squares of larger ones overflow"""
_SUMS = ("policy", "entropy", "kl", "magnet_kl", "up", "clip_up", "down", "clip_down")


class Meter:
    """Accumulates the metrics of one step. `begin` discards what was added since the last `begin` without an `end`."""

    def __init__(self, samples: Sequence[TurnSample]) -> None:
        self._samples = len(samples)
        self._read = sum([len(s.prompt_ids) + len(s.completion_ids) for s in samples])
        self._decided = sum([len(s.decided()) for s in samples])
        self._start = time.perf_counter()
        self._seconds = dict.fromkeys(("pack", "forward", "backward", "optimizer", "publish", "reference"), 0.0)
        self._sums, self._tokens = dict.fromkeys(_SUMS, 0.0), 0
        self._weights = (0.0, 0.0, 0.0, 0.0)  # sums of 1, w, w^2 and w - log w - 1 before the first update
        self._computed = self._micro_batches = self._updates = 0
        self._loss = self._norm = self._lr = self._tau = 0.0
        self.begin(False)

    def begin(self, first: bool) -> None:
        """Start an optimizer step, or repeat it."""
        self._first = first
        self._open: list[Measured] = []
        self._losses: list[Tensor] = []
        self._read_now = 0

    def add(self, loss: Tensor, measured: Measured, computed: int) -> None:
        """Record a micro-batch. The tensors stay on the device, so this waits for nothing."""
        self._losses.append(loss.detach())
        self._open.append(measured)
        self._read_now += computed

    def end(self, norm: float, lr: float, tau: float) -> None:
        """Finish the optimizer step."""
        tables = [_to_host(measured) for measured in self._open]
        for names, table in tables:
            self._count(names, table)
        if self._first:
            log_w = np.concatenate([np.empty(0), *[table[names.index("log_ratio")] for names, table in tables]])
            w = np.exp(np.minimum(log_w, _FARTHEST))
            total = float(w.sum())
            self._weights = (len(w), total, float(w @ w), total - float(log_w.sum()) - len(w))
        self._loss += sum(torch.stack(self._losses).tolist()) if self._losses else 0.0
        self._computed += self._read_now
        self._micro_batches += len(self._losses)
        self._updates += 1
        self._norm, self._lr, self._tau = self._norm + norm, lr, tau
        self.begin(False)

    def _count(self, names: list[str], table: NDArray[np.float64]) -> None:
        """Add the rows (K,) of a table to the sums; "policy" is already divided by normaliser * samples."""
        self._tokens += table.shape[1]
        for name, value in zip(names, table.sum(1).tolist(), strict=True):
            if name in self._sums:
                self._sums[name] += value
        advantage, clipped = table[names.index("advantage")], table[names.index("clipped")]
        for name, selected in (("up", advantage > 0), ("down", advantage < 0)):
            self._sums[name] += np.count_nonzero(selected)
            self._sums[f"clip_{name}"] += float(clipped @ selected)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the wall time of the block to a part."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[part] += time.perf_counter() - start

    def add_up(self, add_up: Callable[[Tensor], None]) -> None:
        """Add what every process has measured. `add_up` replaces a tensor by its sum over all processes."""
        counts = (self._tokens, self._computed, self._micro_batches)
        values = torch.tensor([*self._sums.values(), *self._weights, self._loss, *counts], dtype=torch.float64)
        add_up(values)
        totals, sums = values.tolist(), len(_SUMS)
        self._sums = dict(zip(_SUMS, totals, strict=False))
        w = totals[sums : sums + 4]
        self._weights = (w[0], w[1], w[2], w[3])
        self._loss = totals[sums + 4]
        self._tokens, self._computed, self._micro_batches = map(int, totals[sums + 5 :])

    def stats(self, step: int, token_budget: int) -> StepStats:
        """Returns the metrics of the step, once it is over."""
        s, count = self._sums, max(self._tokens, 1)
        updates = max(self._updates, 1)
        n, w, w2, mismatch = self._weights
        total = time.perf_counter() - self._start
        return StepStats(
            step=step,
            samples=self._samples,
            tokens=self._read,
            computed_tokens=self._computed,
            decision_tokens=self._decided,
            micro_batches=self._micro_batches,
            token_budget=token_budget,
            loss=self._loss / updates,
            policy_loss=s["policy"] / updates,
            grad_norm=self._norm / updates,
            lr=self._lr,
            entropy=s["entropy"] / count,
            kl=s["kl"] / count,
            magnet_kl=s["magnet_kl"] / count,
            tau=self._tau,
            mismatch_kl=mismatch / max(n, 1.0),
            ess=w * w / (n * w2) if n else 1.0,
            clip_up=s["clip_up"] / max(s["up"], 1.0),
            clip_down=s["clip_down"] / max(s["down"], 1.0),
            seconds={**self._seconds, "total": total},
        )


def _to_host(measured: Measured) -> tuple[list[str], NDArray[np.float64]]:
    """Returns the names and a table with one row (K,) for each, in one transfer."""
    return list(measured), torch.stack([values.float() for values in measured.values()]).cpu().double().numpy()
