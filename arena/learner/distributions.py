"""The distributions that tokens are sampled from, computed from logits.

Shapes: M tokens whose logits are kept, V vocabulary, R rows (distributions), A alternatives, K decision tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from arena.learner.batch import Rows


@dataclass(frozen=True, slots=True)
class TokenValues:
    """What the objective reads of K decision tokens; all (K,) float32."""

    logp: Tensor
    """log probability under the policy"""
    entropy: Tensor
    """of the policy, in nats; without a gradient unless the objective has an entropy bonus"""
    kl: Tensor | None = None
    """KL(policy || start)"""
    magnet_kl: Tensor | None = None
    """KL(policy || magnet)"""

    @classmethod
    def joined(cls, parts: Sequence[TokenValues]) -> TokenValues:
        """Returns the values of all parts, in order."""
        if len(parts) == 1:
            return parts[0]
        logp, entropy = torch.cat([p.logp for p in parts]), torch.cat([p.entropy for p in parts])
        kl, magnet = [p.kl for p in parts if p.kl is not None], [p.magnet_kl for p in parts if p.magnet_kl is not None]
        return cls(logp, entropy, torch.cat(kl) if kl else None, torch.cat(magnet) if magnet else None)


@dataclass(slots=True)
class TokenDistribution:
    """R distributions with the restriction and the temperature that sampling used."""

    logps: Tensor
    """(R, A or V) float32; 0 at padding"""
    real: Tensor | None
    """(R, A) bool, False at padding; None: no padding"""

    @classmethod
    def of(cls, logits: Tensor, rows: Rows) -> TokenDistribution:
        """From logits (M, V): gather the support, divide by the temperature, normalise."""
        return cls.of_selected(_selected(logits, rows), rows)

    @classmethod
    def of_selected(cls, selected: Tensor, rows: Rows) -> TokenDistribution:
        """From the logits (R, A or V) of the tokens that sampling was restricted to."""
        selected = selected.float() if selected.dtype.itemsize < 4 else selected
        if rows.temperature is not None:
            selected = selected / rows.temperature[:, None]
        if rows.real is None:
            return cls(torch.log_softmax(selected, dim=-1), None)
        logps = torch.log_softmax(selected.masked_fill(~rows.real, -torch.inf), dim=-1)
        return cls(logps.masked_fill(~rows.real, 0.0), rows.real)

    @property
    def probs(self) -> Tensor:
        """(R, A or V); 0 at padding."""
        return self.logps.exp() if self.real is None else self.logps.exp() * self.real

    def sampled(self, rows: Rows) -> Tensor:
        """Returns (K,) log probability of each decision token."""
        return self.logps.flatten().index_select(0, rows.row * self.logps.shape[1] + rows.column)

    def entropy(self) -> Tensor:
        """Returns (R,) in nats."""
        return -(self.probs * self.logps).sum(-1)

    def values(
        self, rows: Rows, start: TokenDistribution | None, magnet: TokenDistribution | None, bonus: bool
    ) -> TokenValues:
        """Returns the values of the decision tokens of `rows`. `bonus`: whether the entropy needs a gradient."""
        logp = self.sampled(rows)  # the first: autograd adds gradients in the order of these lines, to the last bit
        with torch.set_grad_enabled(bonus and torch.is_grad_enabled()):
            entropy = self.entropy().index_select(0, rows.row)
        kl, magnet_kl = (
            None if other is None else self.kl_to(other).index_select(0, rows.row) for other in (start, magnet)
        )
        return TokenValues(logp, entropy, kl, magnet_kl)

    def mixed(self, floor: float) -> TokenDistribution:
        """Returns (1 - floor) * these distributions + floor * uniform over the same support."""
        if floor == 0.0:
            return self
        size = self.logps.shape[1] if self.real is None else self.real.sum(-1, keepdim=True)
        probs = (1.0 - floor) * self.probs + floor / size
        return TokenDistribution(probs.log() if self.real is None else probs.log() * self.real, self.real)

    def kl_to(self, other: TokenDistribution) -> Tensor:
        """Returns (R,) KL(self || other), exact over the support, and so is its gradient.

        With the magnet rho as `other`, this is the regulariser of magnetic mirror descent, which maximises
        E_pi[q] - tau KL(pi || rho) - KL(pi || pi_t) / eta (Sokota et al. 2023, arXiv 2206.05825). PPO's clip, or a
        single step of bounded size, takes the place of the last term.
        """
        return (self.probs * (self.logps - other.logps)).sum(-1)


def _selected(logits: Tensor, rows: Rows) -> Tensor:
    """Returns (M, V) -> (R, V), or (R, A) if sampling was restricted. Copies no row unnecessarily."""
    if rows.support is None:
        return logits if rows.at is None else logits.index_select(0, rows.at)
    return logits.gather(1, rows.support) if rows.at is None else logits[rows.at[:, None], rows.support]
