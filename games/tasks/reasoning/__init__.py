"""Tasks of the library reasoning-gym, made and scored in a bounded worker process."""

from games.tasks.reasoning.source import ReasoningGym, families

__all__ = ["ReasoningGym", "families"]
