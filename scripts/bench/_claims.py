"""Claims of the documentation as JSON: a file for each benchmark, from which docs/claims.md is made."""

from __future__ import annotations

import datetime
import json
import shlex
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from _bench import machine_line

CLAIMS = Path(__file__).parent / "claims"


class Claim(NamedTuple):
    """One line of the page."""

    claim: str
    """a sentence that the figure completes"""
    figure: str
    interval: str
    """how far the figure varies, and over what: `4.6 to 5.1, 5 repeats`"""

    @classmethod
    def ratio(cls, claim: str, ratios: Sequence[float]) -> Claim:
        """Returns the claim of a ratio that was measured several times in one run: median, lowest to highest."""
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} repeats"
        return cls(claim, f"{statistics.median(ratios):.2f}", spread)

    @classmethod
    def share(cls, claim: str, part: int, total: int) -> Claim:
        """Returns the claim of a share, with Wilson's 95% interval."""
        from arena.evaluation.anchors import wilson

        low, high = wilson(part, total)
        return cls(claim, f"{part / total:.2%}", f"{low:.2%} to {high:.2%}, {total:,} cases")


def record(claims: Sequence[Claim], *packages: str, name: str = "", local: str = "") -> None:
    """Writes the claims of the running script beside machine, versions, commit, command and date.

    `name`: of the file; default: that of the script. `local`: an option that names files of this machine, which the
    command leaves out.
    """
    script, words = Path(sys.argv[0]), [word for word in sys.argv[1:] if word != "--record"]
    if local in words:
        start = words.index(local)
        end = next((n for n in range(start + 1, len(words)) if words[n].startswith("--")), len(words))
        del words[start:end]
    kept = {
        "command": shlex.join(["scripts/bench/" + script.name, *words]),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": machine_line(*packages),
        "claims": [claim._asdict() for claim in claims],
    }
    CLAIMS.mkdir(exist_ok=True)
    (CLAIMS / f"{name or script.stem}.json").write_text(json.dumps(kept, indent=1) + "\n")
