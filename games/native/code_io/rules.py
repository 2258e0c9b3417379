"""The rules and prompts of code-io-v0, demonstrations, and matches with a known outcome."""

from __future__ import annotations

from collections.abc import Sequence

from games.dialogue.messages import SHOWN
from games.game import Demonstrations, KnownOutcome

_FORM = "```python\ndef f(...):\n    ...\n```\n```input\narguments\n```"
PROPOSE = {
    "deduction": f"Write a function f and an input whose output is hard to predict:\n{_FORM}",
    "abduction": f"Write a function f and an input that is hard to find from the output:\n{_FORM}",
}
PROPOSE_INPUTS = (
    "```python\n{program}\n```\nWrite {cases} different inputs, each in its own block, and describe what f does:\n"
    "```input\narguments\n```\n```message\nwhat f does\n```"
)
SOLVE = {
    "deduction": "What does f return? Write the value in a block that starts with ```output",
    "abduction": "Which arguments give this result? Write any that do in a block that starts with ```input",
    "induction": "Write a function f that does this for all inputs, including those not shown, in a block that starts "
    "with ```python",
}
_TASKS = {
    "deduction": "find the output of a program",
    "abduction": "find arguments that lead to a given output",
    "induction": "write the program, given half of its test cases",
}


def rules(kinds: Sequence[str], solvers: int, threshold: float, guarded: bool = False) -> str:
    """The rules that every seat reads."""
    if threshold:
        paid = (
            "The proposer wins if its task is valid, at least one solver is right and at most "
            f"{threshold:.0%} of the solvers are. Otherwise the solvers win."
        )
    else:
        paid = (
            "A solver gets 1 for a right answer, -0.5 for a wrong one and -1 for one that cannot be read. The proposer "
            "gets the share of solvers that fail, but -0.5 if all or none fail, and -1 if its task is not valid."
        )
    if guarded:
        paid += " A task is not valid if its answer can be guessed, because similar inputs often have the same output."
    return (
        f"A proposer sets a Python task for {solvers} solvers, who work alone: "
        f"{'; or '.join(_TASKS[kind] for kind in kinds)}. The function is called f. It is deterministic, reads and "
        "prints nothing, and imports only modules such as math, re or itertools. Its arguments and its result are "
        "plain values: numbers, strings, lists, tuples, sets, dictionaries. Write arguments as in a call, separated by "
        "commas. Write answers in fenced blocks; the last blocks of a kind count. Solvers read the first "
        f"{SHOWN:,} bytes of a description. {paid}"
    )


_DOUBLE = "```python\ndef f(x):\n    return [x, x + 1]\n```"
DEMONSTRATIONS: Demonstrations = {
    **{f"propose {kind}": ((text, f"{_DOUBLE}\n```input\n4\n```"),) for kind, text in PROPOSE.items()},
    "solve deduction": ((f"{_DOUBLE}\nf is called with: 4\n{SOLVE['deduction']}", "```output\n[4, 5]\n```"),),
    "solve abduction": ((f"{_DOUBLE}\nf returned: [4, 5]\n{SOLVE['abduction']}", "```input\n4\n```"),),
    "solve induction": (
        (f'What f does: "List x and the number after x."\nf(4) is [4, 5]\n{SOLVE["induction"]}', _DOUBLE),
    ),
}


_TASK = "```python\ndef f(x):\n    return x * 2\n```\n```input\n21\n```"
KNOWN: dict[str, tuple[KnownOutcome, ...]] = {
    "code-io-v0(kind=deduction,solvers=4)": (
        # One of four is right, p = 1/4, so the proposer gets 3/4. Right 1, wrong -0.5, the wrong kind of block -1.
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
        # All solvers are right: -0.5, as in the published code.
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
        # The published template would accept the first answer, which is not plain data.
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
# Seed 2 gives the proposer f(x) = x * x + 1. The cases 1 and 2 are shown; a memorised table fails on 3 and 4.
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
