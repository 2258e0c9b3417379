"""Where the figures of a training go: metrics.jsonl always, and trackers (see trackers).

metrics.jsonl holds only what a resumed run repeats bit for bit on the CPU; wall times are in timing.jsonl.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

METRICS, TIMING = "metrics.jsonl", "timing.jsonl"


class Tracker(Protocol):
    """An experiment tracker."""

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Take the figures of a step."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


class Metrics:
    """Appends rows to a run's files and hands them to trackers. `step`: the row the run goes on after; -1: none."""

    def __init__(self, folder: Path, step: int, trackers: Sequence[Tracker] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._trackers = trackers
        for name in (METRICS, TIMING):
            _cut(folder / name, step)
        self._files = {name: (folder / name).open("a", encoding="utf-8") for name in (METRICS, TIMING)}

    def write(self, step: int, values: Mapping[str, Any], timing: Mapping[str, float]) -> None:
        """The figures of one step. Keys are paths like `reward/openspiel/kuhn_poker/first`."""
        for name, row in ((METRICS, values), (TIMING, timing)):
            self._files[name].write(json.dumps({"step": step, **row}, allow_nan=True) + "\n")
            self._files[name].flush()
        scalars = {k: float(v) for k, v in {**values, **timing}.items() if isinstance(v, int | float)}
        for tracker in self._trackers:
            tracker.write(step, {k: v for k, v in scalars.items() if math.isfinite(v)})

    def close(self) -> None:
        """Close files and trackers."""
        for file in self._files.values():
            file.close()
        for tracker in self._trackers:
            tracker.close()


def read(folder: Path) -> list[dict[str, Any]]:
    """The rows of a run's metrics.jsonl; a line that a kill cut off is left out."""
    path = folder / METRICS
    return [row for row, _ in _rows(path)] if path.exists() else []


def _rows(path: Path) -> list[tuple[dict[str, Any], str]]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        try:
            row = json.loads(line)
        except ValueError:
            break  # a kill cut this line off
        if not line.endswith("\n"):
            break
        rows.append((row, line))
    return rows


def _cut(path: Path, step: int) -> None:
    """Drop the rows after a step: they are of work that no checkpoint kept, and come again."""
    if not path.exists():
        return
    kept = [line for row, line in _rows(path) if row["step"] <= step]
    fresh = path.with_suffix(".tmp")
    fresh.write_text("".join(kept), encoding="utf-8")
    os.replace(fresh, path)
