"""Proofs: formulas, theories, and a Metamath kernel that checks them."""

from games.proofs.database import BadDatabase, Database
from games.proofs.judge import Judged, judge
from games.proofs.kernel import BadProof, check

__all__ = ["BadDatabase", "BadProof", "Database", "Judged", "check", "judge"]
