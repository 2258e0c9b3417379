"""Coq as a proof checker: `coqc` runs in the sandbox, and Coq itself reports the assumptions of the proof.

A proof passes if Coq accepts it and `Print Assumptions` reports that it is closed under the global context. Admitted
goals and axioms do not pass.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from games.quoting import byte_length
from games.verifiers import python
from games.verifiers.sandbox import Limits
from games.verifiers.verdict import PASS, MissingProgram, Verdict

# 2 GiB for each process: the text is a proof that coqc reads, and starts none itself.
LIMITS = Limits(seconds=20, memory=18 << 30, processes=8, output=256 << 10, scratch=16 << 20)
_LONGEST = 20_000
# Commands that end the proof early, declare the claim itself, load or redirect files, or disable checks.
_FORBIDDEN = re.compile(
    r"\b(Qed|Defined|Save|Admitted|admit|Abort|Reset|Undo|Restart|Back|BackTo|Load|Redirect|Cd|Drop|Quit|Add|Declare"
    r"|Require|Import|Export|Axioms?|Parameters?|Conjecture|Hypothes[ie]s|Variables?|Extraction|bypass_check"
    r"|Theorem|Lemma|Goal|Definition|Fixpoint|Notation|Module|Section|End|Comments|Print|Check|Compute|Eval|Fail)\b"
    r"|\b(Unset|Set)\s+[A-Z]|\(\*"  # Set alone is a sort; comments could separate the words of a command
)
_CLOSED = "Closed under the global context\n"
# Trusted: it only passes the file to Coq, which is one more process in the sandbox.
_DRIVER = """
import subprocess, sys
with open("/tmp/claim.v", "w") as file:
    file.write(sys.stdin.read())
done = subprocess.run([{coqc!r}, "-q", "claim.v"], capture_output=True, cwd="/tmp")
sys.stdout.write(str(done.returncode) + "\\n" + (done.stdout if done.returncode == 0 else done.stderr).decode())
"""


def verify(claim: Mapping[str, Any], answer: str) -> Verdict:
    """Returns whether the tactics `answer` prove `claim["statement"]` after `claim["header"]`, such as imports."""
    return check(claim["statement"], answer, claim.get("header", ""))


def check(statement: str, proof: str, header: str = "", limits: Limits = LIMITS) -> Verdict:
    """Returns whether `proof`, a list of tactics that each end with a full stop, proves a Coq `statement`.

    `header` is trusted; statement and proof are not. Raises MissingProgram and InfrastructureError.
    """
    for part in (statement, proof):
        if byte_length(part) > _LONGEST:
            return Verdict("invalid", f"more than {_LONGEST} bytes")
        if match := _FORBIDDEN.search(part):
            return Verdict("invalid", f"{match.group()!r} is not allowed in a statement or a proof")
    if re.search(r'"|\.(\s|$)', statement):
        return Verdict("invalid", "a statement is one term, without full stops, comments or strings")
    source = f"{header}\nTheorem arena_claim : ({statement}).\nProof.\n{proof}\nQed.\nPrint Assumptions arena_claim.\n"
    coqc, *libraries = _installed()
    (run,) = python.script(_DRIVER.format(coqc=coqc), [source], limits=limits, binds=(coqc, *libraries))
    if not run.verdict.ok:
        return run.verdict
    status, _, output = run.value.partition("\n")
    if status == "0":
        closed = output.endswith(_CLOSED)  # Coq prints it last; a proof that prints the same text does so earlier
        return PASS if closed else Verdict("fail", "the proof depends on axioms or admitted goals")
    words = (
        " ".join(output[output.find("Error") :].split()) if "Error" in output else "it failed without an error message"
    )
    return Verdict("fail", f"Coq: {words[:200]}")


@lru_cache(1)
def _installed() -> tuple[str, ...]:
    """Returns the compiler and the folders it reads."""
    coqc = shutil.which("coqc")
    if coqc is None:
        raise MissingProgram("checking Coq proofs", "coqc", "coq")
    where = subprocess.run([coqc, "-where"], capture_output=True, text=True, check=True).stdout.strip()
    folders = dict.fromkeys((where, "/usr/lib/ocaml", "/etc/ocamlfind.conf"))
    return (coqc, *(folder for folder in folders if os.path.exists(folder)))
