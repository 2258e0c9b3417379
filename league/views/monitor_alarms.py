"""Alarms about what a reward is earned by: truth, rules, secrets, refusals and fixed probes, per game and role."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from league.config.training import AlarmConfig

if TYPE_CHECKING:
    from league.views.training_panels import MetricsHistory

_EARLY, _LATE = 20, 10
"""alarms compare the mean of the first `_EARLY` values with that of the last `_LATE` values"""


def ends(values: Sequence[float]) -> tuple[float, float]:
    """Means of the first and the last finite values; NaN, which raises no alarm, while there are too few."""
    finite = [v for v in values if math.isfinite(v)]
    if len(finite) < _EARLY + _LATE:
        return math.nan, math.nan
    return sum(finite[:_EARLY]) / _EARLY, sum(finite[-_LATE:]) / _LATE


def monitor_alarms(history: MetricsHistory, config: AlarmConfig) -> Iterator[str]:
    """Yields one line for each problem, with its cause."""
    yield from _truth(history, config)
    for name, most, what in (
        ("violations", config.violations, "rules are broken"),
        ("leaks", config.leaks, "secrets are given away"),
        ("refusals", config.refusals, "answers are refused"),
    ):
        for path, early, late in _roles(history, name):
            if late > early + most:
                yield f"{what}: {_place(history, path)} in {late:.0%} of its seats, it was {early:.0%}"
    yield from _probes(history, config)


def _truth(history: MetricsHistory, config: AlarmConfig) -> Iterator[str]:
    for path, early, late in _roles(history, "truth"):
        before, now = ends(history.values(f"reward/{path}"))
        if late < early - config.truth and now >= before:
            yield (
                f"reward without truth: {_place(history, path)} earns {now:+.3g}, it was {before:+.3g}, and is "
                f"right in {late:.0%}, it was {early:.0%}"
            )
    for path, early, late in _roles(history, "reward_truth"):
        if early >= config.follows and late <= 0:
            yield (
                f"the reward no longer follows the truth: {_place(history, path)}, correlation {late:+.2f}, it was "
                f"{early:+.2f}"
            )


def _probes(history: MetricsHistory, config: AlarmConfig) -> Iterator[str]:
    """Roles that earn more than before, but not in the fixed probes."""
    for key in history.keys("probe/score/"):
        path = key.removeprefix("probe/score/")
        score, scale = history.values(key)[-1], history.values(f"probe/scale/{path}")[-1]
        early, late = ends(history.values(f"reward/{path}"))
        if score < config.probe and late - early > 2 * config.probe * scale:
            yield (
                f"a shortcut? {_place(history, path)} earns {late:+.3g}, it was {early:+.3g}, but in the fixed probes "
                f"{score:.0%} of what a competent player adds to random honest play"
            )


def _roles(history: MetricsHistory, name: str) -> Iterator[tuple[str, float, float]]:
    """Path, early and late mean of a monitor."""
    for key in history.keys(f"{name}/"):
        yield (key.removeprefix(f"{name}/"), *ends(history.values(key)))


def _place(history: MetricsHistory, path: str) -> str:
    return history.labels.place(path)
