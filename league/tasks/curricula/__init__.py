"""Curricula by id: which tasks of the pool a training plays next.

To add one, write a subclass of `Curriculum` and one line in the table of `registry`. A plugin file uses
`@register(name)`, a package an entry point in the group `arena.curricula`.
"""

from league.tasks.curricula.base import Curriculum, PooledTask, StepBudget, TaskResult, predicted, tasks_of
from league.tasks.curricula.registry import CURRICULA, ids, make, register

__all__ = [
    "CURRICULA",
    "Curriculum",
    "PooledTask",
    "StepBudget",
    "TaskResult",
    "ids",
    "make",
    "predicted",
    "register",
    "tasks_of",
]
