"""starling: generated text adventures that exercise skills, made and counted by textworld."""

from games.native.starling.game import starling

__all__ = ["starling"]
