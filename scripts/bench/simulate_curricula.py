"""Curricula with simulated solvers: useful gradients, predictions and progress on many seeds in a minute.

    python scripts/bench/simulate_curricula.py [--seeds 20] [--steps 100] [--curricula uniform mopps ...]

The curricula are the real ones. Each of 200 tasks has K possible answers, K from 2 to 512 and evenly spread by its
logarithm, and a softmax policy of its own that starts uniform, so its first solve rate is 1 / K; the kind of a task is
its K in powers of 8. A step plays 16 matches of 8 answers; the answers to a task in a step are one group, with grpo's
advantages, and the policy takes a policy-gradient step. knapsack has 2 matches a task on average, all others 1. Tasks
do not help each other, unlike those of a model. useful: share of answers with an advantage other than 0. rank, error:
Spearman's correlation and squared error of predicted and observed rates, last half of the steps. learned: mean
probability of the right answer over all tasks at the end.

In this simulation mopps, pcl and sec waste fewer answers than uniform sampling and learn more; a tiny model on real
sums had no gain from any curriculum (docs/tasks.md). For b-star right answers never differ here, and knapsack plays
half as many tasks. pcl has an advantage: a question's words name the number of its answers.
"""

from __future__ import annotations

import argparse
import statistics
from itertools import islice
from typing import Any

import numpy as np
from _bench import machine_line, table

from games.randomness import RandomStream, derive
from league.store.tasks import StoredTask
from league.tasks.curricula import PooledTask, StepBudget, TaskResult, make
from league.tasks.run_pool import spearman

CURRICULA = ("uniform", "mopps", "pcl", "knapsack", "b-star", "sec")
GAME, TASKS, MATCHES, SOLVERS, RATE = "solve-v1", 200, 16, 8, 0.5
HEAD = ("curriculum", "useful", "rank", "error", "learned")


class SimulatedSolvers:
    """A softmax policy for each task; answer 0 is right."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        sizes = np.round(2 ** self.rng.uniform(1, 9, TASKS)).astype(int)
        self.logits = [np.zeros(size) for size in sizes]
        self.tasks = [PooledTask(_task(i, int(size))) for i, size in enumerate(sizes)]

    def chances(self, index: int, temperature: float = 1.0) -> Any:
        """The probability of each answer."""
        weights = np.exp((self.logits[index] - self.logits[index].max()) / temperature)
        return weights / weights.sum()

    def answer(self, index: int, n: int, temperature: float) -> tuple[Any, float]:
        """The rewards of n answers, after a step on them, and their mean absolute advantage."""
        chances = self.chances(index, temperature)
        given = self.rng.choice(len(chances), n, p=chances)
        rewards = (given == 0).astype(float)
        advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-6)
        step = np.bincount(given, advantages, len(chances)) - advantages.sum() * chances
        self.logits[index] += RATE * step / n
        return rewards, float(np.abs(advantages).mean())


def _task(index: int, size: int) -> StoredTask:
    kind = f"answers/{8 ** ((size - 1).bit_length() // 3)}"
    return StoredTask(index, GAME, str(index), str(index), "live", 0, "m", 0, kind, f"one of {size}: {index}")


def main() -> None:
    """Simulate every curriculum on every seed, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--curricula", nargs="+", default=list(CURRICULA))
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--steps", type=int, default=100)
    given = options.parse_args()
    rows = []
    for name in given.curricula:
        runs = [run(name, seed, given.steps) for seed in range(given.seeds)]
        rows.append((name, *(_spread([found[i] for found in runs]) for i in range(len(HEAD) - 1))))
    print(machine_line())
    print(f"{given.seeds} seeds, {given.steps} steps of {MATCHES} matches, {SOLVERS} answers each; mean (sd)")
    print(table(HEAD, rows))


def run(name: str, seed: int, steps: int) -> tuple[float | None, ...]:
    """Useful share, rank correlation, error and what was learned, of one run."""
    solvers, curriculum = SimulatedSolvers(seed), make(name)
    budget = StepBudget(MATCHES, 2 if name.startswith("knapsack") else 1)
    useful: list[tuple[int, bool]] = []
    ranks, errors = [], []
    for step in range(steps):
        stream = RandomStream(derive(seed, "simulated", step))
        temperature = curriculum.temperature(step) or 1.0
        counts: dict[int, int] = {}
        for pick in islice(curriculum.order(GAME, solvers.tasks, budget, stream), budget.tasks):
            counts[pick.task.index] = counts.get(pick.task.index, 0) + (pick.matches or budget.group)
        predicted = [curriculum.predict(GAME, solvers.tasks[index]) for index in counts]
        results = []
        for index, matches in counts.items():
            rewards, gain = solvers.answer(index, SOLVERS * matches, temperature)
            useful.append((len(rewards), gain > 0))
            for rate in rewards.reshape(matches, SOLVERS).mean(1):
                texts = ("0",) if rate else ()
                results.append(TaskResult(solvers.tasks[index], float(rate), SOLVERS, texts, gain))
        _compare(step >= steps // 2, predicted, results, ranks, errors)
        curriculum.observe(step, {GAME: results})
        for result in results:
            result.task.rate = result.rate
    learned = statistics.mean(float(solvers.chances(i)[0]) for i in range(TASKS))
    share = sum(n for n, used in useful if used) / sum(n for n, _ in useful)
    return share, statistics.mean(ranks) if ranks else None, statistics.mean(errors) if errors else None, learned


def _compare(
    late: bool, predicted: list[float | None], results: list[TaskResult], ranks: list[float], errors: list[float]
) -> None:
    """Add a step's correlation and error, in the last half of a run."""
    seen: dict[int, list[float]] = {}
    for result in results:
        seen.setdefault(result.task.index, []).append(result.rate or 0.0)
    observed = [statistics.mean(rates) for rates in seen.values()]
    known = [p for p in predicted if p is not None]
    if late and len(known) == len(observed):
        errors.append(statistics.mean((p - o) ** 2 for p, o in zip(known, observed, strict=True)))
        if (rank := spearman(known, observed)) is not None:
            ranks.append(rank)


def _spread(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{statistics.mean(known):.3f} ({statistics.pstdev(known):.3f})" if known else "-"


if __name__ == "__main__":
    main()
