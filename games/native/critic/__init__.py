"""critic: a sneaky player writes a wrong step of a solution, a critic judges the step."""

from games.native.critic.game import critic

__all__ = ["critic"]
