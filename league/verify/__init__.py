"""Checks a run: its hash chain, every result against its episode, and every episode against the rules."""

from league.verify.run import Problem, Verified, verify, verify_run

__all__ = ["Problem", "Verified", "verify", "verify_run"]
