"""Seeded sampling: one uniform number per token, inverted through the distribution, independent of the batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.inference.chat import ChatCodec
from arena.inference.engine import Completion

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Sampled:
    """One sampled token. `allowed` is the nucleus if top_p removed a token."""

    token: int
    logprob: float
    allowed: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class SampledChoice:
    """A sampled choice of T tokens."""

    choice: int
    """index among the request's choices"""
    ids: tuple[int, ...]
    logprobs: tuple[float, ...]
    allowed: tuple[tuple[int, ...] | None, ...]
    version: int | None = None
    """version of the weights that decided, at last; None: unknown, or there was nothing to decide"""
    versions: tuple[int, ...] | None = None
    """(T,) version of the weights that decided each token, if they changed in the middle"""

    def completion(self, codec: ChatCodec, version: int) -> Completion:
        """Returns the completion of the request; `version` if the choice has no version."""
        version = version if self.version is None else self.version
        text = codec.decode(self.ids)
        return Completion(self.ids, self.logprobs, self.allowed, "stop", text, version, self.versions, self.choice)


def forced(run: Sequence[int]) -> tuple[list[int], list[float], list[tuple[int, ...] | None]]:
    """Returns ids, log probabilities and allowed tokens of tokens that follow without a decision."""
    return list(run), [0.0] * len(run), [(token,) for token in run]


def log_softmax(logits: Sequence[float], temperature: float, top_p: float = 1.0) -> list[float]:
    """Returns (n,) log probabilities of a few alternatives in double precision; -inf for those that top_p removes.

    At temperature 0 the first of the largest logits has probability 1.
    """
    top = max(logits)
    if temperature == 0.0:
        best = logits.index(top)
        return [0.0 if i == best else -math.inf for i in range(len(logits))]
    scaled = [(x - top) / temperature for x in logits]
    norm = math.log(sum(map(math.exp, scaled)))
    logps = [x - norm for x in scaled]
    if top_p >= 1.0:
        return logps
    order = sorted(range(len(logps)), key=lambda i: -logps[i])
    kept, mass = 0, 0.0
    while kept == 0 or (mass < top_p and kept < len(order)):
        mass += math.exp(logps[order[kept]])
        kept += 1
    for i in order[kept:]:
        logps[i] = -math.inf
    return [x - math.log(mass) for x in logps]


def draw(logps: Sequence[float], uniform: float) -> int:
    """Returns the index that `uniform` in [0, 1) selects; never one of probability 0."""
    total, last = 0.0, 0
    for i, logp in enumerate(logps):
        if logp == -math.inf:
            continue
        total += math.exp(logp)
        last = i
        if uniform < total:
            return i
    return last


def sample_rows(
    logits: Tensor, temperatures: Sequence[float], top_ps: Sequence[float], uniforms: Sequence[float]
) -> list[Sampled]:
    """Returns one token for each row. logits (B, V) float32; the other three (B,).

    Log probabilities are a float32 log-softmax of logits / temperature, renormalised over the nucleus (Holtzman et
    al. 2020) if top_p < 1.
    """
    import torch

    warm = torch.tensor([t or 1.0 for t in temperatures], device=logits.device)
    logps = torch.log_softmax(logits / warm[:, None], dim=-1)
    cut = [i for i, (t, p) in enumerate(zip(temperatures, top_ps, strict=True)) if p < 1.0 and t > 0.0]
    if cut:
        logps[cut] = _nucleus(logps[cut], torch.tensor([top_ps[i] for i in cut], device=logits.device))
    picked = draw_rows(logps, torch.tensor(uniforms, dtype=torch.float64, device=logits.device))
    if 0.0 in temperatures:
        cold = torch.tensor([t == 0.0 for t in temperatures], device=logits.device)
        picked = torch.where(cold, logits.argmax(dim=-1), picked)
    chosen = logps.gather(1, picked[:, None])[:, 0].tolist()
    allowed = {i: tuple(logps[i].isfinite().nonzero()[:, 0].tolist()) for i in cut}
    return [
        Sampled(token, 0.0 if temperatures[i] == 0.0 else chosen[i], allowed.get(i))
        for i, token in enumerate(picked.tolist())
    ]


def draw_rows(logps: Tensor, uniforms: Tensor) -> Tensor:
    """Returns (B,) the tokens that `uniforms` (B,) float64 in [0, 1) select from log probabilities (B, V).

    Never selects a token of probability 0. The cumulative sum is in float64.
    """
    import torch

    cdf = logps.exp().cumsum(dim=-1, dtype=torch.float64)
    total = cdf[:, -1:]
    below = torch.nextafter(total, torch.zeros_like(total))  # rounding must not select past the last token
    return torch.searchsorted(cdf, torch.minimum(uniforms[:, None] * total, below), right=True)[:, 0]


def _nucleus(logps: Tensor, top_p: Tensor) -> Tensor:
    """Returns (B, V) renormalised over the smallest set that reaches top_p; -inf outside it."""
    import torch

    ordered, order = logps.sort(dim=-1, descending=True, stable=True)
    probs = ordered.exp()
    before = probs.cumsum(dim=-1, dtype=torch.float64) - probs  # probability of the tokens before each one
    ordered = ordered.masked_fill(before >= top_p[:, None], -torch.inf)
    ordered[:, 0] = logps.gather(1, order[:, :1])[:, 0]
    kept = torch.empty_like(logps).scatter_(1, order, ordered)
    return torch.log_softmax(kept, dim=-1)
