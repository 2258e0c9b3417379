"""Whole databases against Debian's `metamath`; the mutated ones are in scripts/bench/fuzz_verifiers.py and its test."""

import subprocess
from pathlib import Path

import pytest

from games.proofs import Database, check
from games.proofs.theory import PROPOSITIONAL
from tests.games.verifiers import needs

FOLDER = Path("/usr/share/metamath/databases")


def verified(path):
    """Proofs of a database, each checked by our kernel; a wrong one raises."""
    database = Database(path.read_text(encoding="ascii"))
    return sum(check(database, a) > 0 for a in database.assertions.values() if a.proof is not None)


@pytest.mark.skipif(
    not (FOLDER / "ql.mm").exists(), reason="no databases here; type: apt-get install metamath-databases"
)
@pytest.mark.parametrize(
    ("name", "proofs"),
    [
        ("demo0", 1),
        ("miu", 1),
        ("big-unifier", 2),
        ("hol", 138),
        ("ql", 1138),
        pytest.param("nf", 6001, marks=pytest.mark.long),
        pytest.param("iset", 8990, marks=pytest.mark.long),
        pytest.param("set", 37759, marks=pytest.mark.long),
    ],
)
def test_every_proof_of_the_databases_is_accepted(name, proofs):
    assert verified(FOLDER / f"{name}.mm") == proofs


@needs.metamath
def test_the_shipped_theory_is_accepted_by_metamath_too():
    assert verified(PROPOSITIONAL) == 18
    words = ["metamath", f'read "{PROPOSITIONAL}"', "verify proof *", "exit"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=240)
    assert "All proofs in the database were verified" in done.stdout
    assert "Error" not in done.stdout
