"""Is a run's log what was played? The hash chain, every result against its episode, every episode against the rules."""

from league.verify.run import Problem, Verified, verify_run
from league.verify.store import verify

__all__ = ["Problem", "Verified", "verify", "verify_run"]
