"""The learner: credit, advantages, samples, packed batches, loss, optimizer step, checkpoint.

The trainer and what losses are made of are loaded on first use, so that importing this package loads no tensor library.
Checkpoints are in `arena.learner.checkpoint`.
"""

from typing import TYPE_CHECKING, Any

from arena.learner.advantages import Estimator, estimator
from arena.learner.baseline import Key, RoleBaseline
from arena.learner.config import LearnerConfig, LoraConfig, LossConfig, OptimizerConfig, ReplayConfig, TrainerConfig
from arena.learner.controls import Returns, controlled
from arena.learner.credit import Credit, credits_of
from arena.learner.overlong import without_overlong
from arena.learner.samples import TurnSample, turn_samples
from arena.learner.stats import StepStats
from games.lazy import lazy_attribute

if TYPE_CHECKING:
    from arena.learner.losses import BaseLoss, LossStep, LossTokens, PolicyLoss
    from arena.learner.trainer import Trainer

__all__ = [
    "BaseLoss",
    "Credit",
    "Estimator",
    "Key",
    "LearnerConfig",
    "LoraConfig",
    "LossConfig",
    "LossStep",
    "LossTokens",
    "OptimizerConfig",
    "PolicyLoss",
    "ReplayConfig",
    "Returns",
    "RoleBaseline",
    "StepStats",
    "Trainer",
    "TrainerConfig",
    "TurnSample",
    "controlled",
    "credits_of",
    "estimator",
    "turn_samples",
    "without_overlong",
]

_LAZY = {
    "BaseLoss": "arena.learner.losses",
    "LossStep": "arena.learner.losses",
    "LossTokens": "arena.learner.losses",
    "PolicyLoss": "arena.learner.losses",
    "Trainer": "arena.learner.trainer",
}


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _LAZY, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
