"""How the answer reader fares on the corpus of tests/roles/parsing: read, refused and inverted, by kind and family.

python scripts/bench/answer_corpus.py [--count 1000] [--seeds 0 1 2]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from _bench import machine_line, table

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.roles.parsing.adversarial_answers import CASES
from tests.roles.parsing.answer_corpus import KINDS, answers
from tests.roles.parsing.test_answers import reading


def main() -> None:
    """Read and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--count", type=int, default=1000)
    options.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    given = options.parse_args()
    print(machine_line(), end="\n\n")
    rows = []
    for kind in KINDS:
        found: Counter[str] = Counter()
        for seed in given.seeds:
            for _, text, value in answers(kind, given.count, seed):
                seen = reading(kind, text).value
                found["read" if seen == value else "refused" if seen is None else "inverted"] += 1
        rows.append((kind, sum(found.values()), found["read"], found["refused"], found["inverted"]))
    print(table(("kind", "answers", "read as labelled", "refused", "inverted"), rows))
    seen = [(value, reading(kind, text).value) for kind, text, value in CASES]
    decided = [(value, got) for value, got in seen if value is not None]
    print(
        f"\nadversarial: {len(seen)}; without an answer to a person {len(seen) - len(decided)}, of which refused "
        f"{sum(value is None and got is None for value, got in seen)}; with one {len(decided)}, of which read "
        f"{sum(value == got for value, got in decided)}, refused {sum(got is None for _, got in decided)}, "
        f"inverted {sum(got is not None and value != got for value, got in seen)}"
    )


if __name__ == "__main__":
    main()
