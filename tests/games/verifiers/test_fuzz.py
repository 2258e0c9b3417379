"""A sample of scripts/bench/fuzz_verifiers.py: hostile programs and mutated proofs, each judged as it should be."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.verifiers import needs

SCRIPT = Path(__file__).parents[3] / "scripts" / "bench" / "fuzz_verifiers.py"


def fuzz(programs, proofs, seed):
    words = [sys.executable, str(SCRIPT), "--programs", str(programs), "--proofs", str(proofs), "--seed", str(seed)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@needs.sandboxed
@pytest.mark.parametrize(("programs", "seed"), [(25, 1), pytest.param(200, 2, marks=pytest.mark.long)])
def test_hostile_programs(programs, seed):
    assert "all as they should be" in fuzz(programs, 0, seed)


@needs.metamath
@pytest.mark.parametrize(("proofs", "seed"), [(40, 1), pytest.param(1000, 2, marks=pytest.mark.long)])
def test_mutated_proofs(proofs, seed):
    assert "all as they should be" in fuzz(0, proofs, seed)
