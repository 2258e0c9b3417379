"""Small programs: examples for proposers, programs to describe, and tasks for bots."""

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
INPUTS: tuple[tuple[str, ...], ...] = (
    tuple(str(n) for n in (0, 1, 2, 3, 5, 8, -1, -4, 10, 100)),
    ("1, 2", "2, 1", "0, 0", "-1, -2", "5, 9", "9, 5", "3, 3", "100, 7", "-5, 5", "6, 60"),
    tuple(repr(t) for t in ("a", "a b", "x y z", "", "one two", "to be or not", "b a", "w", "go on", "m n o p")),
    ("[1]", "[2, 1]", "[]", "[1, 1]", "[3, 2, 1]", "[5, 5, 4]", "[9]", "[0, 0, 0]", "[7, 8, 7]", "[4, 3]"),
    tuple(repr(t) for t in ("a", "xyz", "eel", "aeiou", "", "queue", "sky", "idea", "oboe", "tree")),
    tuple(str(n) for n in (1, 2, 3, 4, 6, 7, 9, 10, 16, 30)),
    tuple(f"{t!r}, {k}" for t, k in zip(("ab", "abc", "hello", "x", "arena") * 2, range(10), strict=True)),
    ("[1]", "[1, 2]", "[]", "[4, 4]", "[1, 2, 3]", "[9, 1, 1]", "[0]", "[2, 3, 4, 5]", "[7, 7, 7]", "[10, 5]"),
    tuple(str(n) for n in (1, 2, 3, 4, 5, 7, 8, 9, 10, 16)),
    tuple(repr(t) for t in ("a", "aa", "ab", "", "abc", "noon", "level", "xx", "moo", "tree")),
)
"""ten arguments for each program of SEEDS"""


def seed_programs() -> tuple[TaskProgram, ...]:
    """The programs of SEEDS, each with its argument and ten more."""
    return tuple(
        TaskProgram(code, (argument, *more), words) for (code, argument, words), more in zip(SEEDS, INPUTS, strict=True)
    )
