"""Makes task sources from ids such as `arithmetic(digits=1)` or `reasoning-gym(families=gcd+lcm, difficulty=small)`."""

from __future__ import annotations

from games.plugins import Registry
from games.tasks.source import TaskSource

SOURCES = Registry(
    "task source",
    "arena.tasks",
    TaskSource,  # type: ignore[type-abstract]
    {
        "arithmetic": "games.tasks.arithmetic:ArithmeticSource",
        "reasoning-gym": "games.tasks.reasoning:ReasoningGym",
    },
)

ids = SOURCES.ids
make = SOURCES.make
register = SOURCES.register
