"""The output layer in chunks of rows: log probability, entropy and divergences without all logits in memory.

For a row with hidden state h (d,), inverse temperature b and W (V, d): z = b W h, log p = z - logsumexp(z). The values
are log p of the sampled token, H = -sum p log p, and K = sum p (log p - log q) for every other policy q. With the
gradients g of the values, that of z is

    g_l (1[token] - p) - g_H p (log p + H) + sum_q g_K p (log p - log q - K)

so the backward pass needs only h, W and the values, and computes z again. Peak memory is a few buffers of
(chunk, V) float32 instead of (R, V), and the gradient of W.

Shapes: R rows, d hidden size, V vocabulary, K decision tokens, C rows of a chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from arena.learner.batch import Rows
from arena.learner.distributions import TokenDistribution, TokenValues


@dataclass(frozen=True, slots=True)
class HiddenStates:
    """What a model computed up to its output layer, and that layer."""

    hidden: Tensor
    """(M, d) of the kept tokens"""
    weight: Tensor
    """(V, d)"""
    bias: Tensor | None
    """(V,)"""

    def of(self, rows: Rows) -> Tensor:
        """Returns (R, d) the hidden states of the rows."""
        return self.hidden if rows.at is None else self.hidden.index_select(0, rows.at)


@dataclass(frozen=True, slots=True)
class OtherPolicy:
    """A policy q to measure the divergence from, mixed with a share `floor` of the uniform distribution."""

    states: HiddenStates
    floor: float = 0.0


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How the output layer is computed."""

    rows: int
    """rows of a chunk"""
    fp32: bool
    """compute the matrix product in float32 also if the model has another precision"""


def chunked_values(
    states: HiddenStates,
    rows: Rows,
    start: HiddenStates | None,
    magnet: OtherPolicy | None,
    settings: ChunkSettings,
    bonus: bool,
) -> TokenValues:
    """Returns the values of the decision tokens of `rows`; the same as those of a `TokenDistribution` of all logits.

    `bonus`: whether the entropy needs a gradient.
    """
    if rows.support is not None:
        policy = _restricted(states, rows, settings)
        other = None if start is None else _restricted(start, rows, settings)
        drawn = None if magnet is None else _restricted(magnet.states, rows, settings).mixed(magnet.floor)
        return policy.values(rows, other, drawn, bonus)
    others = [each for each in (None if start is None else OtherPolicy(start), magnet) if each is not None]
    logp, entropy, *kls = _Values.apply(  # type: ignore[no-untyped-call]
        states.of(rows),
        states.weight,
        states.bias,
        rows,
        [(other.states.of(rows), other) for other in others],
        settings,
    )
    divergences = [kl.index_select(0, rows.row) for kl in kls]
    entropy = entropy.index_select(0, rows.row)
    return TokenValues(
        logp,
        entropy if bonus else entropy.detach(),
        None if start is None else divergences[0],
        None if magnet is None else divergences[-1],
    )


class _Values(torch.autograd.Function):
    """(K,) log p of tokens, (R,) entropies, and for each other policy (R,) divergences."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        rows: Rows,
        others: Sequence[tuple[Tensor, OtherPolicy]],
        settings: ChunkSettings,
    ) -> tuple[Tensor, ...]:
        temperature, row, column = rows.temperature, rows.row, rows.column
        layer = _Layer(weight, bias, temperature, settings)
        count = len(hidden)
        exact = torch.promote_types(hidden.dtype, torch.float32)
        logp = torch.empty(len(row), dtype=exact, device=hidden.device)
        entropy = torch.empty(count, dtype=exact, device=hidden.device)
        kls = [torch.empty_like(entropy) for _ in others]
        for at, tokens in _chunks(rows.first, settings.rows):
            log_p = layer.log_probs(hidden[at], at)  # (C, V)
            p = log_p.exp()
            logp[tokens] = log_p[row[tokens] - at.start, column[tokens]]
            entropy[at] = -_dot(p, log_p)
            for kl, log_q in zip(kls, _log_probs_of(others, at, temperature, settings), strict=True):
                kl[at] = -entropy[at] - _dot(p, log_q)
        ctx.save_for_backward(hidden, weight, entropy, *kls)
        ctx.rest = (bias, rows, others, settings)
        ctx.set_materialize_grads(False)
        return logp, entropy, *kls

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        hidden, weight, entropy, *kls = ctx.saved_tensors
        bias, rows, others, settings = ctx.rest
        temperature, row, column = rows.temperature, rows.row, rows.column
        g_token, g_entropy, *g_kls = gradients
        layer = _Layer(weight, bias, temperature, settings)
        d_hidden = torch.empty_like(hidden)
        d_weight = torch.zeros_like(weight, dtype=entropy.dtype) if ctx.needs_input_grad[1] else None
        d_bias = torch.zeros_like(bias, dtype=entropy.dtype) if ctx.needs_input_grad[2] else None
        for at, tokens in _chunks(rows.first, settings.rows):
            z = layer.log_probs(hidden[at], at)
            p = z.exp()
            slope, constant = torch.zeros_like(entropy[at]), torch.zeros_like(entropy[at])
            if g_entropy is not None:
                slope, constant = slope - g_entropy[at], constant - g_entropy[at] * entropy[at]
            if g_token is not None:
                constant = constant.index_add(0, row[tokens] - at.start, -g_token[tokens])
            used = [g is not None for g in g_kls]
            for kl, g in zip(kls, g_kls, strict=True):
                if g is not None:
                    slope, constant = slope + g[at], constant - g[at] * kl[at]
            z.mul_(slope[:, None]).add_(constant[:, None])
            if any(used):
                for g, log_q in zip(g_kls, _log_probs_of(others, at, temperature, settings), strict=True):
                    if g is not None:
                        z.sub_(log_q.mul_(g[at][:, None]))
            z.mul_(p)
            del p
            if g_token is not None:
                z.index_put_((row[tokens] - at.start, column[tokens]), g_token[tokens], accumulate=True)
            if temperature is not None:
                z.div_(temperature[at][:, None])
            if d_bias is not None:
                d_bias += z.sum(0)
            layer.add_gradients(z, hidden[at], d_hidden[at], d_weight)
        return (
            d_hidden,
            None if d_weight is None else d_weight.to(weight.dtype),
            None if d_bias is None else d_bias.to(bias.dtype),
            *[None] * 3,
        )


class _Layer:
    """The output layer with the temperatures of the rows (R,)."""

    def __init__(
        self, weight: Tensor, bias: Tensor | None, temperature: Tensor | None, settings: ChunkSettings
    ) -> None:
        self.weight = weight.float() if settings.fp32 and weight.dtype.itemsize < 4 else weight
        self.bias, self.temperature = bias, temperature

    def log_probs(self, hidden: Tensor, at: slice) -> Tensor:
        """Returns (C, V) log probabilities of the rows `at`, with the hidden states `hidden` (C, d)."""
        z = hidden.to(self.weight.dtype) @ self.weight.T
        z = z.float() if z.dtype.itemsize < 4 else z
        if self.bias is not None:
            z.add_(self.bias)
        if self.temperature is not None:
            z.div_(self.temperature[at][:, None])
        return z.sub_(torch.logsumexp(z, dim=-1, keepdim=True))

    def add_gradients(self, z: Tensor, hidden: Tensor, d_hidden: Tensor, d_weight: Tensor | None) -> None:
        """Write the gradient of the hidden states (C, d) for that of the logits `z` (C, V), and add that of the weight.

        With a model in half precision the products are computed in it; the sum over chunks stays in float32.
        """
        z = z.to(self.weight.dtype)
        d_hidden.copy_(z @ self.weight)
        if d_weight is not None and d_weight.dtype == z.dtype:
            d_weight.addmm_(z.T, hidden.to(z.dtype))
        elif d_weight is not None:
            d_weight.add_(z.T @ hidden)


def _log_probs_of(
    others: Sequence[tuple[Tensor, OtherPolicy]], at: slice, temperature: Tensor | None, settings: ChunkSettings
) -> Iterator[Tensor]:
    """Yields (C, V) the log probabilities of the rows `at` under each other policy."""
    for hidden, other in others:
        layer = _Layer(other.states.weight, other.states.bias, temperature, settings)
        log_q = layer.log_probs(hidden[at], at)
        if other.floor > 0:
            log_q.exp_().mul_(1 - other.floor).add_(other.floor / log_q.shape[1]).log_()
        yield log_q


def _chunks(first: list[int], size: int) -> Iterator[tuple[slice, slice]]:
    """Yields the rows of each chunk, and their tokens; `first`: see `Rows.first`."""
    count = len(first) - 1
    for start in range(0, count, size):
        stop = min(start + size, count)
        yield slice(start, stop), slice(first[start], first[stop])


def _dot(a: Tensor, b: Tensor) -> Tensor:
    """Returns (C,) the dot products of the rows of two (C, V), without an intermediate of that shape."""
    return torch.bmm(a[:, None], b[:, :, None])[:, 0, 0]


def _restricted(states: HiddenStates, rows: Rows, settings: ChunkSettings) -> TokenDistribution:
    """Returns the distributions over the tokens that sampling was restricted to, from the columns that rows need."""
    assert rows.support is not None
    columns, support = torch.unique(rows.support, return_inverse=True)  # (U,), (R, A)
    weight = states.weight.index_select(0, columns)
    bias = None if states.bias is None else states.bias.index_select(0, columns)
    hidden = states.of(rows)

    def selected(hidden: Tensor, weight: Tensor, support: Tensor) -> Tensor:
        if settings.fp32:
            hidden, weight = hidden.float(), weight.float()
        return torch.nn.functional.linear(hidden, weight, bias).gather(1, support)

    parts = [
        checkpoint(selected, h, weight, s, use_reentrant=False)
        for h, s in zip(torch.split(hidden, settings.rows), torch.split(support, settings.rows), strict=True)
    ]
    return TokenDistribution.of_selected(torch.cat(parts), rows)
