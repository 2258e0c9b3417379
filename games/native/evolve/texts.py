"""The rules and prompts of evolve, and what seats may write."""

from __future__ import annotations

from games.dialogue.messages import shown

EVOLVER = "evolver"
EVOLVE = "evolve: "
"""before a task in a plan: the match makes a variant of it"""
DUTY = {
    "solve": "Think briefly, then write <answer>your answer</answer>",
    "write": (
        "Write <question>a variant of the task</question>: a question that a program can answer, with another answer, "
        "and with at least half of the numbers and signs of the task"
    ),
    "choose": "Choose the kind of the variant.",
    "closed": "Choose the variant.",
    "think": (
        "Write <rationale>the steps in which these concepts become a task</rationale>. Whoever follows them should "
        "arrive at the same task."
    ),
    "compose": ("Write <question>the task</question>: a question that a program can answer, with all of the concepts"),
}
"""the instruction of each phase"""
PAID = {
    "gaussian": "most if half of the solvers answer it right, and hardly anything if all or none do",
    "gap": "if some solvers answer it right and some wrong",
    "band": "if at least 5% and at most 75% of the answers are right",
    "hard": "if some of the solvers answer it right, but fewer than half",
}


ANSWERS = ("<answer>42</answer>", "<answer>I do not know</answer>", "42 perhaps")


def questions(parent: str) -> tuple[str, ...]:
    """Returns examples of what an evolver writes about a task."""
    end = parent.rstrip("?. ")
    return (f"<question>{end} + 3?</question>", f"<question>{end}?</question>", "<question>Why?</question>", "?")


def solved(question: str, answer: str) -> tuple[str, str]:
    """Returns an example turn of a solver: what it reads, what it writes."""
    return f"The question: {shown(question)}\n{DUTY['solve']}", f"<answer>{answer}</answer>"


def rules(solvers: int, proposes: str, size: int, pays: str, start: str) -> str:
    """Returns the rules that every seat reads."""
    proposes = "closed" if size else proposes
    if start == "concepts":
        made = {"write": "writes a question with all of them", "choose": "chooses a kind of task"}
        return (
            f"The evolver reads concepts and writes a rationale, which nobody else reads. Then it "
            f"{made.get(proposes, 'chooses a sum with them')}. {solvers} solvers answer, each alone. "
            f"A solver is paid 1 for a right answer. The evolver is paid for its task "
            f"{PAID[pays]}; it loses 1 for what is not a task."
        )
    form = {
        "write": "The evolver writes a variant of the task.",
        "choose": "The evolver chooses a kind of task of the same family, and a variant of this kind is drawn.",
        "closed": "The evolver chooses a sum with one other number.",
    }[proposes]
    return (
        f"{solvers} solvers answer a task, each alone. Then the evolver reads the task, its answer and how they did. "
        f"{form} As many other solvers answer the variant. A solver is paid 1 for a right answer. The evolver is paid "
        f"for its variant {PAID[pays]}; it loses 1 for what is not a variant."
    )
