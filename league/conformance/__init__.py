"""Conformance kits for matchmakers and rating methods; `check` runs the kit for any id, as `arena check ID` does."""

from league.conformance.kinds import CHECKED, check, check_hostile

__all__ = ["CHECKED", "check", "check_hostile"]
