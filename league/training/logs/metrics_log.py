"""Where the metrics of a training are written: metrics.jsonl, timing.jsonl and experiment trackers.

metrics.jsonl holds only values that a resumed run on the CPU repeats bit for bit. Wall times are in timing.jsonl.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from league.records.metrics_file import METRICS, TIMING, truncate


class Tracker(Protocol):
    """An experiment tracker."""

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Record the metrics of a step."""
        ...

    def close(self) -> None:
        """Send what is buffered and close the tracker's run."""
        ...


class MetricsLog:
    """Appends rows to a run's files and forwards them to trackers.

    Rows after `step`, the step of the checkpoint that the run resumes from, are dropped first; -1 drops all.
    """

    def __init__(self, folder: Path, step: int, trackers: Sequence[Tracker] = ()) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._trackers = trackers
        for name in (METRICS, TIMING):
            truncate(folder / name, step)
        self._files = {name: (folder / name).open("a", encoding="utf-8") for name in (METRICS, TIMING)}

    def write(self, step: int, values: Mapping[str, Any], timing: Mapping[str, float]) -> None:
        """Write the metrics and the wall times of one step."""
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


class StepTimer:
    """Wall seconds of this process by part, accumulated between two rows of timing.jsonl.

    `rollout` is the time the step waited for its matches. `publish` is the time until the players have the new
    weights. `learn` is the rest of the trainer's step. The others are `evaluate`, `keep` (snapshots and checkpoints)
    and `league` (rated matches and the promotion test). With `overlap`, weights may be published while the learner
    works; such a second counts for both parts.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._start = self._row_start = clock()
        self._row: dict[str, float] = {}
        self._total: dict[str, float] = {}

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Count the wall time of the block as `part`, except what the block itself counts as `publish`."""
        start, published = self._clock(), self._row.get("publish", 0.0)
        try:
            yield
        finally:
            inside = self._row.get("publish", 0.0) - published if part != "publish" else 0.0
            self.add(part, self._clock() - start - inside)

    def add(self, part: str, seconds: float) -> None:
        """Count `seconds` as `part`."""
        self._row[part] = self._row.get(part, 0.0) + seconds
        self._total[part] = self._total.get(part, 0.0) + seconds

    def row(self, counts: Mapping[str, float]) -> dict[str, float]:
        """Start a new row and return the finished one.

        It holds the seconds since the previous row, in all and by part, the rate per second of each of `counts`, and
        each part's share of the whole time so far.
        """
        now = self._clock()
        seconds = max(now - self._row_start, 1e-9)
        out = {"seconds": seconds, **self._row}
        out |= {f"{name}_per_second": value / seconds for name, value in counts.items()}
        out |= {
            f"share/{part}": value / max(now - self._start, 1e-9)
            for part, value in self._total.items()
            if "/" not in part
        }
        self._row, self._row_start = {}, now
        return out
