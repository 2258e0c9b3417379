"""Small programs: examples for proposers."""

from __future__ import annotations

from games.tasks.programs import TaskProgram

SEEDS: tuple[tuple[str, str, str], ...] = (
    ("def f(x):\n    return x * x + 1", "7", "Square a number and add one."),
    ("def f(a, b):\n    return a if a > b else b", "3, 8", "The larger of two numbers."),
    ("def f(words):\n    return ' '.join(reversed(words.split()))", "'one two three'", "Reverse the order of words."),
    ("def f(items):\n    return sorted(set(items))", "[3, 1, 3, 2]", "The different items in order."),
    ("def f(text):\n    return sum(c in 'aeiou' for c in text)", "'banana'", "Count the vowels."),
    ("def f(n):\n    return [i for i in range(1, n + 1) if n % i == 0]", "12", "All divisors of a number."),
    ("def f(text, k):\n    return text[k:] + text[:k]", "'abcdef', 2", "Rotate a text to the left."),
    (
        "def f(items):\n    total = 0\n    for i, x in enumerate(items):\n        total += x if i % 2 == 0 else -x\n"
        "    return total",
        "[5, 2, 9, 1]",
        "The alternating sum of a list.",
    ),
    (
        "def f(n):\n    steps = 0\n    while n != 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n"
        "        steps += 1\n    return steps",
        "6",
        "How many steps of halving or 3n + 1 lead to one.",
    ),
    (
        "def f(text):\n    out = {}\n    for c in text:\n        out[c] = out.get(c, 0) + 1\n    return out",
        "'noon'",
        "How often each letter occurs.",
    ),
)
"""(program, arguments, description)"""


def seed_programs() -> tuple[TaskProgram, ...]:
    """The programs of SEEDS, each with its argument."""
    return tuple(TaskProgram(code, (argument,), words) for code, argument, words in SEEDS)
