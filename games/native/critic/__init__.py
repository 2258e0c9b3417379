"""critic: a sneaky player writes a wrong step of a solution, a critic judges the step."""

from games.native.critic.game import CriticGame, PublishedCriticGame

__all__ = ["CriticGame", "PublishedCriticGame"]
