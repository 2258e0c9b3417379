"""How well a curriculum predicts solve rates: its predictions before a step against what the step's matches showed."""

from __future__ import annotations

from collections.abc import Sequence

from arena.match import Episode
from league.tasks import curricula
from league.tasks.pool import TaskPool


def calibration(pool: TaskPool, episodes: Sequence[Episode]) -> dict[str, float]:
    """Per game, over the tasks of the pool that a step played: mean predicted and mean observed solve rate, the mean
    squared error, and Spearman's rank correlation if there are three tasks or more that differ. Empty without
    predictions.
    """
    observations: dict[str, dict[int, list[float]]] = {}
    predicted: dict[str, dict[int, float]] = {}
    for episode in episodes:
        rate, task = episode.facts.get("solve_rate"), pool.find(episode.game, str(episode.facts.get("task", "")))
        if task is None or rate is None or not episode.facts.get("pooled"):
            continue
        expected = curricula.predicted(pool.curriculum, episode.game, task)
        if expected is not None:
            predicted.setdefault(episode.game, {})[task.index] = expected
            observations.setdefault(episode.game, {}).setdefault(task.index, []).append(float(rate))
    out: dict[str, float] = {}
    for game, rates in sorted(observations.items()):
        observed = [sum(values) / len(values) for values in rates.values()]
        expected_rates = [predicted[game][index] for index in rates]
        out |= {f"{name}/{game}": value for name, value in _compared(expected_rates, observed).items()}
    return out


def _compared(predicted: Sequence[float], observed: Sequence[float]) -> dict[str, float]:
    n = len(predicted)
    out = {
        "pool_predicted": sum(predicted) / n,
        "pool_solved": sum(observed) / n,
        "pool_error": sum((p - r) ** 2 for p, r in zip(predicted, observed, strict=True)) / n,
    }
    correlation = spearman(predicted, observed)
    return out if correlation is None else out | {"pool_rank": correlation}


def spearman(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Returns Spearman's rank correlation; None if there are fewer than three pairs or one side has only one value."""
    if len(a) < 3 or len(set(a)) == 1 or len(set(b)) == 1:
        return None
    from scipy.stats import rankdata  # takes seconds to import, which every training would wait for

    x, y = rankdata(a), rankdata(b)
    x, y = x - x.mean(), y - y.mean()
    return float((x @ y) / ((x @ x) * (y @ y)) ** 0.5)
