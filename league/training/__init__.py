"""Self-play training: a policy learns from its matches, and its snapshots join a league of opponents.

`run_training` starts or resumes a training. Follow a step through `loop`, `schedule`, `rollouts` and `policy_trainer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.lazy import lazy_attribute
from league.config.training import TrainingConfig, load_training

if TYPE_CHECKING:
    from league.training.loop import TrainingResult
    from league.training.run import run_training

__all__ = ["TrainingConfig", "TrainingResult", "load_training", "run_training"]

_LAZY = {"TrainingResult": "league.training.loop", "run_training": "league.training.run"}


def __getattr__(name: str) -> Any:
    return lazy_attribute(__name__, _LAZY, name)
