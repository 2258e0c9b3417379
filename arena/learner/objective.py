"""What a step minimises: policy loss + kl * KL(policy || start) - entropy * H + tau * KL(policy || magnet).

Entropy and divergences are those of the next token after what was read, exact over the tokens that sampling was
restricted to, at every decision token of the samples; that other tokens would have led elsewhere is not differentiated.

Shapes: K decision tokens, all (K,) float32. Everything is a sum over tokens and divided by normaliser * samples (the
constant length of Dr. GRPO, arXiv 2503.20783: a long answer weighs neither more nor less for each of its tokens).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from arena.learner.batch import Batch, Rows
from arena.learner.config import LossConfig
from arena.learner.data import StepData
from arena.learner.loss import Spread, Tokens, policy_loss

Seen = dict[str, Tensor]
"""what the meter is told of K decision tokens, by name"""


class Objective:
    """The loss of a micro-batch."""

    def __init__(self, config: LossConfig) -> None:
        self.config = config
        self.policy_loss = policy_loss(config)

    def __call__(
        self,
        batch: Batch,
        data: StepData,
        policy: Sequence[Spread],
        magnet: Sequence[Spread] | None,
        reference: Sequence[Spread] | None,
        tau: float,
        samples: int,
    ) -> tuple[Tensor, list[Seen]]:
        """The loss () of a step's micro-batch, and what there is to tell of it; a `Spread` for each of its rows.

        `samples`: how many the whole optimizer step has.
        """
        scale = 1.0 / (self.config.normaliser * samples)
        losses, seen = [], []
        for n, rows in enumerate(batch.rows):
            loss, told = self._tokens(
                rows, data, policy[n], magnet[n] if magnet else None, reference[n] if reference else None, tau
            )
            losses.append(loss * scale)
            seen.append(told | {"policy": told["policy"] * scale})
        return (losses[0] if len(losses) == 1 else torch.stack(losses).sum()), seen

    def _tokens(
        self, rows: Rows, data: StepData, spread: Spread, magnet: Spread | None, reference: Spread | None, tau: float
    ) -> tuple[Tensor, Seen]:
        """The sum over the decision tokens of some rows, not yet divided."""
        logp = spread.sampled(rows)
        sampler, old, weight, advantage = data.of(rows.flat)
        policy, clipped = self.policy_loss(Tokens(logp, old, weight, advantage))
        loss, bonus = policy.sum(), self.config.entropy
        with torch.set_grad_enabled(bonus > 0):  # else it is only told, not trained on
            entropy = spread.entropy().index_select(0, rows.row)
        now = logp.detach()
        seen = {"policy": policy, "log_ratio": now - sampler, "entropy": entropy, "clipped": clipped}
        seen["advantage"] = advantage
        if bonus > 0:
            loss = loss - bonus * entropy.sum()
        if reference is not None:
            seen["kl"] = spread.kl_to(reference).index_select(0, rows.row)
            loss = loss + self.config.kl * seen["kl"].sum()
        if magnet is not None:
            seen["magnet_kl"] = spread.kl_to(magnet).index_select(0, rows.row)
            loss = loss + tau * seen["magnet_kl"].sum()
        return loss, {name: values.detach() for name, values in seen.items()}
