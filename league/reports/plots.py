"""The plots of a report as PNG and SVG files, drawn by matplotlib."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games import InputError, MissingPackage
from league.metagame.export import write_picture
from league.reports.content import ReportContent, TrainingCurve

FORMATS = ("png", "svg")


def write_plots(content: ReportContent, folder: Path) -> Iterator[Path]:
    """Write the ratings with intervals, the payoff matrix of each game and every curve, each in both formats. Yields
    the paths.

    Raises MissingPackage without matplotlib, and InputError if writing fails.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}; name another --plots") from None
    for format in FORMATS:
        path = folder / f"ratings.{format}"
        _save(_ratings(content), path)
        yield path
        for game, payoff in content.payoffs.items():
            alone = len(content.payoffs) == 1
            path = folder / ("payoff" if alone else f"payoff-{_file_name(game)}")
            write_picture(payoff, path.with_name(f"{path.name}.{format}"), f"{content.run.name}: {game}")
            yield path.with_name(f"{path.name}.{format}")
        for number, curve in enumerate(content.curves, 1):
            path = folder / f"curve-{number:02}-{_file_name(curve.label)}.{format}"
            _save(_curve(curve), path)
            yield path


def _file_name(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", label).strip("-")


def _figure(width: float, height: float) -> tuple[Any, Any]:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingPackage("a plot", "matplotlib", "'selfplay-arena[plot]'") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _ratings(content: ReportContent) -> Any:
    rows = [row for row in content.leaderboard.standings if row.rated][::-1]
    figure, axes = _figure(7.0, 1.2 + 0.28 * len(rows))
    middle = [row.rating for row in rows]
    spread = [[row.rating - row.low for row in rows], [row.high - row.rating for row in rows]]
    axes.errorbar(middle, range(len(rows)), xerr=spread, fmt="o", capsize=3)
    axes.set_yticks(range(len(rows)), [_plain(row.player) for row in rows])
    axes.set_xlabel("rating, 95% interval")
    axes.set_title(_plain(content.run.name))
    return figure


def _curve(curve: TrainingCurve) -> Any:
    figure, axes = _figure(6.0, 3.2)
    axes.plot(*zip(*curve.points, strict=True))
    axes.set_xlabel("step")
    axes.set_title(_plain(curve.label))
    return figure


def _plain(text: str) -> str:
    """Returns text without the sign that starts a formula in matplotlib."""
    return text.replace("$", r"\$")


def _save(figure: Any, path: Path) -> None:
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; name another --plots") from None
