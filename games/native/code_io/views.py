"""The observations and example messages of code-io-v0."""

from __future__ import annotations

from collections.abc import Sequence

from games.native.code_io import programs
from games.native.code_io import rules as texts
from games.native.code_io.examples import SEEDS
from games.native.code_io.guess import neighbours
from games.native.code_io.tasks import BLOCK, Kind, Task
from games.native.common.stages import joined
from games.tasks.programs import TaskProgram

_UNSAID = "It computes what the cases show."
_INPUTS = tuple(dict.fromkeys(args for _, args, _ in SEEDS))


def duty(kind: Kind, examples: Sequence[TaskProgram], cases: int, earlier: bool = False) -> str:
    """The instruction of the proposer, with example programs; for an induction with the program to describe.

    `earlier`: there are tasks of a pool among them, which it must not repeat.
    """
    if kind == "induction":
        asked = texts.PROPOSE_INPUTS.format(program=programs.program(examples[0].code), cases=cases)
        return f"{asked}\nThese were used before: {'; '.join(examples[0].inputs)}" if earlier else asked
    blocks = [f"```python\n{example.code}\n```\n```input\n{example.inputs[0]}\n```" for example in examples]
    return joined([*(f"Example:\n{block}" for block in blocks), texts.PROPOSE[kind]])


def seen(task: Task | None) -> str:
    """The task as a solver sees it, without the part to find."""
    if task is None:
        return ""
    program = f"```python\n{task.program}\n```"
    if task.kind == "deduction":
        return f"{program}\nf is called with: {task.inputs[0]}"
    if task.kind == "abduction":
        return f"{program}\nf returned: {task.shown[0]}"
    cases = [f"f({task.inputs[i]}) is {task.shown[i]}" for i in range(task.half)]
    return joined([f'What f does: "{task.message}"', *cases])


def proposals(kind: Kind, examples: Sequence[TaskProgram], cases: int, earlier: bool = False) -> tuple[str, ...]:
    """Valid proposals and an invalid one. `earlier`: as in `duty`; new inputs are then made from the used ones."""
    if kind == "induction":
        described = examples[0]
        inputs = [described.inputs[1 + i % 10] for i in range(cases)] if not earlier else _varied(described, cases)
        blocks = [f"```input\n{text}\n```" for text in inputs]
        return ("\n".join([*blocks, f"```message\n{described.words or _UNSAID}\n```"]), "```input\n1\n```")
    found = [f"```python\n{program}\n```\n```input\n{args}\n```" for program, args, _ in SEEDS[:4]]
    return (*found, "```python\nimport os\ndef f(x):\n    return os.getpid()\n```\n```input\n1\n```")


def _varied(example: TaskProgram, n: int) -> list[str]:
    found = (", ".join(map(programs.data, args)) for args in neighbours(example.inputs[0], 2 * n))
    return [text for text in found if text not in example.inputs][:n]


def attempts(task: Task | None) -> tuple[str, ...]:
    """A right answer, a wrong one and an unreadable one; for an abduction the inputs of the examples.

    The right input is the proposer's secret: no solver may find it among the examples of its turn.
    """
    if task is None:
        return ()
    right = {"deduction": (task.shown[0],), "abduction": _INPUTS, "induction": (task.program,)}[task.kind]
    wrong = "def f(*args):\n    return None" if task.kind == "induction" else "'nothing of the kind'"
    block = BLOCK[task.kind]
    blocks = [f"```{block}\n{text}\n```" for text in right]
    return (*blocks, f"Let me think.\n```{block}\n{wrong}\n```", "I do not know.")
