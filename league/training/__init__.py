"""The self-play league: a policy learns from its matches, its frozen versions join the league."""

from league.training.config import TrainingConfig, load_training

__all__ = ["TrainingConfig", "load_training"]
