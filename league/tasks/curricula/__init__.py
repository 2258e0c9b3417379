"""Curricula by id: which tasks of the pool a training plays next.

To add one, write a subclass of `Curriculum` and one line in the table of `registry`. A plugin file uses
`@register(name)`, a package an entry point in the group `arena.curricula`.
"""

from league.tasks.curricula.base import (
    CURRICULA,
    Curriculum,
    Pick,
    PooledTask,
    StepBudget,
    TaskResult,
    ids,
    make,
    most_copies,
    picks_of,
    predicted,
    register,
)

__all__ = [
    "CURRICULA",
    "Curriculum",
    "Pick",
    "PooledTask",
    "StepBudget",
    "TaskResult",
    "ids",
    "make",
    "most_copies",
    "picks_of",
    "predicted",
    "register",
]
