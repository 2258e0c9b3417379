"""Conformance checks for players, advantage estimators and losses. `arena check ID` prints their reports."""
