"""Counts what happens in a training step."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from arena.learner.objective import Seen
from arena.learner.samples import TurnSample
from arena.learner.stats import StepStats

# Sums over decision tokens.
_SUMS = ("policy", "entropy", "kl", "magnet_kl", "up", "clip_up", "down", "clip_down")


class Meter:
    """Sums of one step. What was added since `begin` is forgotten by the next `begin` unless `end` came between."""

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
        """A new optimizer step, or the same one again."""
        self._first = first
        self._open: list[Seen] = []
        self._losses: list[Tensor] = []
        self._read_now = 0

    def add(self, loss: Tensor, seen: Sequence[Seen], computed: int) -> None:
        """One micro-batch is done; its figures stay on the device, so that nothing waits for them."""
        self._losses.append(loss.detach())
        self._open += seen
        self._read_now += computed

    def end(self, norm: float, lr: float, tau: float) -> None:
        """The optimizer step was made."""
        told = [_on_the_host(seen) for seen in self._open]
        for names, table in told:
            self._count(names, table)
        if self._first:
            log_w = np.concatenate([table[names.index("log_ratio")] for names, table in told])
            w = np.exp(log_w)
            total = float(w.sum())
            self._weights = (len(w), total, float(w @ w), total - float(log_w.sum()) - len(w))
        self._loss += sum(map(float, self._losses))
        self._computed += self._read_now
        self._micro_batches += len(self._losses)
        self._updates += 1
        self._norm, self._lr, self._tau = self._norm + norm, lr, tau
        self.begin(False)

    def _count(self, names: list[str], table: NDArray[np.float64]) -> None:
        """Rows of (K,) by name; the policy's loss is already divided as the loss is."""
        self._tokens += table.shape[1]
        for name, value in zip(names, table.sum(1).tolist(), strict=True):
            if name in self._sums:
                self._sums[name] += value
        advantage, clipped = table[names.index("advantage")], table[names.index("clipped")]
        for name, there in (("up", advantage > 0), ("down", advantage < 0)):
            self._sums[name] += np.count_nonzero(there)
            self._sums[f"clip_{name}"] += float(clipped @ there)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Count the wall time of a part."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[part] += time.perf_counter() - start

    def stats(self, step: int, token_budget: int) -> StepStats:
        """Everything, once the step is over."""
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


def _on_the_host(seen: Seen) -> tuple[list[str], NDArray[np.float64]]:
    """Names and one row (K,) for each, in one copy."""
    return list(seen), torch.stack([values.float() for values in seen.values()]).cpu().double().numpy()
