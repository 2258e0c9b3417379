"""The page of claims, from the JSON files that the benchmark scripts write.

python scripts/docs/claims_page.py > docs/claims.md
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from page_text import code, table

ROOT = Path(__file__).parents[2]
CLAIMS = ROOT / "scripts" / "bench" / "claims"

INTRO = """# Claims

What the arena claims about learning, statistics, rewards and speed. Each table names the command that measures it
again, with its date, machine and commit. Ratios compare two programs in one run on one machine, so they depend less on
the machine than seconds do. What is not listed here was not measured in this form.
"""

TOPICS: dict[str, tuple[str, ...]] = {
    "What self-play teaches": ("train_quickstart", "imitation", "study-*", "blind*", "polychromic"),
    "How much of a model's strength is the wording": ("wordings*", "exploit"),
    "Ratings and statistics": ("stress_board", "sample_efficiency", "rank_*", "simulate", "simulate_study"),
    "Rewards and monitors": ("message_games", "refine_credit", "bench_monitors*", "role_rewards", "attack", "rungs"),
    "Reading answers": ("answer_*",),
    "Speed and size": ("bench_*", "first_decision", "simulate_rollouts", "plan_resources"),
    "Use": ("personas",),
    "Tests": ("mutants*",),
    "Other measurements": ("*",),
}
"""topic -> patterns for the names of files, in the order of the page; a file is under the first topic that fits"""


def claims_page() -> str:
    """Returns the page: for each topic and file, how it was measured and a table with one line for each claim."""
    files = {path.stem: json.loads(path.read_text()) for path in sorted(CLAIMS.glob("*.json"))}
    parts = [INTRO]
    for topic, patterns in TOPICS.items():
        names = [name for pattern in patterns for name in files if fnmatch(name, pattern)]
        parts += [f"## {topic}\n"] if names else []
        for name in dict.fromkeys(names):
            parts += _section(name, files.pop(name))
    return "\n".join(parts)


def _section(name: str, kept: dict[str, Any]) -> Iterator[str]:
    yield f"### {name.replace('_', ' ')}\n"
    yield f"{_subject(kept['command'].split())}\n"
    yield f"{code(kept['command'])}, {kept['date']}; {kept['machine']}\n"
    head = ("claim", "figure", "interval")
    yield table(head, [[claim[column] for column in head] for claim in kept["claims"]])


def _subject(command: list[str]) -> str:
    """Returns the first sentence of the one study that was run, or the first line of the script's docstring."""
    studies = [word for word in command if word.endswith(".toml")]
    text = (ROOT / (studies[0] if len(studies) == 1 else command[0])).read_text()
    if len(studies) != 1:
        return (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    comment = " ".join(line.lstrip("# ") for line in text[: text.index("name =")].splitlines())
    return re.split(r"(?<=[.?]) ", comment)[0]


if __name__ == "__main__":
    print(claims_page(), end="")
