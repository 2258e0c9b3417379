"""Losses whose minimum is a step towards the Nash equilibrium of a preference: SPPO, INPO, Nash mirror prox.

The reward of an answer is the share of answers of the same policy that it is preferred to, as `prefer` pays it. With
k answers in a group, r_i estimates P(y_i > pi_t) from the k - 1 others. For linear targets all that pairs of answers
say is in r: the mean over pairs of (x_i - x_j - (2 P_ij - 1) / (2 eta))^2 has the gradient of that of
(x_i - x_j - t (r_i - r_j))^2 with t = (k - 1) / (k eta), which is k / (k - 1) (z_i - mean z)^2 summed over the group,
z = x - t r. So pairs are never formed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from annotated_types import Ge, Gt
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.answers import Answers, linear
from arena.learner.losses.base import BaseLoss, Reduction, Unit
from arena.learner.losses.tokens import LossTokens
from games.errors import InputError
from roles.reward_kind import NeededKind

Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]


class SequencePreference(BaseLoss):
    """Base class: a loss of whole answers. A subclass defines `losses`."""

    reduction: ClassVar[Reduction] = "sequence"
    unit: ClassVar[Unit] = "group"
    needs_policy: ClassVar[bool] = True
    needs_kind: NeededKind | None = "preference"
    compares: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns the slope and the value of each token's answer."""
        return Answers.of_step(tokens).prepared(tokens, self.losses)

    def losses(self, answers: Answers) -> Tensor:
        """Returns (U,) the loss of each answer, with a gradient by `answers.policy`."""
        raise NotImplementedError

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        return linear(tokens)


class SelfPlayPreference(SequencePreference):
    """SPPO (Wu et al. 2024, arXiv 2405.00675, eq. 4.6): (log pi / pi_t - eta (r - 1/2))^2 for each answer.

    pi_t is the policy that sampled. The authors' code has eta = 1000 (its beta is 1 / eta) and keeps the best and the
    worst of five answers; the paper's equation has all. Its r also counts the answer itself, as a tie.

    eta: size of the step.
    """

    def __init__(self, config: LossConfig, eta: Positive = 1000.0) -> None:
        self.eta = float(eta)

    def losses(self, answers: Answers) -> Tensor:
        """Returns (U,) squared distances from the target."""
        return (answers.policy - answers.old - self.eta * (answers.reward - 0.5)).square()


class IterativeNash(SequencePreference):
    """INPO (Zhang et al. 2024, arXiv 2407.00617, eq. 8): (h(y_w, y_l) - 1 / (2 eta))^2 over all pairs of a group, with

    h = D(pi) - tau / eta D(pi_ref) - (eta - tau) / eta D(pi_t), where D(p) = log p(y_w) - log p(y_l). pi_t is the
    policy that sampled, pi_ref the one before training. The minimum is
    pi_{t+1} ~ exp(P(y > pi_t) / eta) pi_ref^(tau / eta) pi_t^(1 - tau / eta): a step of mirror
    descent of size 1 / eta on the game with the penalty tau KL(pi || pi_ref).
    The equilibrium of that game is near the unpenalised one if tau is small. tau = eta / 3 is the paper's, whose eta
    is 0.005; 0.0075 is that of a published training with it. The paper's pairs are the best and the worst of eight
    answers.

    eta: divides the step.
    tau: weight of the penalty; at most eta.
    """

    needs_reference: ClassVar[bool] = True

    def __init__(self, config: LossConfig, eta: Positive = 0.0075, tau: NotNegative = 0.0025) -> None:
        if tau > eta:
            raise InputError(f"inpo(eta={eta}, tau={tau}): tau must be at most eta")
        self.eta, self.tau = float(eta), float(tau)

    def losses(self, answers: Answers) -> Tensor:
        """Returns (U,) each answer's half of the squared distances of its pairs."""
        share = self.tau / self.eta
        target = share * answers.reference + (1 - share) * answers.old
        return spread(answers, answers.policy - target, 1 / self.eta)


class NashMirrorProx(SequencePreference):
    """Nash mirror prox (Tiapkin et al. 2025, arXiv 2505.19731): two training steps make one of the method.

    From pi_k, the first step maximises P(y > pi_k) - beta KL(pi || ref) - KL(pi || pi_k) / eta and gives pi_{k+1/2}.
    The second one plays against pi_{k+1/2}, and its divergence is still from pi_k, which the trainer keeps; it gives
    pi_{k+1}. Each maximum is pi ~ (exp(P) ref^beta pi_k^(1 / eta))^(1 / (beta + 1 / eta)), and is reached as in INPO:
    by regression over all pairs of a group. The paper's own training takes policy gradients against a slow copy of the
    weights instead of this regression; the defaults are ours.

    beta: weight of the divergence from the policy before training.
    eta: size of the step.
    """

    needs_reference: ClassVar[bool] = True
    keeps: ClassVar[int] = 2

    def __init__(self, config: LossConfig, beta: NotNegative = 0.05, eta: Positive = 0.5) -> None:
        self.beta, self.eta = float(beta), float(eta)

    def losses(self, answers: Answers) -> Tensor:
        """Returns (U,) each answer's half of the squared distances of its pairs."""
        total = self.beta + 1 / self.eta
        target = self.beta / total * answers.reference + (1 / self.eta) / total * answers.kept
        return spread(answers, answers.policy - target, 1 / total)


def spread(answers: Answers, x: Tensor, scale: float) -> Tensor:
    """Returns (U,) k / (k - 1) (z - mean z)^2 with z = x - scale (k - 1) / k r; 0 in a group of one.

    The sum over a group of two is the squared distance of x_1 - x_2 from scale (r_1 - r_2) / 2.
    """
    size = answers.size.to(x.dtype)
    z = x - scale * (size - 1) / size * answers.reward
    centred = z - answers.mean(z)
    return centred.square() * size / (size - 1).clamp(min=1)
