"""The rules, prompts, observations and example messages of code-io."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.dialogue.messages import SHOWN
from games.game import Demonstrations
from games.native.code_io import programs
from games.native.code_io.examples import SEEDS
from games.native.code_io.guess import neighbours
from games.native.code_io.tasks import BLOCK, Kind, Task
from games.tasks.programs import TaskProgram

CASES = 10
"""cases of an induction"""


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


def rules(kinds: Sequence[str], solvers: int, threshold: float) -> str:
    """Returns the rules that every seat reads."""
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
    paid += (
        " A task is not valid if its answer can be guessed, because similar inputs often have the same output, or if "
        "the program fails on most of them. It counts as solved by nobody if the right result does not come twice, and "
        "more often than each wrong one, from three solvers or more."
    )
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


_UNSAID = "It computes what the cases show."
_INPUTS = tuple(dict.fromkeys(args for _, args, _ in SEEDS))


def duty(kind: Kind, examples: Sequence[TaskProgram], earlier: bool = False) -> str:
    """Returns the instruction of the proposer, with example programs; for an induction with the program to describe.

    `earlier`: there are tasks of a pool among them, which it must not repeat.
    """
    if kind == "induction":
        asked = PROPOSE_INPUTS.format(program=programs.program(examples[0].code), cases=CASES)
        return f"{asked}\nThese were used before: {'; '.join(examples[0].inputs)}" if earlier else asked
    blocks = [f"```python\n{example.code}\n```\n```input\n{example.inputs[0]}\n```" for example in examples]
    return "\n".join([*(f"Example:\n{block}" for block in blocks), PROPOSE[kind]])


def seen(task: Task) -> str:
    """Returns the task as a solver sees it, without the part to find."""
    program = f"```python\n{task.program}\n```"
    if task.kind == "deduction":
        return f"{program}\nf is called with: {task.inputs[0]}"
    if task.kind == "abduction":
        return f"{program}\nf returned: {task.shown[0]}"
    cases = [f"f({task.inputs[i]}) is {task.shown[i]}" for i in range(task.half)]
    return "\n".join([f'What f does: "{task.message}"', *cases])


def proposals(kind: Kind, examples: Sequence[TaskProgram], earlier: bool = False) -> tuple[str, ...]:
    """Returns valid proposals and an invalid one. `earlier`: as in `duty`; their inputs are then new ones."""
    if kind == "induction":
        described = examples[0]
        inputs = [described.inputs[1 + i % 10] for i in range(CASES)] if not earlier else _varied(described, CASES)
        blocks = [f"```input\n{text}\n```" for text in inputs]
        return ("\n".join([*blocks, f"```message\n{described.words or _UNSAID}\n```"]), "```input\n1\n```")
    found = [f"```python\n{program}\n```\n```input\n{args}\n```" for program, args, _ in SEEDS[:4]]
    return (*found, "```python\nimport os\ndef f(x):\n    return os.getpid()\n```\n```input\n1\n```")


def _varied(example: TaskProgram, n: int) -> list[str]:
    found = (", ".join(map(programs.data, args)) for args in neighbours(example.inputs[0], 2 * n))
    return [text for text in found if text not in example.inputs][:n]


def attempts(task: Task) -> tuple[str, ...]:
    """Returns a right answer, a wrong one and an unreadable one; for an abduction the inputs of the examples.

    The right input is the proposer's secret: no solver may find it among the examples of its turn.
    """
    right = {"deduction": (task.shown[0],), "abduction": _INPUTS, "induction": (task.program,)}[task.kind]
    wrong = "def f(*args):\n    return None" if task.kind == "induction" else "'nothing of the kind'"
    block = BLOCK[task.kind]
    blocks = [f"```{block}\n{text}\n```" for text in right]
    return (*blocks, f"Let me think.\n```{block}\n{wrong}\n```", "I do not know.")


def data(task: Task) -> dict[str, Any]:
    """Returns the parts of a task that a solver sees, for scripted policies."""
    if task.kind == "induction":
        return {"program": "", "message": task.message}
    known = {"argument": task.inputs[0]} if task.kind == "deduction" else {"returned": task.shown[0]}
    return {"program": task.program} | known
