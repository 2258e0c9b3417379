"""Losses of a chosen and a rejected answer: DPO, and Temporal Self-Rewarding, which takes them from different times."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from arena.learner.config import LossConfig
from arena.learner.losses.answers import Answers
from arena.learner.losses.preference import Positive, SequencePreference


class DirectPreference(SequencePreference):
    """DPO (Rafailov et al. 2023, arXiv 2305.18290, eq. 7): -log sigmoid(beta (h(y_w) - h(y_l))), h = log pi / pi_ref.

    The chosen answer is the most preferred one of a group, the rejected one the least; a group without a difference has
    no loss. With `soft` it is the exact likelihood of a Bradley-Terry model in a group of two, whose maximum is
    exploitable if preferences are cyclic. The paper's beta is 0.1.

    beta: weight of the log ratios.
    soft: count the opposite preference too: -P log sigmoid(z) - (1 - P) log sigmoid(-z), P = (1 + r_w - r_l) / 2.
    """

    needs_reference: ClassVar[bool] = True

    def __init__(self, config: LossConfig, beta: Positive = 0.1, soft: bool = False) -> None:
        self.beta, self.soft = float(beta), soft
        self.needs_kind = "preference" if soft else None  # otherwise only the order of rewards counts

    def losses(self, answers: Answers) -> Tensor:
        """Returns (U,) half of the loss of its pair for a chosen and a rejected answer, 0 for others."""
        every = torch.ones_like(answers.replayed)
        return self.of_pairs(answers, answers.best(answers.reward, every), answers.best(-answers.reward, every))

    def base(self, answers: Answers) -> Tensor:
        """Returns (U,) log probabilities under the policy before training, pi_ref."""
        return answers.reference

    def of_pairs(self, answers: Answers, chosen: Tensor, rejected: Tensor) -> Tensor:
        """Returns (U,) losses of the pairs (G,) of answers; -1 stands for a missing answer."""
        real = (chosen >= 0) & (rejected >= 0)
        chosen, rejected = chosen.clamp(min=0), rejected.clamp(min=0)
        better = answers.reward[chosen] - answers.reward[rejected]
        ratio = answers.policy - self.base(answers)
        z = self.beta * (ratio[chosen] - ratio[rejected])
        sure = (1 + better) / 2 if self.soft else torch.ones_like(better)
        loss = torch.where(real & (better > 0), -sure * logsigmoid(z) - (1 - sure) * logsigmoid(-z), 0.0)
        nothing = 0.0 * answers.policy  # so that a step without pairs has a gradient
        return nothing.index_add(0, chosen, loss / 2).index_add(0, rejected, loss / 2)


class TemporalPreference(DirectPreference):
    """Temporal Self-Rewarding (Wang et al. 2025, arXiv 2508.06026): DPO whose rejected answer is of the first policy.

    Chosen is the best answer of the present policy and of the one before it, rejected the worst answer of the policy
    before training to the same task, so that both do not improve together. Both earlier answers come from the replay
    buffer: set `[replay] keep = "temporal"`. In the paper the present policy is an interim model trained for this
    purpose; here it is that of the next step. pi_ref is the policy at the start of the step. The paper rejects the
    worst answer of the present policy if that is worse than the first one's, and never chooses the first one's.

    beta: weight of the log ratios, as in DPO.
    """

    needs_reference: ClassVar[bool] = False
    needs_temporal: ClassVar[bool] = True
    keeps: ClassVar[int] = 1

    def __init__(self, config: LossConfig, beta: Positive = 0.1) -> None:
        super().__init__(config, beta=beta)

    def base(self, answers: Answers) -> Tensor:
        """Returns (U,) log probabilities under the policy at the start of the step."""
        return answers.kept

    def losses(self, answers: Answers) -> Tensor:
        """Returns (U,) half of the loss of its pair for a chosen and a rejected answer, 0 for others."""
        every = torch.ones_like(answers.replayed)
        chosen = answers.best(answers.reward, every)
        return self.of_pairs(answers, chosen, answers.best(-answers.reward, answers.replayed))
