"""The conformance kit for curricula: they choose among the tasks they are given, and a resumed one chooses the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from math import isfinite

from arena.conformance.generators import global_generators
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Findings, run_checks
from games.randomness import RandomStream, derive
from league.store.tasks import StoredTask
from league.tasks.curricula import CURRICULA, Curriculum, Pick, PooledTask, StepBudget, TaskResult, picks_of, predicted

GAMES = ("one-v0", "two-v0")
TASKS = 40
STEPS = 12
BUDGET = StepBudget(16, 4)
SOLVERS = 4

Make = Callable[[], Curriculum]


def check_curriculum(id: str) -> Report:
    """Check a curriculum by its id. Raises InputError if it cannot be made."""
    make: Make = partial(CURRICULA.make, id)
    make()
    return run_checks(id, make, CHECKS)


def _picks(curriculum: Curriculum, game: str, tasks: list[PooledTask], step: int) -> list[Pick]:
    stream = RandomStream(derive(7, game, step))
    return list(islice(picks_of(curriculum, game, tasks, BUDGET, stream), BUDGET.tasks + 2))


def _played(make: Make, *, resumed: bool = False) -> Iterator[tuple[str, list[Pick], Curriculum]]:
    """Yields game and picks of each step of two games with tasks of all difficulties; `resumed`: from its state."""
    curriculum = make()
    pools = {game: [_task(game, i) for i in range(TASKS)] for game in GAMES}
    for step in range(STEPS):
        if resumed:
            again = make()
            again.load_state_dict(json.loads(json.dumps(curriculum.state_dict())))
            curriculum = again
        results: dict[str, list[TaskResult]] = {}
        for game, pool in pools.items():
            picks = _picks(curriculum, game, pool[: 1 + 4 * step], step)
            yield game, picks, curriculum
            results[game] = [_result(game, pick.task, step, i) for i, pick in enumerate(picks)]
        curriculum.observe(step, results)
        for group in results.values():
            for result in group:
                result.task.rate = result.rate


def _task(game: str, i: int) -> PooledTask:
    index = GAMES.index(game) * TASKS + i
    text = f"{game} {i}"
    return PooledTask(
        StoredTask(index, game, text, text, "live", 0, "m", 0, f"family{i % 3}/easy", f"What is {i} + 1?")
    )


def _result(game: str, task: PooledTask, step: int, place: int) -> TaskResult:
    """Returns tasks that nobody solves, that everybody solves, and those between."""
    stream = RandomStream(derive(task.index, game, step, place))
    right = sum(stream.random() < (task.index % 5) / 4 for _ in range(SOLVERS))
    return TaskResult(task, right / SOLVERS, SOLVERS, tuple(map(str, range(right))), stream.random())


def _chosen(make: Make) -> Findings:
    """`order` gives tasks of the pool without end, and no more matches than `most_matches`."""
    cases = 0
    for game, picks, curriculum in _played(make):
        cases += len(picks)
        if len(picks) < BUDGET.tasks + 2:
            yield Finding("chosen", f"order ends after {len(picks)} tasks; go on, with repetition if necessary")
            return
        if foreign := [pick for pick in picks if pick.task.task.game != game]:
            yield Finding("chosen", f"chose {foreign[0].task.task.text!r}, which is not a task that it was given")
        if wrong := [pick.matches for pick in picks if not 0 <= pick.matches <= curriculum.most_matches]:
            yield Finding("chosen", f"wants {wrong[0]} matches on a task; most_matches is {curriculum.most_matches}")
    yield Check("chosen", cases, "picks")


def _repeats(make: Make) -> Findings:
    """The same results and streams give the same picks, and no global random generator is used."""
    drew: set[str] = set()
    with global_generators(drew):
        first = [picks for _, picks, _ in _played(make)]
    if _indices(first) != _indices([picks for _, picks, _ in _played(make)]):
        yield Finding("repeats", "the same results and streams give other tasks; draw from the stream alone")
    yield from (Finding("repeats", f"uses the global generator {name}") for name in sorted(drew))
    yield Check("repeats", len(first), "steps")


def _resumes(make: Make) -> Findings:
    """A curriculum that is restored from its state, as JSON, before every step chooses and predicts the same."""
    cases = 0
    for whole, again in zip(_played(make), _played(make, resumed=True), strict=True):
        cases += 1
        if _indices([whole[1]]) != _indices([again[1]]):
            yield Finding("resumes", "after state_dict and load_state_dict other tasks are chosen; save all state")
            return
        if [whole[2].predict(whole[0], p.task) for p in whole[1]] != [
            again[2].predict(again[0], p.task) for p in again[1]
        ]:
            yield Finding("resumes", "after state_dict and load_state_dict it predicts other solve rates")
            return
    yield Check("resumes", cases, "steps")


def _predictions(make: Make) -> Findings:
    """Predicted solve rates are from 0 to 1, and temperatures are those that it lists."""
    cases = 0
    for step, (game, picks, curriculum) in enumerate(_played(make)):
        for pick in picks:
            rate = predicted(curriculum, game, pick.task)
            cases += rate is not None
            if rate is not None and not (isfinite(rate) and 0.0 <= rate <= 1.0):
                yield Finding("predictions", f"predicts the solve rate {rate}")
                return
        temperature = curriculum.temperature(step // len(GAMES))
        cases += temperature is not None
        if temperature is not None and temperature not in curriculum.temperatures:
            yield Finding("predictions", f"temperature {temperature} is not in its `temperatures`")
            return
    yield Check("predictions", cases, "numbers", skipped="" if cases else "it predicts no solve rate, no temperature")


def _indices(steps: list[list[Pick]]) -> list[list[tuple[int, int]]]:
    return [[(pick.task.index, pick.matches) for pick in picks] for picks in steps]


CHECKS = {"chosen": _chosen, "repeats": _repeats, "resumes": _resumes, "predictions": _predictions}
"""name -> check, in the order of the report"""
