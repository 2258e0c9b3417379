"""The conformance kit: what `pettingzoo.test.api_test` cannot see of a game. `arena check ID` prints its report."""

from games.conformance.kit import CHECKS, check_game
from games.conformance.report import Check, Finding, Report

__all__ = ["CHECKS", "Check", "Finding", "Report", "check_game"]
