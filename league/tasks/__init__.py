"""The pool of reusable tasks that players set for each other, and its curricula."""

from league.tasks.pool import TaskPool, task_key
from league.tasks.run_pool import RunTaskPool

__all__ = ["RunTaskPool", "TaskPool", "task_key"]
