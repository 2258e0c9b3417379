"""starling-v0: generated text adventures that exercise skills, compiled and counted by textworld's engine."""

from games.native.starling.game import StarlingGame

__all__ = ["StarlingGame"]
