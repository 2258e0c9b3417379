"""The objective of a step: policy loss + kl * KL(policy || start) - entropy * H + tau * KL(policy || magnet).

Entropy and divergences are those of the next token, exact over the tokens that sampling was restricted to, at every
decision token of the samples. Their gradient ignores that other tokens would have led to other positions.

Shapes: K decision tokens; all tensors are (K,) float32. Every term is a sum over tokens, divided by normaliser *
samples. With this constant length (Dr. GRPO, arXiv 2503.20783) the weight of a token does not depend on the length of
its answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from arena.learner.batch import Batch, Rows, offsets
from arena.learner.config import LossConfig
from arena.learner.distributions import TokenDistribution
from arena.learner.losses import LossTokens, policy_loss
from arena.learner.samples import TurnSample
from games import InputError

Measured = dict[str, Tensor]
"""values of K decision tokens by name, for the metrics of the step"""


class StepData:
    """The N samples of a step and a table of their K decision tokens. Raises InputError if a number is not finite."""

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

    def at(self, flat: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Four (K,) tensors of the decision tokens at the places `flat` (K,): the sampler's log probability, the one
        that ratios are taken against, the importance weight between the two, and the advantage.
        """
        sampler, old, weight, advantage = self._table.index_select(1, flat)
        return sampler, old, weight, advantage

    def set_old(self, flat: Tensor, logp: Tensor, cap: float) -> None:
        """Take ratios against `logp` (K,) instead of the sampler's probabilities.

        The ratio between the two becomes the tokens' importance weight, at most `cap`.
        """
        self._table[1, flat] = logp
        self._table[2, flat] = (logp - self._table[0, flat]).exp().clamp(max=cap)


class Objective:
    """The loss of a micro-batch."""

    def __init__(self, config: LossConfig) -> None:
        self.config = config
        self.policy_loss = policy_loss(config)

    def __call__(
        self,
        batch: Batch,
        data: StepData,
        policy: Sequence[TokenDistribution],
        magnet: Sequence[TokenDistribution] | None,
        reference: Sequence[TokenDistribution] | None,
        tau: float,
        samples: int,
    ) -> tuple[Tensor, list[Measured]]:
        """The loss () of a micro-batch, and measured values for each element of `batch.rows`.

        `policy`, `magnet` and `reference` have one `TokenDistribution` for each element of `batch.rows`. `samples` is
        the number of samples in the whole optimizer step.
        """
        scale = 1.0 / ((self.config.normaliser or 1.0) * samples)
        losses, measured = [], []
        for n, rows in enumerate(batch.rows):
            loss, values = self._tokens(
                rows, data, policy[n], magnet[n] if magnet else None, reference[n] if reference else None, tau
            )
            losses.append(loss * scale)
            measured.append(values | {"policy": values["policy"] * scale})
        return (losses[0] if len(losses) == 1 else torch.stack(losses).sum()), measured

    def _tokens(
        self,
        rows: Rows,
        data: StepData,
        policy: TokenDistribution,
        magnet: TokenDistribution | None,
        reference: TokenDistribution | None,
        tau: float,
    ) -> tuple[Tensor, Measured]:
        """The sum of all terms over the decision tokens of `rows`, before the division."""
        logp = policy.sampled(rows)
        sampler, old, weight, advantage = data.at(rows.flat)
        losses, clipped = self.policy_loss(LossTokens(logp, old, weight, advantage))
        total, bonus = losses.sum(), self.config.entropy
        with torch.set_grad_enabled(bonus > 0):  # otherwise the entropy is only measured
            entropy = policy.entropy().index_select(0, rows.row)
        log_ratio = logp.detach() - sampler
        measured = {"policy": losses, "log_ratio": log_ratio, "entropy": entropy, "clipped": clipped}
        measured["advantage"] = advantage
        if bonus > 0:
            total = total - bonus * entropy.sum()
        if reference is not None:
            measured["kl"] = policy.kl_to(reference).index_select(0, rows.row)
            total = total + self.config.kl * measured["kl"].sum()
        if magnet is not None:
            measured["magnet_kl"] = policy.kl_to(magnet).index_select(0, rows.row)
            total = total + tau * measured["magnet_kl"].sum()
        return total, {name: values.detach() for name, values in measured.items()}
