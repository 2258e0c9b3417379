"""Hostile texts: a seeded search for texts that a game or a role cannot read, behind `arena check ID --hostile`."""

from arena.conformance.hostile.check import check_game, check_role

__all__ = ["check_game", "check_role"]
