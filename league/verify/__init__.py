"""Checks a run: its hash chain, every result against its episode, and every episode against the rules."""

from league.verify.run import Problem, Verified, verify_run
from league.verify.store import verify

__all__ = ["Problem", "Verified", "verify", "verify_run"]
