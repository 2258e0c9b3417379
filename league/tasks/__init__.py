"""The pool of reusable tasks that players set for each other, its curricula, and the targets that were proved."""

from league.tasks.pool import TaskPool
from league.tasks.run_pool import PlannedTask, RunTaskPool, TaskSampler
from league.tasks.targets import ProvedTargets

__all__ = ["PlannedTask", "ProvedTargets", "RunTaskPool", "TaskPool", "TaskSampler"]
