"""Counts what happens in a training step."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from arena.learner.loss import Tokens
from arena.learner.samples import TurnSample
from arena.learner.stats import StepStats

# Sums over decision tokens, in this order, kept on the device so that nothing waits for it.
_SUMS = ("tokens", "policy", "entropy", "kl", "magnet_kl", "up", "clip_up", "down", "clip_down")


class Meter:
    """Sums of one step. What was added since `begin` is forgotten by the next `begin` unless `end` came between."""

    def __init__(self, samples: Sequence[TurnSample]) -> None:
        self._samples = len(samples)
        self._read = sum(len(s.prompt_ids) + len(s.completion_ids) for s in samples)
        self._decided = sum(len(s.decided()) for s in samples)
        self._start = time.perf_counter()
        self._seconds = dict.fromkeys(("pack", "forward", "backward", "optimizer", "reference"), 0.0)
        self._sums = dict.fromkeys(_SUMS, 0.0)
        self._weights = (0.0, 0.0, 0.0, 0.0)  # sums of 1, w, w^2 and w - log w - 1 before the first update
        self._computed = self._micro_batches = self._updates = 0
        self._loss = self._norm = self._lr = self._tau = 0.0
        self.begin(False)

    def begin(self, first: bool) -> None:
        """A new optimizer step, or the same one again."""
        self._first = first
        self._open: list[Tensor] = []
        self._ratios: list[Tensor] = []
        self._open_loss, self._open_computed = 0.0, 0

    def end(self, norm: float, lr: float, tau: float, micro_batches: int) -> None:
        """The optimizer step was made."""
        for values in self._open:
            for name, value in zip(_SUMS, values.tolist(), strict=True):
                self._sums[name] += value
        if self._ratios:
            log_w = torch.cat(self._ratios).double()
            w = log_w.exp()
            self._weights = (len(w), float(w.sum()), float((w * w).sum()), float((w - log_w - 1.0).sum()))
        self._loss += self._open_loss
        self._computed += self._open_computed
        self._micro_batches += micro_batches
        self._updates += 1
        self._norm, self._lr, self._tau = self._norm + norm, lr, tau
        self.begin(False)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Count the wall time of a part."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[part] += time.perf_counter() - start

    @torch.no_grad()
    def add(
        self,
        tokens: Tokens,
        sampler: Tensor,
        policy: Tensor,
        clipped: Tensor,
        entropy: Tensor,
        kl: Tensor,
        magnet_kl: Tensor,
    ) -> None:
        """The decision tokens of some rows, (K,) each; `policy` is already divided as the loss is."""
        up, down = tokens.advantage > 0, tokens.advantage < 0
        counts = (up.sum(), (up & clipped).sum(), down.sum(), (down & clipped).sum())
        sums = (policy.sum(), entropy.sum(), kl.sum(), magnet_kl.sum(), *counts)
        self._open.append(torch.stack([policy.new_tensor(float(len(policy))), *(s.to(policy.dtype) for s in sums)]))
        if self._first:
            self._ratios.append(tokens.logp.detach() - sampler)

    def add_batch(self, loss: float, computed: int) -> None:
        """One micro-batch is done."""
        self._open_loss += loss
        self._open_computed += computed

    def stats(self, step: int, token_budget: int) -> StepStats:
        """Everything, once the step is over."""
        s, count = self._sums, max(self._sums["tokens"], 1.0)
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
