"""Conformance kits for matchmakers and rating methods, and which kit an id belongs to: what `arena check ID` runs."""

from league.conformance.kinds import CHECKED, check

__all__ = ["CHECKED", "check"]
