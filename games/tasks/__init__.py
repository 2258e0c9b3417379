"""Sources of tasks with known answers, for games that pose tasks (`tasks=...`) and for suites of `arena eval`.

    source = make("reasoning-gym(families=gcd+lcm, difficulty=small)")
    task = source.draw(seed=1)
    source.grade(task, "6").ok

Every source works offline. Its tasks are recreated exactly by their ids. A plugin adds a source with
`games.tasks.register("name")` above a subclass of TaskSource, or with the entry-point group `arena.tasks`.
"""

from games.tasks.registry import ids, make, register, suite, training, with_split
from games.tasks.source import SPLITS, SourceTask, Split, TaskKind, TaskSource, split_of

__all__ = [
    "SPLITS",
    "SourceTask",
    "Split",
    "TaskKind",
    "TaskSource",
    "ids",
    "make",
    "register",
    "split_of",
    "suite",
    "training",
    "with_split",
]
