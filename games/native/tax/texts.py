"""The texts of tax: rules, prompts, demonstrations, and how a planner's changes are read."""

from __future__ import annotations

import re
from itertools import product

from games.game import Demonstrations
from games.native.common import tags
from games.native.tax.economy import EDGES, Welfare

PLANNER, WORKER = "planner", "worker"
DELTAS = (-20, -10, 0, 10, 20)
"""by how much a rate may change in a year, in percent (LLM Economist)"""
HOURS_LISTED = tuple(str(hours) for hours in range(0, 101, 10))
_CHANGES = re.compile(r"[\[(]?\s{0,4}([+-]?\d{1,3}%?(?:\s{0,4}[,;]\s{0,4}[+-]?\d{1,3}%?){0,4})\s{0,4}[\])]?")
DUTY = {
    "plan": "How does each rate change, by -20, -10, 0, 10 or 20? One for each bracket: <answer>{example}</answer>",
    "work": "How many hours do you work, from 0 to 100? <answer>hours</answer>",
}
CHOICE = {"plan": "Choose the changes.", "work": "Choose your hours."}
"""the instruction of each phase of a closed game"""
NO_CHANGES = "no change of each rate by -20, -10, 0, 10 or 20"
_GOAL = {
    "equality": "the mean income after tax times its equality (1 if all have the same, 0 if one has everything)",
    "inverse": "the sum of the workers' utilities, each divided by the worker's income before tax",
    "sum": "the sum of the workers' utilities",
    "lowest": "the lowest utility of a worker",
}


def rules(workers: int, years: int, terms: int, brackets: int, welfare: Welfare, closed: bool) -> str:
    """Returns the rules that every seat reads."""
    edges = EDGES[brackets]
    incomes = ", ".join(
        f"{low:g} to {high:g}" if high else f"above {low:g}" for low, high in zip(edges, (*edges[1:], 0), strict=True)
    )
    how = "All seats choose from lists." if closed else "The last <answer>...</answer> of a message counts."
    return (
        f"A planner sets tax rates for {workers} workers, {years} years with {terms} terms each. At the "
        "start of a year it changes the rate of each bracket of income by -20, -10, 0, 10 or 20 percent; rates stay "
        f"between 0 and 100. Brackets: {incomes}. In each term every worker chooses its hours, from 0 to 100. Its "
        "income is wage times hours. All taxes are shared equally among the workers. A worker's utility is its income "
        "after tax, plus its share, less the effort of its hours, which grows faster than the hours. The planner knows "
        "neither wages nor how fast effort grows; it reads incomes. It is paid for the welfare of the last year: "
        f"{_GOAL[welfare]}; 0 for what the best fixed rates reach, 1 for the best possible, -1 for none. A worker is "
        "paid for hours near those with the highest utility at the rates of each term: 1 for these, 0 for hours off by "
        "an eighth of what a tax of 100% would take from its hours. "
        f"{how}"
    )


def changes(text: str, brackets: int) -> tuple[int, ...] | None:
    """Returns the changes in a message, such as "10, -20" or {"DELTA": [10, -20]}; None if they cannot be read."""
    found = _CHANGES.fullmatch((tags.answer(text)[0].content or text[-400:].rpartition(":")[2]).strip(" }\n`"))
    numbers = tuple(int(n.rstrip("%")) for n in re.split(r"[,;]", found[1].replace(" ", ""))) if found else ()
    return numbers if len(numbers) == brackets and all(n in DELTAS for n in numbers) else None


def listed_changes(brackets: int) -> tuple[str, ...]:
    """Returns all changes that a planner can choose."""
    return tuple(", ".join(map(str, deltas)) for deltas in product(DELTAS, repeat=brackets))


_EFFORT = "Effort: 20 hours 3, 40 hours 21, 60 hours 72, 80 hours 171, 100 hours 333."

DEMONSTRATIONS: Demonstrations = {
    "plan": (
        (
            "Year 2 of 5. The rates are 30%, 40%.\nYear 1: rates 30%, 40%; incomes 20, 90, 310; welfare 61.0\n"
            + DUTY["plan"].format(example="0, 0"),
            "<answer>10, 0</answer>",
        ),
    ),
    "work": (
        (
            f"Year 1 of 5. The rates are 10%, 10%.\nYour wage is 8.5. {_EFFORT}\n{DUTY['work']}",
            "<answer>90</answer>",
        ),
        (
            f"Year 3 of 5. The rates are 60%, 60%.\nYour wage is 2.1. {_EFFORT}\n{DUTY['work']}",
            "<answer>35</answer>",
        ),
    ),
}
