"""Training on the board: a curve for each figure, and alarms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from league.board import Panel
from league.board.cells import cut
from league.training.config import AlarmConfig
from league.training.labels import Labels

_BARS = "▁▂▃▄▅▆▇█"
WIDTH = 28
"""cells of a curve"""
_LINE = 79
"""cells of a line: a figure's name, its newest value and its curve"""
_NARROW = 8
"""cells that long names leave of every curve"""
# What the first steps are compared with the last ones over.
_EARLY, _LATE = 20, 10

# Key of metrics.jsonl -> how the board calls it; keys that end in "/" stand for all that begin so.
_LINES: tuple[tuple[str, str], ...] = (
    ("nash_conv/", "NashConv"),
    ("nash_conv_average/", "NashConv of the average"),
    ("win_rate/", ""),  # named by Labels.wins
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
    ("reward/", "reward"),
    ("loss", "loss"),
    ("nash_conv/", "NashConv"),
    ("nash_conv_average/", "NashConv of the average"),
)
"""What a plain line tells, in this order."""


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """A curve in one line of at most `width` cells, from the smallest value to the largest; gaps are blank.

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
    """At most `width` values: means of equal stretches."""
    if len(values) <= width:
        return list(values)
    edges = [round(i * len(values) / width) for i in range(width + 1)]
    stretches = [[v for v in values[a:b] if math.isfinite(v)] for a, b in itertools.pairwise(edges)]
    return [sum(s) / len(s) if s else math.nan for s in stretches]


Figure = tuple[str, str, Sequence[float]]
"""a name, the newest value as text, all values"""


class History:
    """The rows of metrics.jsonl by key, for curves and alarms; `games`: ids of those that are played."""

    def __init__(self, rows: Sequence[Mapping[str, Any]] = (), games: Sequence[str] = ()) -> None:
        self._columns: dict[str, list[float]] = {}
        self.labels, self.step = Labels(games), 0
        for row in rows:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        """Take in one row."""
        self.step = int(row["step"])
        for key, value in row.items():
            if key != "step" and isinstance(value, int | float):
                self._columns.setdefault(key, []).append(float(value))

    def values(self, key: str) -> list[float]:
        """All values of a key so far."""
        return self._columns.get(key, [])

    def columns(self) -> dict[str, list[float]]:
        """Everything, by key."""
        return self._columns

    def keys(self, start: str) -> list[str]:
        """The keys that begin with a path: `start` itself, where it ends in no slash, and what is under it."""
        under = start if start.endswith("/") else f"{start}/"
        return [k for k in self._columns if k == start or k.startswith(under)]

    def panels(self, steps: int, config: AlarmConfig, timing: Mapping[str, float]) -> tuple[Panel, ...]:
        """The training's panel, with the alarms first where there are any."""
        shown = [
            self._figure(key, what, key.removeprefix(start).strip("/"))
            for start, what in _LINES
            for key in self.keys(start)
        ]
        lines = (*_facts(self.step, steps, timing), *_curves(shown))
        figures = tuple((label, value.strip()) for label, value, _ in shown)
        panel = Panel("training", lines, first=3, figures=figures, headline=self._headline(steps))
        warnings = alarms(self, config)
        return (Panel("alarms", tuple(warnings)), panel) if warnings else (panel,)

    def _headline(self, steps: int) -> tuple[str, ...]:
        """The step and the newest values of what a log file should tell of a training."""
        out = [f"step {self.step:,} of {steps:,}"]
        for start, what in _HEADLINE:
            known = {key: self.values(key)[-1] for key in self.keys(start)}
            if known:
                paths = (self.labels.of("", key.removeprefix(start).strip("/")).strip() for key in known)
                out.append(
                    f"{what} "
                    + ", ".join(f"{path} {v:.3g}".strip() for path, v in zip(paths, known.values(), strict=True))
                )
        return tuple(out)

    def _figure(self, key: str, what: str, path: str) -> Figure:
        """A figure's name, its newest value, of a win rate with the interval, and all its values."""
        values = self.values(key)
        if key.startswith("win_rate/"):
            low, high = (self.values(f"win_rate_{end}/{path}") for end in ("low", "high"))
            known = f" [{low[-1]:.0%}, {high[-1]:.0%}]" if low and high else ""
            return self.labels.wins(path), f"{values[-1]:.0%}{known}", values
        return self.labels.of(what, path) if path else what, f"{values[-1]:>9.4g}", values


def _facts(step: int, steps: int, timing: Mapping[str, float]) -> list[str]:
    """How far and how fast; then what the time goes into."""
    rates = [f"{timing[k]:,.0f} {word}" for k, word in _RATES if k in timing]
    spent = [f"{timing[k]:.0%} {part}" for part in _PARTS if (k := f"share/{part}") in timing]
    return [" · ".join([f"step {step:,} of {steps:,}", *rates]), *([" · ".join(spent)] if spent else [])]


_PARTS = ("rollout", "learn", "publish", "evaluate", "keep", "league")
_RATES = (("matches_per_second", "matches/s"), ("tokens_per_second", "trained tokens/s"))


def _curves(figures: Sequence[Figure]) -> list[str]:
    """A line for each figure, all with curves of one width; a name is cut where they would be too narrow."""
    needed = max((len(label) + len(value) + 2 for label, value, _ in figures), default=0)
    width = max(_NARROW, min(WIDTH, _LINE - needed))
    room = _LINE - width - 1
    return [
        f"{cut(label, room - len(value) - 1):<{room - len(value)}}{value} {sparkline(values, width)}"
        for label, value, values in figures
    ]


def alarms(history: History, config: AlarmConfig) -> list[str]:
    """What has gone wrong, in words; nothing in the first steps."""
    out = []
    for figure, part, what in (
        ("length", config.length, "answers collapse"),
        ("entropy", config.entropy, "entropy collapses"),
        ("grad_norm", config.gradient, "the gradient vanishes"),
    ):
        for key in history.keys(figure):  # one for each policy where each role has its own
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
                where = history.labels.where(key.removeprefix(start))
                out.append(f"{what} repeat themselves: {where}, {late:.0%} are different")
    for key in history.keys("seat_win/"):
        _, late = _ends(history.values(key))
        if late >= config.seat:
            seat = history.labels.where(key.removeprefix("seat_win/"))
            out.append(f"one seat wins everything: {seat} wins {late:.0%}")
    return out


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Means of the first and the last finite values; nan, which no alarm fires on, while there are too few."""
    finite = [v for v in values if math.isfinite(v)]
    if len(finite) < _EARLY + _LATE:
        return math.nan, math.nan
    return sum(finite[:_EARLY]) / _EARLY, sum(finite[-_LATE:]) / _LATE
