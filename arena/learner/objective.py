"""The objective of a step: policy loss + kl * KL(policy || start) - entropy * H + tau * KL(policy || magnet).

Entropy and divergences are those of the next token, exact over the tokens that sampling was restricted to, at every
decision token of the samples. Their gradient ignores that other tokens would have led to other positions.

Shapes: K decision tokens; all tensors are (K,) float32. Every term is a weighted sum over tokens. By default all
weights are 1 / (normaliser * samples): with this constant length (Dr. GRPO, arXiv 2503.20783) the weight of a token
does not depend on the length of its answer. Other weights are described at `BaseLoss.reduction`.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from arena.learner.batch import Batch
from arena.learner.config import LossConfig
from arena.learner.distributions import TokenValues
from arena.learner.losses import LossStep, LossTokens, PolicyLoss, policy_loss
from arena.learner.step_data import StepData

Measured = dict[str, Tensor]
"""values of K decision tokens by name, for the metrics of the step"""


class Objective:
    """The loss of a micro-batch; `loss` takes the place of the one that the settings name."""

    def __init__(self, config: LossConfig, loss: PolicyLoss | None = None) -> None:
        self.config = config
        self.policy_loss = loss or policy_loss(config)
        self.reduction = getattr(self.policy_loss, "reduction", "constant")

    def __call__(
        self, batch: Batch, data: StepData, values: Sequence[TokenValues], tau: float, step: LossStep
    ) -> tuple[Tensor, Measured]:
        """Returns the loss () of a micro-batch, and measured values. `values` has one for each of `batch.rows`."""
        all = TokenValues.joined(values)
        flat = torch.cat([rows.flat for rows in batch.rows])
        tokens = data.tokens(flat, step, all.logp, all.entropy.detach())
        losses, clipped = self.policy_loss(tokens)
        weights = self._weights(tokens)
        total = losses
        if self.config.entropy > 0:
            total = total - self.config.entropy * all.entropy
        if all.kl is not None:
            total = total + self.config.kl * all.kl
        if all.magnet_kl is not None:
            total = total + tau * all.magnet_kl
        measured = {
            "policy": losses * weights,
            "log_ratio": torch.where(tokens.replayed, 0.0, all.logp - tokens.sampler),
            "entropy": all.entropy,
            "clipped": clipped,
            "advantage": tokens.advantage,
        }
        measured |= {} if all.kl is None else {"kl": all.kl}
        measured |= {} if all.magnet_kl is None else {"magnet_kl": all.magnet_kl}
        return (total * weights).sum(), {name: value.detach() for name, value in measured.items()}

    def _weights(self, tokens: LossTokens) -> Tensor | float:
        """Returns the weight of each token, (K,) or one for all."""
        step = tokens.step
        if self.reduction == "token":
            return 1.0 / step.tokens
        if self.reduction == "sequence":
            return 1.0 / (step.samples * step.length[tokens.sample])
        return 1.0 / ((self.config.normaliser or 1.0) * step.samples)

    def prepare(self, tokens: LossTokens) -> dict[str, Tensor]:
        """Returns what the loss prepares for all tokens of an optimizer step; empty if it prepares nothing."""
        prepare = getattr(self.policy_loss, "prepare", None)
        return {} if prepare is None else dict(prepare(tokens))
