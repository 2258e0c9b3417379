"""Self-imitation with a curriculum: first tool calls are paid, then own right answers are imitated more and more.

    arena check progressive --plugin scripts/examples/spear.py; arena check spear --plugin scripts/examples/spear.py
    arena study scripts/examples/study_spear.toml

After "Learn the Ropes, Then Trust the Wins" (SPEAR), a seed of this project whose abstract was read: a replay buffer of
good trajectories for off-policy updates; an auxiliary reward for tool calls that matters at first; self-imitation that
is strengthened as training goes on; advantages of replayed answers that are computed again; and the clipping of tokens
of high covariance. Use both with `[replay] share`. The schedules are cosines; the published ones were not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import cos, pi
from typing import Annotated, Any

import numpy as np
import torch
from annotated_types import Ge
from numpy.typing import NDArray
from torch import Tensor

from arena.learner import Credit, LossConfig, LossTokens
from arena.learner.advantages import GroupRelative
from arena.learner.advantages import register as register_advantage
from arena.learner.losses import register as register_loss
from arena.learner.losses.entropy import CovarianceClip

Steps = Annotated[int, Ge(0)]


def rise(step: int, steps: int) -> float:
    """Returns what rises from 0 to 1 along a cosine over `steps` steps; 1 if there are none."""
    return 0.5 * (1 - cos(pi * min(1.0, step / steps))) if steps else 1.0


@register_advantage("progressive")
class Progressive(GroupRelative):
    """GRPO of right or wrong plus a falling share of what else was earned, such as a bonus for tool calls.

    steps: training steps after which only right or wrong counts
    """

    def __init__(self, steps: Steps = 40) -> None:
        super().__init__()
        self.steps, self.step = steps, 0

    def advantages(self, credits: Sequence[Credit]) -> NDArray[np.float64]:
        """Returns (N,) advantages within groups."""
        share = 1 - rise(self.step, self.steps)
        self.step += 1
        return super().advantages([_with_share(credit, share) for credit in credits])

    def state_dict(self) -> dict[str, Any]:
        """Returns the number of steps so far too."""
        return super().state_dict() | {"step": self.step}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore the state."""
        super().load_state_dict(state)
        self.step = int(state["step"])


def _with_share(credit: Credit, share: float) -> Credit:
    """Returns a credit with its score, and this share of the rest of its reward."""
    score = credit.score or 0.0
    return replace(credit, reward=score + share * (credit.reward - score))


@register_loss("spear")
class SelfImitation(CovarianceClip):
    """Clip-Cov on new answers and, with a rising weight, on replayed ones, whose advantage is computed again.

    A replayed answer was right; its advantage is 1 less the mean of the new answers to tasks of its kind, so what the
    policy does by now anyway is not imitated any more.

    steps: optimizer steps until replayed answers have their full weight; 0: always
    """

    needs_kind = "verdict"
    follows_advantage = False

    def __init__(self, config: LossConfig, steps: Steps = 80) -> None:
        super().__init__(config)
        self.steps = steps

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns `keep` as Clip-Cov does, times the weight of replayed tokens, and their advantages."""
        step = tokens.step
        new = ~step.replayed
        means = torch.stack([step.reward[new & (step.key == k)].mean() for k in range(len(step.keys))]).nan_to_num()
        again = torch.where(step.replayed, step.reward - means[step.key], step.advantage)[tokens.sample]
        weight = torch.where(tokens.replayed, rise(step.number, self.steps), 1.0)
        return {"keep": super().prepare(replace(tokens, advantage=again))["keep"] * weight, "advantage": again}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses, and (K,) bool: whether a clip removed the token's gradient."""
        if "advantage" not in tokens.prepared:
            return super().__call__(tokens)
        return super().__call__(replace(tokens, advantage=tokens.prepared["advantage"]))
