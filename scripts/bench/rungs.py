"""How often do scripted solvers answer the bins of each ladder right, if tasks are drawn evenly?

A ladder is worth following if most bins are solved always or never: whoever draws evenly then learns little. Solvers
are those of the games' suites, which err with the work of a task; a bin is drawn `--draws` times.

    python scripts/bench/rungs.py [--draws 200] [--record]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from statistics import fmean

from _bench import table
from _claims import Claim, record

import games
from games import tasks
from games.native.code_io.policies import SOLVER, formula
from games.native.common.arithmetic_scripts import skill, sum_of
from games.native.conjecture.texts import TARGETS
from games.proofs.first_order import parse_any
from games.proofs.search import prove
from games.proofs.theory import propositional
from games.randomness import RandomStream, derive
from games.shortcuts import ScriptedTurn, suite_of

EDGE = 0.05
"""a bin that is solved at most so often, or at least 1 minus it, counts as never or always solved"""
_EFFORT = 150
"""rules that conjecture's scripted prover tries"""
Solve = Callable[[RandomStream], float]
"""draws a task of a bin and returns how likely it is solved, or whether it is"""


def _arithmetic(**params: object) -> Callable[[], Mapping[str, Solve]]:
    def bins() -> Mapping[str, Solve]:
        source = tasks.make(f"arithmetic({','.join(f'{k}={v}' for k, v in params.items())})")
        return {str(kind): lambda s, kind=kind: skill(source.draw(s.bits(), kind).question) for kind in source.kinds}

    return bins


def _digits() -> Mapping[str, Solve]:
    ladders = (_arithmetic(operation="add", digits=n)() for n in range(1, 7))
    return {bin: solve for ladder in ladders for bin, solve in ladder.items()}


def _sums() -> Mapping[str, Solve]:
    return {f"{n} numbers": lambda s, n=n: skill(sum_of(s, n)) for n in range(2, 13)}


def _formulas() -> Mapping[str, Solve]:
    suite = suite_of(games.make("code-io"))
    assert suite is not None

    def solve(stream: RandomStream, terms: int) -> float:
        program, argument = formula(stream, terms), 10 + stream.below(90)
        body = program.partition("return ")[2].replace("x", str(argument))
        data = {"program": program, "argument": str(argument)}
        answer = suite.competent[SOLVER](ScriptedTurn("solver_0", SOLVER, "", "solve deduction", stream, data=data))
        task = tasks.make("arithmetic").solve(body)
        return float(task is not None and f"\n{task.answer}\n" in answer)

    return {f"{n} terms": lambda s, n=n: solve(s, n) for n in range(12)}


def _theorems() -> Mapping[str, Solve]:
    def solve(stream: RandomStream, statements: list[str]) -> float:
        goal = parse_any(stream.choice(statements), largest=1000)
        return float(bool(prove(propositional().rules, goal, _EFFORT, stream)))

    steps: dict[int, list[str]] = {}
    for statement, proof in TARGETS.items():
        steps.setdefault(len(proof.split()), []).append(statement)
    return {f"proofs of {n} steps": lambda s, of=of: solve(s, of) for n, of in sorted(steps.items())}


LADDERS: Mapping[str, Callable[[], Mapping[str, Solve]]] = {
    "arithmetic(longest=10): evolve, and tasks of psj, math-duel, solve, refine": _arithmetic(longest=10),
    "arithmetic(operation=add,digits=1 to 6)": _digits,
    "sums that a proposer writes: psj, math-duel": _sums,
    "formulas of code-io": _formulas,
    "targets of conjecture": _theorems,
}


def rates(bins: Mapping[str, Solve], draws: int) -> dict[str, float]:
    """Returns the solve rate of each bin."""
    return {
        bin: fmean(solve(RandomStream(derive(n, "rungs", bin))) for n in range(draws)) for bin, solve in bins.items()
    }


def edges(of: Mapping[str, float]) -> int:
    """Returns how many bins are solved never or always."""
    return sum(not EDGE < rate < 1 - EDGE for rate in of.values())


def _claims(draws: int) -> Iterator[tuple[list[object], Claim]]:
    for name, bins in LADDERS.items():
        of = rates(bins(), draws)
        each = ", ".join(f"{bin} {rate:.2f}" for bin, rate in of.items())
        about = f"bins that the scripted solver answers never or always (within {EDGE:.0%}), {name}"
        yield (
            [name, len(of), edges(of), f"{fmean(of.values()):.2f}", each],
            Claim(about, f"{edges(of)} of {len(of)}", f"{each}; {draws} draws a bin"),
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--record", action="store_true", help="write the claims")
    options = parser.parse_args()
    rows, claims = zip(*_claims(options.draws), strict=True)
    print(table(("ladder", "bins", "never or always", "mean rate", "rates"), rows))
    if options.record:
        record(claims)


if __name__ == "__main__":
    main()
