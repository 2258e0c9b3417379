"""The pool of reusable tasks that players set for each other, and its curricula."""

from league.tasks.pool import TaskPool, task_key
from league.tasks.run_pool import PlannedTask, RunTaskPool, TaskSampler

__all__ = ["PlannedTask", "RunTaskPool", "TaskPool", "TaskSampler", "task_key"]
