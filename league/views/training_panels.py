"""A training on the board: a curve for each metric, and alarms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.board import Panel
from league.board.panel_lines import resampled
from league.board.state import CurveLine
from league.views.monitor_alarms import ends, monitor_alarms
from league.views.training_labels import CurveLabels

POINTS = 512
"""points of a curve at most; more values are averaged"""

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
    ("controls/", "control questions answered right"),
    ("agreement/", "judges agree with the truth"),
    ("label_right/", "majority is right"),
    ("truth/", "right by exact rules"),
    ("reward_truth/", "correlation of reward and truth"),
    ("targets/", "targets proved so far"),
    ("targets_most/", "targets proved by most provers so far"),
    ("probe/score/", "score in fixed probes"),
    ("pool", "tasks in the pool"),
    ("pool_new", "new tasks"),
    ("pool_repeats", "tasks refused as repeated"),
    ("pool_generation", "generation of new tasks"),
    ("pool_gain/", "gain by band"),
    ("pool_predicted/", "predicted solve rate"),
    ("pool_solved/", "solve rate of pooled tasks"),
    ("pool_rank/", "rank correlation of predictions"),
    ("ladder_rate/", "solve rate on the ladder"),
    ("ladder_share/", "share of answers"),
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

_STRENGTH = (
    ("nash_conv/", "NashConv", 1.0, " (what best responses gain; 0 in an equilibrium)"),
    ("win_rate/", "", 100.0, " points of 100"),
)
"""measurements of strength: key, label, scale, remark"""
_MIX = "nash_mix/"
_PROGRESS = 3
"""lines of the panel of progress"""
_DIAGNOSTICS = frozenset(("length", "illegal", "mismatch_kl", "ess", "magnet_kl"))
"""metrics without a curve while they never move"""
_STILL, _ROUNDING = 3, 1e-9
"""values, at least, and the largest relative difference between them, of a metric that never moves"""


class MetricsHistory:
    """The rows of metrics.jsonl by key, for curves and alarms. `games` holds the ids of the games played."""

    def __init__(self, rows: Sequence[Mapping[str, Any]] = (), games: Sequence[str] = ()) -> None:
        self._columns: dict[str, list[float]] = {}
        self._points: dict[str, tuple[int, tuple[float, ...]]] = {}
        """by key: a number of values, and the points of their curve"""
        self.labels, self.step = CurveLabels(games), 0
        self._mix: dict[str, float] = {}
        """key of the newest row with a Nash mix of opponents -> share"""
        for row in rows:
            self.add(row)

    def add(self, row: Mapping[str, Any]) -> None:
        """Add one row."""
        self.step = int(row["step"])
        numbers = {key: float(value) for key, value in row.items() if isinstance(value, int | float)}
        self._mix = {key: share for key, share in numbers.items() if key.startswith(_MIX)} or self._mix
        for key, value in numbers.items():
            if key != "step":
                self._columns.setdefault(key, []).append(value)

    def values(self, key: str) -> list[float]:
        """Returns all values of a key."""
        return self._columns.get(key, [])

    def columns(self) -> dict[str, list[float]]:
        """Returns all values, by key."""
        return self._columns

    def keys(self, start: str) -> list[str]:
        """Returns the keys below a path, and `start` itself if it does not end in a slash."""
        prefix = start if start.endswith("/") else f"{start}/"
        return [k for k in self._columns if k == start or k.startswith(prefix)]

    def labelled(self) -> list[tuple[str, str]]:
        """Returns the keys that the board shows, in its order, each with its label."""
        keys = [(key, label, key.removeprefix(start).strip("/")) for start, label in _LINES for key in self.keys(start)]
        return [(key, self._curve(key, label, path).label) for key, label, path in keys]

    def panels(self, steps: int, timing: Mapping[str, float]) -> tuple[Panel, ...]:
        """Returns the training's panel, after a panel of alarms if there are any."""
        rows = [(start, label, key) for start, label in _LINES for key in self.keys(start)]
        flat = [row for row in rows if self._never_moves(row[2])]
        lines = [*_facts(self.step, steps, timing), *([self._constants(flat)] if flat else [])]
        panel = Panel(
            "training",
            tuple(lines),
            first=4,
            curves=tuple(
                self._curve(key, label, key.removeprefix(start).strip("/"))
                for start, label, key in rows
                if (start, label, key) not in flat
            ),
            axis=("first step", f"step {self.step:,}"),
            headline=self._headline(steps),
        )
        progress, warnings = self._progress(), alarms(self)
        return (
            *([Panel("alarms", tuple(warnings), warns=True)] if warnings else []),
            *([Panel("progress", progress, wraps=True, leads=True)] if progress else []),
            *([Panel("opponents", (self._opponents(),), wraps=True)] if self._mix else []),
            panel,
        )

    def _never_moves(self, key: str) -> bool:
        """Returns whether a diagnostic has kept its first value, but for rounding, so that its curve says nothing."""
        values = self.values(key)
        return (
            key.partition("/")[0] in _DIAGNOSTICS
            and len(values) >= _STILL
            and max(values) - min(values) <= _ROUNDING * max(1.0, abs(values[0]))
        )

    def _constants(self, rows: Sequence[tuple[str, str, str]]) -> str:
        """Returns the metrics that never moved, with their values, in one line."""
        curves = (self._curve(key, label, key.removeprefix(start).strip("/")) for start, label, key in rows)
        values = (round(self.values(key)[-1], 6) + 0.0 for _, _, key in rows)
        return "unchanged: " + " · ".join(f"{c.label} {v:.4g}" for c, v in zip(curves, values, strict=True))

    def _opponents(self) -> str:
        """Returns the Nash mix from which opponents are drawn, the largest share first."""
        shares = sorted(self._mix.items(), key=lambda row: -row[1])
        listed = ", ".join(f"{self.labels.place(key.removeprefix(_MIX))} {share:.0%}" for key, share in shares)
        return f"Nash mix of the league: {listed}"

    def _progress(self) -> tuple[str, ...]:
        """Returns how the first and the newest measurement of strength differ, a line each."""
        lines = []
        for start, name, scale, remark in _STRENGTH:
            for key in self.keys(start):
                values, path = self.values(key), key.removeprefix(start)
                if len(values) > 1:
                    label = self.labels.win_rate(path) if not name else self.labels.label(name, path)
                    lines.append(f"{label}: {values[0] * scale:.3g} before, {values[-1] * scale:.3g} now{remark}")
        return tuple(lines[:_PROGRESS])

    def _headline(self, steps: int) -> tuple[str, ...]:
        """Returns the step and the newest values of the most important metrics, for a log file."""
        out = [f"step {self.step:,} of {steps:,}"]
        for start, name in _HEADLINE:
            newest = {key: self.values(key)[-1] for key in self.keys(start)}
            if newest:
                paths = (self.labels.label("", key.removeprefix(start).strip("/")).strip() for key in newest)
                out.append(
                    f"{name} "
                    + ", ".join(f"{path} {v:.3g}".strip() for path, v in zip(paths, newest.values(), strict=True))
                )
        return tuple(out)

    def _curve(self, key: str, name: str, path: str) -> CurveLine:
        """Returns a metric's label, newest value (for a win rate with its interval) and curve."""
        values = self.values(key)
        if key.startswith("win_rate/"):
            low, high = (self.values(f"win_rate_{end}/{path}") for end in ("low", "high"))
            interval = f" [{low[-1]:.0%}, {high[-1]:.0%}]" if low and high else ""
            return CurveLine(self.labels.win_rate(path), f"{values[-1]:.0%}{interval}", self._curve_points(key))
        if key.startswith(("accuracy/", "accuracy_gain/")):
            return self._suite_curve(key, path)
        label = self.labels.label(name, path) if path else name
        return CurveLine(label, f"{values[-1]:.4g}", self._curve_points(key))

    def _curve_points(self, key: str) -> tuple[float, ...]:
        """Returns the points of a curve; those of many values are averaged again only after some more values."""
        values = self.values(key)
        n, points = self._points.get(key, (0, ()))
        if len(values) > n + n // POINTS:
            points = tuple(resampled(values, min(len(values), POINTS)))
            self._points[key] = len(values), points
        return points

    def _suite_curve(self, key: str, path: str) -> CurveLine:
        """Returns an accuracy or its gain with its interval, and the accuracy of the best constant answer."""
        kind, values = key.partition("/")[0], self.values(key)
        low, high = (self.values(f"{kind}_{end}/{path}")[-1] for end in ("low", "high"))
        if kind == "accuracy_gain":
            text = f"{values[-1]:+.0%} [{low:+.0%}, {high:+.0%}]"
            return CurveLine(f"accuracy gained, {path}", text, self._curve_points(key))
        constant = self.values(f"accuracy_constant/{path}")[-1]
        text = f"{values[-1]:.0%} [{low:.0%}, {high:.0%}], constant {constant:.0%}"
        return CurveLine(f"accuracy, {path}", text, self._curve_points(key))


def _facts(step: int, steps: int, timing: Mapping[str, float]) -> list[str]:
    """Returns the step and the rates, then the share of time per part."""
    rates = [f"{timing[k]:,.0f} {word}" for k, word in _RATES if k in timing]
    spent = [f"{timing[k]:.0%} {part}" for part in _PARTS if (k := f"share/{part}") in timing]
    return [" · ".join([f"step {step:,} of {steps:,}", *rates]), *([" · ".join(spent)] if spent else [])]


_PARTS = ("rollout", "learn", "publish", "evaluate", "keep", "league")
_RATES = (("matches_per_second", "matches/s"), ("tokens_per_second", "trained tokens/s"))


_FALLS = (
    ("length", 0.25, "answers collapse"),
    ("entropy", 0.05, "entropy collapses"),
    ("grad_norm", 0.01, "the gradient vanishes"),
)
"""metric, the share of its first value below which it raises an alarm, and what it says"""
_ILLEGAL, _DISTINCT, _SEAT, _GAIN = 0.2, 0.5, 0.95, 0.1
"""a rise of the share of illegal answers; the share of different tasks or messages, of the first value; the share of
decided self-play matches that one seat wins; a rise of a reward that explains a fall of entropy"""
_SAME, _MORE = 0.95, 0.25
"""the share of one message among all of a role, and its rise"""


def alarms(history: MetricsHistory) -> list[str]:
    """Returns one line for each problem found; none in the first steps."""
    out = []
    for figure, part, what in _FALLS:
        for key in history.keys(figure):  # one per policy if each role has its own
            early, late = ends(history.values(key))
            if late < part * early and not (figure == "entropy" and _gains(history)):
                out.append(f"{what}: {key} is {late:.3g}, it was {early:.3g} in the first steps")
    early, late = ends(history.values("illegal"))
    if late > early + _ILLEGAL:
        out.append(f"illegal answers jump: {late:.0%}, it was {early:.0%} in the first steps")
    for start, what in (("distinct/", "tasks"), ("messages/", "messages")):
        for key in history.keys(start):
            early, late = ends(history.values(key))
            if late < _DISTINCT * early:
                place = history.labels.place(key.removeprefix(start))
                out.append(f"{what} repeat themselves: {place}, {late:.0%} are different")
    for key in history.keys("same/"):
        early, late = ends(history.values(key))
        path = key.removeprefix("same/")
        if late >= max(_SAME, early + _MORE) and not ends(history.values(f"truth/{path}"))[1] >= _SEAT:
            place = history.labels.place(path)
            out.append(f"one message for everything: {place} says it in {late:.0%}, it was {early:.0%}")
    for key in history.keys("seat_win/"):
        _, late = ends(history.values(key))
        if late >= _SEAT and not _all_right(history, key.removeprefix("seat_win/").rpartition("/")[0]):
            seat = history.labels.place(key.removeprefix("seat_win/"))
            out.append(f"one seat wins everything: {seat} wins {late:.0%}")
    return [*out, *monitor_alarms(history)]


def _all_right(history: MetricsHistory, game: str) -> bool:
    """Returns whether exact rules confirm what all roles of a game do: then the role that has the better side wins."""
    truths = [ends(history.values(key))[1] for key in history.keys(f"truth/{game}/")]
    return bool(truths) and min(truths) >= _SEAT


def _gains(history: MetricsHistory) -> bool:
    """Returns whether a role earns more than in the first steps: where one answer is right, it needs no entropy."""
    means = [ends(history.values(key)) for key in history.keys("reward/")]
    return any(late > early + _GAIN for early, late in means)
