"""How answers are read: right, refused and inverted, by kind; and by other readers, for numbers and formulas.

python scripts/bench/answer_corpus.py [--count 3000] [--seeds 0 1 2] [--math-verify PYTHON] [--json FILE]

The corpus is that of tests/roles/parsing/styled_answers.py: styles of Qwen3, Llama, Gemma, DeepSeek and GPT models.
`--math-verify` names a Python with the package math-verify. lm-eval's readers are its two published filters for GSM8K.

The corpus and the reader have one author, so its figures flatter. Styles that were written without a look at the reader
are the better measure: the first 50 had no inversion, but 20 were refused; of 143 more
(tests/roles/parsing/unseen_styles.py) some were inverted or read where there is no answer, before the reader learned
them. No text of a real model was at hand. What is still refused: corrections within a line, and a second verdict in a
remark.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from _bench import machine_line, table
from _claims import Claim, record

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.roles.parsing.styled_answers import KINDS, StyledAnswer, corpus
from tests.roles.parsing.test_answers import reading

OPEN = ("number", "final")
"""kinds that other readers read too"""
_FLEXIBLE, _STRICT = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)"), re.compile(r"#### (\-?[0-9\.\,]+)")
_MATH_VERIFY = """
import json, sys
from math_verify import parse, verify
said = []
for text, value in json.load(sys.stdin):
    answer = parse(text)
    gold = parse("$" + value + "$")
    said.append("refused" if not answer else "right" if verify(gold, answer) else "wrong")
json.dump(said, sys.stdout)
"""


def ours(answer: StyledAnswer) -> str:
    """How the project's reader fares on one answer."""
    value = reading(answer.kind, answer.text).value
    return "right" if value == answer.value else "refused" if value is None else "wrong"


def lm_eval(answer: StyledAnswer, pattern: re.Pattern[str], last: bool) -> str:
    """How a filter of lm-eval fares: the last match, or the first one, compared without commas and dollars."""
    matches = pattern.findall(answer.text)
    if not matches:
        return "refused"
    match = matches[-1 if last else 0]
    value = next(filter(None, match)) if isinstance(match, tuple) else match
    return "right" if re.sub(r"[,$]|\.$", "", value) == answer.value else "wrong"


def math_verify(answers: Sequence[StyledAnswer], python: str) -> list[str]:
    """How math-verify fares on answers, in a process of another Python."""
    asked = json.dumps([(answer.text, answer.value) for answer in answers])
    run = subprocess.run([python, "-c", _MATH_VERIFY], input=asked, capture_output=True, text=True, check=True)
    return list(json.loads(run.stdout))


def main() -> None:
    """Read, print two tables and write them as JSON."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--count", type=int, default=3000)
    options.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    options.add_argument("--math-verify", metavar="PYTHON")
    options.add_argument("--json", type=Path)
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    chosen = options.parse_args()
    answers = [answer for seed in chosen.seeds for answer in corpus(chosen.count, seed)]
    said = {"arena": [ours(answer) for answer in answers]}
    by_kind = [_row(kind, [s for a, s in zip(answers, said["arena"], strict=True) if a.kind == kind]) for kind in KINDS]
    clear = [s for a, s in zip(answers, said["arena"], strict=True) if not a.unclear]
    print(machine_line(), end="\n\n")
    print(table(("kind", "answers", "right", "refused", "wrong"), [*by_kind, _row("all", said["arena"])]))
    print(
        f"\nof {len(clear)} answers that correct nothing without a mark: {clear.count('right') / len(clear):.1%} read\n"
    )
    numbers = [answer for answer in answers if answer.kind in OPEN]
    tools = {
        "arena": [ours(answer) for answer in numbers],
        "lm-eval flexible-extract": [lm_eval(answer, _FLEXIBLE, last=True) for answer in numbers],
        "lm-eval strict-match": [lm_eval(answer, _STRICT, last=False) for answer in numbers],
    }
    if chosen.math_verify:
        tools["math-verify"] = math_verify(numbers, chosen.math_verify)
    rows = [_row(name, results) for name, results in tools.items()]
    print(table(("reader (numbers and formulas)", "answers", "right", "refused", "wrong"), rows))
    if chosen.record:
        wrong = said["arena"].count("wrong")
        record(
            [
                Claim.share(
                    "styled answers of five model families that are read as another answer", wrong, len(answers)
                ),
                Claim.share("answers with a clear mark that are read", clear.count("right"), len(clear)),
                *(
                    Claim.share(
                        f"numbers and formulas that {name} reads as another answer",
                        results.count("wrong"),
                        len(numbers),
                    )
                    for name, results in tools.items()
                    if name != "arena" and "right" in results  # a reader that refuses everything is no comparison
                ),
            ]
        )
    if chosen.json:
        result = {"machine": machine_line(), "seeds": chosen.seeds, "count": chosen.count}
        result |= {"kinds": by_kind, "clear": _row("clear", clear), "readers": rows}
        chosen.json.write_text(json.dumps(result, indent=1) + "\n")


def _row(name: str, results: Sequence[str]) -> tuple[str, int, int, int, int]:
    count = Counter(results)
    return name, len(results), count["right"], count["refused"], count["wrong"]


if __name__ == "__main__":
    main()
