"""The steps of generated programs: their Python code, what they do, and a description in words.

A step maps a number, a list of numbers or a text to one of these. The code of a step and its function are written side
by side; the tests run the code and compare.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

Type = Literal["number", "list", "text"]


class Step(NamedTuple):
    """One step. `code` is an expression in x and the constant c."""

    takes: Type
    gives: Type
    code: str
    run: Callable[[Any, int], Any]
    words: str


SQUARE = Step("number", "number", "x * x", lambda x, c: x * x, "Square it.")
STEPS: tuple[Step, ...] = (
    Step("number", "number", "x + {c}", lambda x, c: x + c, "Add {c}."),
    Step("number", "number", "x - {c}", lambda x, c: x - c, "Subtract {c}."),
    Step("number", "number", "x * {c}", lambda x, c: x * c, "Multiply by {c}."),
    Step("number", "number", "x // {c}", lambda x, c: x // c, "Divide by {c} and round down."),
    Step("number", "number", "x % {c}", lambda x, c: x % c, "Take the remainder of a division by {c}."),
    SQUARE,
    Step("number", "number", "abs(x)", lambda x, c: abs(x), "Take the absolute value."),
    Step("number", "number", "max(x, {c})", lambda x, c: max(x, c), "Take the larger of it and {c}."),
    Step("number", "number", "x if x % 2 == 0 else -x", lambda x, c: x if x % 2 == 0 else -x, "Negate odd numbers."),
    Step(
        "number",
        "list",
        "[int(d) for d in str(abs(x))]",
        lambda x, c: [int(d) for d in str(abs(x))],
        "List the digits.",
    ),
    Step("number", "list", "list(range(abs(x) % 8))", lambda x, c: list(range(abs(x) % 8)), "Count up to x modulo 8."),
    Step("list", "list", "sorted(x)", lambda x, c: sorted(x), "Sort the list."),
    Step("list", "list", "x[::-1]", lambda x, c: x[::-1], "Reverse the list."),
    Step("list", "list", "[y + {c} for y in x]", lambda x, c: [y + c for y in x], "Add {c} to each item."),
    Step("list", "list", "[y * {c} for y in x]", lambda x, c: [y * c for y in x], "Multiply each item by {c}."),
    Step("list", "list", "[y for y in x if y > {c}]", lambda x, c: [y for y in x if y > c], "Keep items above {c}."),
    Step("list", "list", "sorted(set(x))", lambda x, c: sorted(set(x)), "Sort the different items."),
    Step("list", "list", "x[1:] + x[:1]", lambda x, c: x[1:] + x[:1], "Move the first item to the end."),
    Step("list", "number", "sum(x)", lambda x, c: sum(x), "Add up the items."),
    Step("list", "number", "len(x)", lambda x, c: len(x), "Count the items."),
    Step("list", "number", "max(x, default={c})", lambda x, c: max(x, default=c), "Take the largest item, or {c}."),
    Step("text", "text", "x.upper()", lambda x, c: x.upper(), "Write it in upper case."),
    Step("text", "text", "x[::-1]", lambda x, c: x[::-1], "Reverse the text."),
    Step("text", "text", "x + x[:1]", lambda x, c: x + x[:1], "Repeat the first letter at the end."),
    Step("text", "text", "x.replace('a', 'o')", lambda x, c: x.replace("a", "o"), "Replace a by o."),
    Step("text", "text", "''.join(sorted(x))", lambda x, c: "".join(sorted(x)), "Sort the letters."),
    Step("text", "text", "x[{c}:]", lambda x, c: x[c:], "Leave out the first {c} letters."),
    Step("text", "text", "x * 2", lambda x, c: x * 2, "Write it twice."),
    Step("text", "number", "len(x)", lambda x, c: len(x), "Count the letters."),
    Step("text", "number", "x.count('e')", lambda x, c: x.count("e"), "Count the letter e."),
    Step("text", "list", "[len(w) for w in x.split('e')]", lambda x, c: [len(w) for w in x.split("e")],
         "Split at the letter e and list the lengths."),
)  # fmt: skip
CONSTANTS = range(2, 8)
WORDS = ("banana", "tree", "apple", "level", "orange", "needle", "cat", "eleven", "garden", "street", "idea", "moon")
