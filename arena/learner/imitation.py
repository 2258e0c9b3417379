"""Behaviour cloning: a trainer learns answers that somebody else gave, before it learns from its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor

from arena.learner.config import LossConfig, ReplayConfig
from arena.learner.losses.base import BaseLoss, Reduction
from arena.learner.losses.tokens import LossTokens
from arena.learner.objective import Objective
from arena.learner.samples import TurnSample
from arena.learner.trainer import Trainer


class Imitated(NamedTuple):
    """The loss in the first and in the last epoch: by default the mean -log p of the answers' tokens."""

    before: float
    after: float


class _Cloning(BaseLoss):
    """-log p of each token: the sampler's probabilities are not used."""

    reduction: ClassVar[Reduction] = "token"

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        return -tokens.logp, torch.zeros_like(tokens.logp, dtype=torch.bool)


def imitate(
    trainer: Trainer, samples: Sequence[TurnSample], epochs: int, batch: int, lr: float | None, returns: bool = False
) -> Imitated:
    """Train on answers, `batch` of them in each optimizer step; the learning rate falls linearly to 0.

    `returns`: by ppo on their advantages, with ratios to the probabilities with which they were sampled. The trainer
    then begins anew from these weights: optimizer, schedule, magnet and reference start over.
    """
    usual, o = trainer.config, trainer.config.optimizer
    parts = max(1, round(len(samples) / batch))
    schedule = {"lr": lr or o.lr, "schedule": "linear", "warmup": 0, "horizon": epochs * parts}
    optimizer = o.model_copy(update=schedule | {"epochs": 1, "minibatches": parts})
    loss = LossConfig(**usual.loss.model_dump(include={"clip_low", "clip_high", "weight_cap"}))
    changes = {"loss": loss, "optimizer": optimizer, "replay": ReplayConfig(), "recompute_old": False}
    trainer.config = usual.model_copy(update=changes)
    trainer.objective = Objective(loss, None if returns else _Cloning())
    try:
        losses = [trainer.step(samples).policy_loss for _ in range(epochs)]
    finally:
        trainer.config = usual
        trainer.restart({name: master.detach().clone() for name, master in trainer.weights.masters.items()})
    return Imitated(losses[0], losses[-1])
