"""The words of code-io-v0: its rules, what each seat is asked for, matches worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.game import KnownOutcome

if TYPE_CHECKING:
    from games.dialogue.code_io import CodeIO

_FORM = "```python\ndef f(...):\n    ...\n```\n```input\narguments\n```"
PROPOSE = {
    "deduction": f"Write a function f and an input whose output is hard to foresee:\n{_FORM}",
    "abduction": f"Write a function f and an input that is hard to find from the output:\n{_FORM}",
}
PROPOSE_INPUTS = (
    "```python\n{program}\n```\nWrite {cases} different inputs, each in a block of its own, and what f does in words:\n"
    "```input\narguments\n```\n```message\nwhat f does\n```"
)
SOLVE = {
    "deduction": "What does it return? Answer with the value, in a block that begins with ```output",
    "abduction": "Which arguments lead to that? Answer with any that do, in a block that begins with ```input",
    "induction": "Write a function f that does this for all inputs, also those not shown, in a block that begins with "
    "```python",
}


def rules(game: CodeIO) -> str:
    """What every seat is told once."""
    kinds = {
        "deduction": "find the output of a program",
        "abduction": "find arguments that lead to an output",
        "induction": "write the program, from half of its cases",
    }
    wanted = "; or ".join(kinds[kind] for kind in game.kinds)
    if game.threshold:
        paid = (
            "The proposer wins if its task is valid, at least one solver is right and at most "
            f"{game.threshold:.0%} are; otherwise the solvers win."
        )
    else:
        paid = (
            "A solver gets 1 for a right answer, -0.5 for a wrong one, -1 for none that can be read. The proposer gets "
            "the share of solvers that fail, -0.5 if all or none do, -1 for a task that is not valid."
        )
    return (
        f"A proposer sets a task in Python for {game.k} solvers, who work alone: {wanted}. The function is called f. "
        "It is deterministic, reads and prints nothing, imports at most modules such as math, re or itertools, takes "
        "and returns plain values: numbers, strings, lists, tuples, sets, dictionaries. Arguments are written as in a "
        "call, separated by commas. Answers stand in fenced blocks, the last one of a kind counts. " + paid
    )


_TASK = "```python\ndef f(x):\n    return x * 2\n```\n```input\n21\n```"
KNOWN: dict[str, tuple[KnownOutcome, ...]] = {
    "code-io-v0(kind=deduction,solvers=4)": (
        # One of four is right, p = 1/4: the proposer has 3/4. Right 1, wrong -0.5, a box that is not asked for -1.
        KnownOutcome(
            0,
            (
                {"proposer": _TASK},
                {
                    "solver_0": "```output\n42\n```",
                    "solver_1": "```output\n'42'\n```",
                    "solver_2": "\\boxed{42}",
                    "solver_3": "```output\n21 * 2\n```",
                },
            ),
            {"proposer": 0.75, "solver_0": 1.0, "solver_1": -0.5, "solver_2": -1.0, "solver_3": -1.0},
        ),
        # Everybody is right: nothing to learn, -0.5 as in the code.
        KnownOutcome(
            0,
            ({"proposer": _TASK}, {f"solver_{i}": "```output\n42\n```" for i in range(4)}),
            {"proposer": -0.5} | {f"solver_{i}": 1.0 for i in range(4)},
        ),
        KnownOutcome(
            0,
            ({"proposer": "```python\nimport random\ndef f(x):\n    return x\n```\n```input\n1\n```"},),
            {"proposer": -1.0} | {f"solver_{i}": 0.0 for i in range(4)},
        ),
    ),
    "code-io-v0(kind=abduction,solvers=2)": (
        # The published template would take the first answer for right: it is no plain data.
        KnownOutcome(
            0,
            ({"proposer": _TASK}, {"solver_0": "```input\n0) or True or (0\n```", "solver_1": "```input\n21\n```"}),
            {"proposer": 0.5, "solver_0": -1.0, "solver_1": 1.0},
        ),
    ),
    "code-io-v0(kind=deduction,solvers=2,threshold=0.5)": (
        KnownOutcome(
            0,
            ({"proposer": _TASK}, {"solver_0": "```output\n42\n```", "solver_1": "```output\n7\n```"}),
            {"proposer": 1.0, "solver_0": -0.5, "solver_1": -0.5},
        ),
        KnownOutcome(
            0,
            ({"proposer": _TASK}, {"solver_0": "```output\n4\n```", "solver_1": "```output\n7\n```"}),
            {"proposer": -1.0, "solver_0": 0.5, "solver_1": 0.5},
        ),
    ),
}
KNOWN["code-io-v0"] = (
    KnownOutcome(0, ({"proposer": "f"},), {"proposer": -1.0} | {f"solver_{i}": 0.0 for i in range(8)}),
)
# Seed 2 gives the proposer f(x) = x * x + 1. The cases of 1 and 2 are shown; who learns them by heart fails on 3 and 4.
_CASES = "\n".join(f"```input\n{n}\n```" for n in (1, 2, 3, 4))
KNOWN["code-io-v0(kind=induction,solvers=2,cases=4)"] = (
    KnownOutcome(
        2,
        (
            {"proposer": f"{_CASES}\n```message\nSquare and add one.\n```"},
            {
                "solver_0": "```python\ndef f(n):\n    return 1 + n ** 2\n```",
                "solver_1": "```python\ndef f(n):\n    return {1: 2, 2: 5}[n]\n```",
            },
        ),
        {"proposer": 0.5, "solver_0": 1.0, "solver_1": -0.5},
    ),
)
