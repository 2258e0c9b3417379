"""From episodes to weights: credit, advantage, samples, packed batches, loss, step, checkpoint.

Importing this loads no tensor library; `Trainer` lives in `arena.learner.trainer`, checkpoints in
`arena.learner.checkpoint`.
"""

from arena.learner.advantage import Estimator, estimator
from arena.learner.baseline import Key, RoleBaseline
from arena.learner.config import LoraConfig, LossConfig, OptimizerConfig, TrainerConfig
from arena.learner.credit import Credit, credits_of
from arena.learner.samples import TurnSample, turn_samples
from arena.learner.stats import StepStats

__all__ = [
    "Credit",
    "Estimator",
    "Key",
    "LoraConfig",
    "LossConfig",
    "OptimizerConfig",
    "RoleBaseline",
    "StepStats",
    "TrainerConfig",
    "TurnSample",
    "credits_of",
    "estimator",
    "turn_samples",
]
