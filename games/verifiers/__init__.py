r"""Verifiers: programs that grade an answer, within limits and with a reason.

Everything that executes an answer, or that an answer could crash, runs in bubblewrap. Only the Metamath kernel runs in
this process: it compares texts and stops at a fixed number of symbols.

`python` grades programs, `maths` mathematical answers, `arithmetic` sums; `games.proofs.judge` grades proofs.
"""

from __future__ import annotations

from games.verifiers.verdict import KINDS, PASS, Kind, MissingProgram, Verdict

__all__ = ["KINDS", "PASS", "Kind", "MissingProgram", "Verdict"]
