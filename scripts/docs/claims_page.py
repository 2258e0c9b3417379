"""The page of claims, from the JSON files that the benchmark scripts write.

python scripts/docs/claims_page.py > docs/claims.md
"""

from __future__ import annotations

import json
from pathlib import Path

from page_text import code, table

CLAIMS = Path(__file__).parents[1] / "bench" / "claims"

INTRO = """# Claims

What the arena claims about speed, statistics and learning, one line each. The script of a line measures it again; with
`--record` it replaces the line. Ratios compare two programs in one run on one machine, so they depend less on the
machine than seconds do. What is not listed here was not measured in this form.
"""


def claims_page() -> str:
    """Returns the page: a table with one line for each claim, then the machines."""
    rows, machines = [], []
    for path in sorted(CLAIMS.glob("*.json")):
        kept = json.loads(path.read_text())
        for claim in kept["claims"]:
            rows.append([claim["claim"], claim["figure"], claim["interval"], code(kept["command"]), kept["date"]])
        machines.append([code(path.stem), kept["machine"]])
    head = ("claim", "figure", "interval", "command", "date")
    return f"{INTRO}\n{table(head, rows)}\n## Machines\n\n{table(('script', 'machine, versions, commit'), machines)}"


if __name__ == "__main__":
    print(claims_page(), end="")
