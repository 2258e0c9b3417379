"""Proofs and who checks them: a Metamath kernel of our own, z3 as an oracle, Coq where it is installed."""

from games.proofs.database import BadDatabase, Database
from games.proofs.judge import Judged, judge, verify
from games.proofs.kernel import BadProof, check

__all__ = ["BadDatabase", "BadProof", "Database", "Judged", "check", "judge", "verify"]
