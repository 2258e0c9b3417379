"""What the seats of code-io-v0 read of a task, and messages that the game takes."""

from __future__ import annotations

from collections.abc import Sequence

from games.dialogue import code_io_texts as texts
from games.dialogue import code_text
from games.dialogue.code_seeds import INPUTS, SEEDS
from games.dialogue.code_tasks import BLOCK, Kind, Task
from games.dialogue.staged import listed


def duty(kind: Kind, examples: Sequence[int], cases: int) -> str:
    """What the proposer is asked for, with examples among the seeds; for an induction the program to describe."""
    shown = [SEEDS[i] for i in examples]
    if kind == "induction":
        return texts.PROPOSE_INPUTS.format(program=code_text.program(shown[0][0]), cases=cases)
    blocks = [f"```python\n{program}\n```\n```input\n{args}\n```" for program, args, _ in shown]
    return listed([*(f"An example:\n{block}" for block in blocks), texts.PROPOSE[kind]])


def seen(task: Task | None) -> str:
    """The task as a solver sees it: without what it has to find. The proposer has seen its own."""
    if task is None:
        return ""
    program = f"```python\n{task.program}\n```"
    if task.kind == "deduction":
        return f"{program}\nf is called with: {task.inputs[0]}"
    if task.kind == "abduction":
        return f"{program}\nf returned: {task.shown[0]}"
    cases = [f"f({task.inputs[i]}) is {task.shown[i]}" for i in range(task.half)]
    return listed([f'What f does: "{task.message}"', *cases])


def proposals(kind: Kind, examples: Sequence[int], cases: int) -> tuple[str, ...]:
    """Valid proposals and an invalid one."""
    if kind == "induction":
        seed = examples[0]
        blocks = [f"```input\n{INPUTS[seed][i % 10]}\n```" for i in range(cases)]
        return ("\n".join([*blocks, f"```message\n{SEEDS[seed][2]}\n```"]), "```input\n1\n```")
    found = [f"```python\n{program}\n```\n```input\n{args}\n```" for program, args, _ in SEEDS[:4]]
    return (*found, "```python\nimport os\ndef f(x):\n    return os.getpid()\n```\n```input\n1\n```")


def attempts(task: Task | None) -> tuple[str, ...]:
    """A right answer, a wrong one and one that cannot be read."""
    if task is None:
        return ()
    right = {"deduction": task.shown[0], "abduction": task.inputs[0], "induction": task.program}[task.kind]
    wrong = "def f(*args):\n    return None" if task.kind == "induction" else "'nothing of the kind'"
    block = BLOCK[task.kind]
    return (f"```{block}\n{right}\n```", f"Let me think.\n```{block}\n{wrong}\n```", "I do not know.")
