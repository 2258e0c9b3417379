"""A training on the board: a curve for each metric, and alarms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from league.board import Panel
from league.board.cells import cut
from league.config.training import AlarmConfig
from league.views.training_labels import CurveLabels

_BARS = "▁▂▃▄▅▆▇█"
WIDTH = 28
"""width of a curve in terminal cells"""
_LINE = 79
"""width of a line in cells: label, newest value and curve"""
_NARROW = 8
"""minimum width of a curve if labels are long"""
_EARLY, _LATE = 20, 10
"""alarms compare the mean of the first `_EARLY` values with that of the last `_LATE` values"""

# Key in metrics.jsonl -> label on the board. A key that ends in "/" stands for all keys below it.
_LINES: tuple[tuple[str, str], ...] = (
    ("nash_conv/", "NashConv"),
    ("nash_conv_average/", "NashConv of the average"),
    ("win_rate/", ""),  # CurveLabels.win_rate
    ("accuracy/", ""),  # MetricsHistory._curve
    ("accuracy_gain/", ""),
    ("reward/", "reward"),
    ("baseline/", "baseline"),
    ("seat_win/", "wins in self-play"),
    ("valid/", "valid tasks"),
    ("distinct/", "different tasks"),
    ("messages/", "different messages"),
    ("task_length/", "task length (characters)"),
    ("solve_rate/", "solve rate"),
    ("agreement/", "judges agree with the truth"),
    ("label_right/", "majority is right"),
    ("pool", "tasks in the pool"),
    ("pool_new", "new tasks"),
    ("pool_repeats", "tasks refused as repeated"),
    ("pool_gain/", "gain by band"),
    ("entropy", "entropy (nats)"),
    ("grad_norm", "gradient norm"),
    ("length", "answer length (tokens)"),
    ("illegal", "illegal answers"),
    ("mismatch_kl", "KL sampler-trainer"),
    ("ess", "effective sample size"),
    ("magnet_kl", "KL to the magnet"),
)


_HEADLINE = (
    ("accuracy/all", "accuracy"),
    ("reward/", "reward"),
    ("loss", "loss"),
    ("nash_conv/", "NashConv"),
    ("nash_conv_average/", "NashConv of the average"),
)
"""metrics in the one-line summary, in this order"""


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """A curve as one line of at most `width` cells, scaled from the smallest value to the largest; NaN is blank.

    >>> sparkline([0, 1, 2, 3, 4, 5, 6, 7])
    '▁▂▃▄▅▆▇█'
    """
    points = _shrunk(values, width)
    finite = [v for v in points if math.isfinite(v)]
    if not finite:
        return " " * len(points)
    low, high = min(finite), max(finite)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((v - low) * scale)] if math.isfinite(v) else " " for v in points)


def _shrunk(values: Sequence[float], width: int) -> list[float]:
    """At most `width` values: the means of intervals of equal length."""
    if len(values) <= width:
        return list(values)
    edges = [round(i * len(values) / width) for i in range(width + 1)]
    intervals = [[v for v in values[a:b] if math.isfinite(v)] for a, b in itertools.pairwise(edges)]
    return [sum(s) / len(s) if s else math.nan for s in intervals]


Curve = tuple[str, str, Sequence[float]]
"""a label, the newest value as text, all values"""


class MetricsHistory:
    """The rows of metrics.jsonl by key, for curves and alarms. `games` holds the ids of the games played."""

    def __init__(self, rows: Sequence[Mapping[str, Any]] = (), games: Sequence[str] = ()) -> None:
        self._columns: dict[str, list[float]] = {}
        self.labels, self.step = CurveLabels(games), 0
        for row in rows:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add one row."""
        self.step = int(row["step"])
        for key, value in row.items():
            if key != "step" and isinstance(value, int | float):
                self._columns.setdefault(key, []).append(float(value))

    def values(self, key: str) -> list[float]:
        """All values of a key."""
        return self._columns.get(key, [])

    def columns(self) -> dict[str, list[float]]:
        """All values, by key."""
        return self._columns

    def keys(self, start: str) -> list[str]:
        """The keys below a path, and `start` itself if it does not end in a slash."""
        prefix = start if start.endswith("/") else f"{start}/"
        return [k for k in self._columns if k == start or k.startswith(prefix)]

    def panels(self, steps: int, config: AlarmConfig, timing: Mapping[str, float]) -> tuple[Panel, ...]:
        """The training's panel, after a panel of alarms if there are any."""
        shown = [
            self._curve(key, label, key.removeprefix(start).strip("/"))
            for start, label in _LINES
            for key in self.keys(start)
        ]
        lines = (*_facts(self.step, steps, timing), *_curves(shown))
        figures = tuple((label, value.strip()) for label, value, _ in shown)
        panel = Panel("training", lines, first=3, figures=figures, headline=self._headline(steps))
        warnings = alarms(self, config)
        return (Panel("alarms", tuple(warnings)), panel) if warnings else (panel,)

    def _headline(self, steps: int) -> tuple[str, ...]:
        """The step and the newest values of the most important metrics, for a log file."""
        out = [f"step {self.step:,} of {steps:,}"]
        for start, name in _HEADLINE:
            known = {key: self.values(key)[-1] for key in self.keys(start)}
            if known:
                paths = (self.labels.label("", key.removeprefix(start).strip("/")).strip() for key in known)
                out.append(
                    f"{name} "
                    + ", ".join(f"{path} {v:.3g}".strip() for path, v in zip(paths, known.values(), strict=True))
                )
        return tuple(out)

    def _curve(self, key: str, name: str, path: str) -> Curve:
        """A metric's label, newest value (for a win rate with its interval) and all values."""
        values = self.values(key)
        if key.startswith("win_rate/"):
            low, high = (self.values(f"win_rate_{end}/{path}") for end in ("low", "high"))
            known = f" [{low[-1]:.0%}, {high[-1]:.0%}]" if low and high else ""
            return self.labels.win_rate(path), f"{values[-1]:.0%}{known}", values
        if key.startswith(("accuracy/", "accuracy_gain/")):
            return self._suite_curve(key, path)
        return self.labels.label(name, path) if path else name, f"{values[-1]:>9.4g}", values

    def _suite_curve(self, key: str, path: str) -> Curve:
        """An accuracy or its gain with its interval, and the accuracy of the best constant answer."""
        kind, values = key.partition("/")[0], self.values(key)
        low, high = (self.values(f"{kind}_{end}/{path}")[-1] for end in ("low", "high"))
        if kind == "accuracy_gain":
            return f"accuracy gained, {path}", f"{values[-1]:+.0%} [{low:+.0%}, {high:+.0%}]", values
        constant = self.values(f"accuracy_constant/{path}")[-1]
        return f"accuracy, {path}", f"{values[-1]:.0%} [{low:.0%}, {high:.0%}], constant {constant:.0%}", values


def _facts(step: int, steps: int, timing: Mapping[str, float]) -> list[str]:
    """The step and the rates, then the share of time per part."""
    rates = [f"{timing[k]:,.0f} {word}" for k, word in _RATES if k in timing]
    spent = [f"{timing[k]:.0%} {part}" for part in _PARTS if (k := f"share/{part}") in timing]
    return [" · ".join([f"step {step:,} of {steps:,}", *rates]), *([" · ".join(spent)] if spent else [])]


_PARTS = ("rollout", "learn", "publish", "evaluate", "keep", "league")
_RATES = (("matches_per_second", "matches/s"), ("tokens_per_second", "trained tokens/s"))


def _curves(figures: Sequence[Curve]) -> list[str]:
    """A line for each metric, with curves of equal width. Long labels are cut so that curves keep a minimum width."""
    needed = max((len(label) + len(value) + 2 for label, value, _ in figures), default=0)
    width = max(_NARROW, min(WIDTH, _LINE - needed))
    room = _LINE - width - 1
    return [
        f"{cut(label, room - len(value) - 1):<{room - len(value)}}{value} {sparkline(values, width)}"
        for label, value, values in figures
    ]


def alarms(history: MetricsHistory, config: AlarmConfig) -> list[str]:
    """One line for each problem found; none in the first steps."""
    out = []
    for figure, part, what in (
        ("length", config.length, "answers collapse"),
        ("entropy", config.entropy, "entropy collapses"),
        ("grad_norm", config.gradient, "the gradient vanishes"),
    ):
        for key in history.keys(figure):  # one per policy if each role has its own
            early, late = _ends(history.values(key))
            if late < part * early:
                out.append(f"{what}: {key} is {late:.3g}, it was {early:.3g} in the first steps")
    early, late = _ends(history.values("illegal"))
    if late > early + config.illegal:
        out.append(f"illegal answers jump: {late:.0%}, it was {early:.0%} in the first steps")
    for start, what in (("distinct/", "tasks"), ("messages/", "messages")):
        for key in history.keys(start):
            early, late = _ends(history.values(key))
            if late < config.distinct * early:
                place = history.labels.place(key.removeprefix(start))
                out.append(f"{what} repeat themselves: {place}, {late:.0%} are different")
    for key in history.keys("seat_win/"):
        _, late = _ends(history.values(key))
        if late >= config.seat:
            seat = history.labels.place(key.removeprefix("seat_win/"))
            out.append(f"one seat wins everything: {seat} wins {late:.0%}")
    return out


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Means of the first and the last finite values; NaN, which raises no alarm, while there are too few."""
    finite = [v for v in values if math.isfinite(v)]
    if len(finite) < _EARLY + _LATE:
        return math.nan, math.nan
    return sum(finite[:_EARLY]) / _EARLY, sum(finite[-_LATE:]) / _LATE
