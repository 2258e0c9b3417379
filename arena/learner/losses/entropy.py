"""Losses that choose or weigh tokens by entropy, or by how their update changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, ClassVar

import numpy as np
import torch
from annotated_types import Interval
from torch import Tensor
from torch.nn.functional import huber_loss

from arena.learner.config import LossConfig
from arena.learner.losses.base import BaseLoss, Reduction, Unit
from arena.learner.losses.ppo import Bound, ClippedRatio, TokenMean
from arena.learner.losses.tokens import LossTokens

_SMOOTH = 1e-4
Share = Annotated[float, Interval(ge=0, le=1)]


def covariances(tokens: LossTokens) -> Tensor:
    """Returns (K,) (A - mean A) (log pi - mean log pi): a large one lowers the entropy most."""
    return (tokens.advantage - tokens.advantage.mean()) * (tokens.logp - tokens.logp.mean())


class SelectedTokens(ClippedRatio):
    """Base class: PPO's loss on the tokens for which `prepare` sets `keep` to 1, and no loss on those with 0."""

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether the clip or the selection removed the token's gradient."""
        losses, clipped = super().__call__(tokens)
        keep = tokens.prepared["keep"]
        return losses * keep, clipped | (keep == 0)


class CovarianceClip(SelectedTokens):
    """Clip-Cov (arXiv 2505.22617, eq. 10 to 12): PPO without some tokens of high covariance between log pi and A.

    Of the tokens with a covariance between `low` and `high` that PPO does not clip, a random `share` of all tokens
    loses its gradient. `low` = 1 assumes advantages of unit variance, as grpo and whiten make them.
    """

    reduction: ClassVar[Reduction] = "token"
    unit: ClassVar[Unit] = "sample"
    step_statistics: ClassVar[bool] = True
    needs_policy: ClassVar[bool] = True

    def __init__(self, config: LossConfig, share: Share = 2e-4, low: float = 1.0, high: float = 5.0) -> None:
        super().__init__(config)
        self.share, self.between = float(share), (float(low), float(high))

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns 1 for the tokens that keep their gradient."""
        cov, (low, high) = covariances(tokens), self.between
        eligible = ((cov > low) & (cov < high) & ~ClippedRatio.__call__(self, tokens)[1]).nonzero()[:, 0]
        order = torch.randperm(len(eligible), generator=tokens.step.generator).to(eligible.device)
        chosen = eligible[order[: max(int(self.share * len(cov)), 1)]]
        return {"keep": torch.ones_like(cov).index_fill(0, chosen, 0.0)}


class CovariancePenalty(BaseLoss):
    """KL-Cov (arXiv 2505.22617, eq. 13 and 14): -r A, plus beta |log r| on a `share` of tokens, of highest covariance.

    No ratio is clipped. `share` is a fraction (the authors' k_percent of 0.2 is 0.002). |log r| is smoothed within 1e-4
    of 0, where rounding would decide its sign, so the penalty has no gradient on-policy.

    beta: weight of the penalty.
    """

    reduction: ClassVar[Reduction] = "token"
    unit: ClassVar[Unit] = "sample"
    step_statistics: ClassVar[bool] = True
    needs_policy: ClassVar[bool] = True

    def __init__(self, config: LossConfig, share: Share = 2e-4, beta: Bound = 1.0) -> None:
        self.share, self.beta = float(share), float(beta)

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns 1 for the tokens that are penalised."""
        cov = covariances(tokens)
        top = cov.topk(max(1, int(self.share * len(cov)))).indices
        return {"penalised": torch.zeros_like(cov).index_fill(0, top, 1.0)}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        drift, ratio = tokens.drift, tokens.ratio
        free = tokens.weight * ratio * tokens.advantage
        penalty = huber_loss(drift, torch.zeros_like(drift), reduction="none", delta=_SMOOTH) / _SMOOTH
        losses = self.beta * tokens.prepared["penalised"] * penalty - free
        return losses, torch.zeros_like(ratio, dtype=torch.bool)


class HighEntropy(SelectedTokens, TokenMean):
    """80/20 (arXiv 2506.01939, eq. 6): DAPO's loss on the `share` of the step's tokens with the highest entropy only.

    The mean is over all tokens, those without a loss included, as in TRL; the paper's is over the others.
    """

    unit: ClassVar[Unit] = "sample"
    step_statistics: ClassVar[bool] = True
    needs_policy: ClassVar[bool] = True

    def __init__(self, config: LossConfig, share: Share = 0.2, low: Bound = 0.2, high: Bound = 0.28) -> None:
        super().__init__(config, low, high)
        self.share = float(share)

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns 1 for the tokens that keep their gradient; all tokens at the threshold do."""
        threshold = float(np.quantile(tokens.entropy.double().cpu().numpy(), 1 - self.share))
        return {"keep": (tokens.entropy.double() >= threshold).float()}


class EntropyModulated(ClippedRatio):
    """EMPG (arXiv 2509.09265, eq. 8, 10 to 12): A g(h) + zeta f(h of the next answer), minus its mean over the step.

    h is the mean entropy of an answer, scaled to 0..1 over the step; g = exp(-k h) / mean exp(-k h) and f = exp(-k h).
    Confident answers count more, and answers that lead to confident ones earn a bonus. The next answer is the next one
    of the same seat in the same match.

    k: how much the confidence of an answer counts.
    k_next: how much that of the next one counts.
    zeta: weight of the bonus.
    """

    unit: ClassVar[Unit] = "trajectory"
    step_statistics: ClassVar[bool] = True
    needs_policy: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(self, config: LossConfig, k: Bound = 1.0, k_next: Bound = 1.0, zeta: Bound = 0.1) -> None:
        super().__init__(config)
        self.k, self.k_next, self.zeta = float(k), float(k_next), float(zeta)

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns the modulated advantage."""
        samples, first = unique_samples(tokens)
        h = tokens.sample_mean(tokens.entropy)[first]
        h = (h - h.min()) / (h.max() - h.min() + 1e-8)
        g = (-self.k * h).exp()
        bonus = self.zeta * (-self.k_next * h).exp()
        bonus = torch.cat([bonus, bonus.new_zeros(1)])[next_samples(tokens.step.trajectory[samples])]
        advantage = tokens.advantage[first] * g / g.mean() + bonus
        of = torch.searchsorted(samples, tokens.sample)
        return {"advantage": (advantage - advantage.mean())[of]}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether clipping removed the token's gradient."""
        return super().__call__(replace(tokens, advantage=tokens.prepared["advantage"]))


def unique_samples(tokens: LossTokens) -> tuple[Tensor, Tensor]:
    """Returns (n,) the samples of the tokens in ascending order, and (n,) the place of one token of each."""
    samples, inverse = torch.unique(tokens.sample, return_inverse=True)
    first = torch.empty_like(samples).scatter_(0, inverse, torch.arange(len(inverse), device=inverse.device))
    return samples, first


def next_samples(trajectory: Tensor) -> Tensor:
    """Returns (n,) the index of the next sample with the same trajectory; -1 for the last one."""
    latest: dict[int, int] = {}
    out = []
    for i, number in reversed(list(enumerate(trajectory.tolist()))):
        out.append(latest.get(number, -1))
        latest[number] = i
    return torch.tensor(out[::-1], device=trajectory.device)
