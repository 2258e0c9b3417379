"""starling: generated text adventures that exercise skills, compiled and counted by textworld's engine."""

from games.native.starling.game import starling

__all__ = ["starling"]
