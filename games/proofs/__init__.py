"""Proof checkers: a Metamath kernel, z3 as an oracle, and Coq if it is installed."""

from games.proofs.database import BadDatabase, Database
from games.proofs.judge import Judged, judge, verify
from games.proofs.kernel import BadProof, check

__all__ = ["BadDatabase", "BadProof", "Database", "Judged", "check", "judge", "verify"]
