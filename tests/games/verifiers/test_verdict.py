"""Verdicts, and a reader of answers that no text breaks."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games import InputError
from games.verifiers import KINDS, PASS, MissingProgram, Verdict, sandbox
from games.verifiers.seccomp import filter_program
from tests.games.verifiers import needs
from tests.games.verifiers.needs import mathematical, sandboxed


def test_a_verdict_is_no_truth_value():
    assert [Verdict(kind).ok for kind in KINDS] == [True, False, False, False, False]
    assert PASS.ok
    assert str(Verdict("fail", "6 is not 7")) == "fail: 6 is not 7"
    with pytest.raises(TypeError, match="five kinds"):
        bool(Verdict("fail"))


def test_without_bubblewrap_the_line_to_type_is_told(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(MissingProgram, match="type: apt-get install bubblewrap"):
        sandbox.bubblewrap((), None)


def test_limits_are_checked():
    with pytest.raises(InputError, match="64 MiB of memory"):
        sandbox.Limits(memory=1000)


def test_the_filter_is_made_of_whole_instructions():
    for machine in ("x86_64", "aarch64"):
        assert len(filter_program(machine)) % 8 == len(filter_program(machine, alone=True)) % 8 == 0
    with pytest.raises(InputError, match="not of 'riscv64'"):
        filter_program("riscv64")


@sandboxed
@mathematical
def test_the_lines_of_the_readme_pass():
    text = (Path(__file__).parents[3] / "docs" / "tasks.md").read_text(encoding="utf-8")
    (block,) = [b for b in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "from games.verifiers import" in b]
    names: dict[str, object] = {}
    exec(block, names)
    assert names["verdicts"] == [PASS, PASS, PASS]


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
