"""The conformance kit: checks of games beyond `pettingzoo.test.api_test`. `arena check ID` prints its report."""

from games.conformance.kit import CHECKS, check_game
from games.conformance.report import Check, Finding, Report

__all__ = ["CHECKS", "Check", "Finding", "Report", "check_game"]
