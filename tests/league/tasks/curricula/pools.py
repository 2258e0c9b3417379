"""Tasks, results and a step for the tests of curricula."""

from itertools import islice

from games.randomness import RandomStream
from league.store.tasks import StoredTask
from league.tasks.curricula import PooledTask, StepBudget, TaskResult

GAME = "solve-v1"


def task(index, rate=None, *, kind="", question=""):
    text = f"task {index}"
    return PooledTask(StoredTask(index, GAME, text, text, "live", 0, "m", 0, kind, question), rate)


def shown(on, rate, answers=4, *, gain=None, right=(), pooled=True):
    return TaskResult(on, rate, answers, right, gain, pooled)


def observed(curriculum, step, *results):
    curriculum.observe(step, {GAME: results})
    return curriculum


def picks(curriculum, tasks, n, *, matches=8, group=1, seed=3):
    order = curriculum.order(GAME, tasks, StepBudget(matches, group), RandomStream(seed))
    return list(islice(order, n))


def chosen(curriculum, tasks, n, **more):
    return [pick.task.index for pick in picks(curriculum, tasks, n, **more)]
