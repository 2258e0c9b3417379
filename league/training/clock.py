"""What the wall time of a training is spent on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter


class Clock:
    """Wall seconds of this process by part, from one row of timing.jsonl to the next.

    `rollout` is the time the step waited for its matches, `publish` what it takes until whoever plays them has the new
    weights, `learn` the rest of the trainer's step; then `evaluate`, `keep` (snapshots and checkpoints) and `league`
    (rated matches and the gate). With `overlap` weights may be published while the learner works: such a second
    counts for both.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._began = self._row_began = clock()
        self._row: dict[str, float] = {}
        self._total: dict[str, float] = {}

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Count the wall time of a part, without what was counted as `publish` inside."""
        start, published = self._clock(), self._row.get("publish", 0.0)
        try:
            yield
        finally:
            inside = self._row.get("publish", 0.0) - published if part != "publish" else 0.0
            self.add(part, self._clock() - start - inside)

    def add(self, part: str, seconds: float) -> None:
        """So many seconds of a part."""
        self._row[part] = self._row.get(part, 0.0) + seconds
        self._total[part] = self._total.get(part, 0.0) + seconds

    def row(self, counted: Mapping[str, float]) -> dict[str, float]:
        """Seconds since the last row, in all and by part; what was `counted` since, per second; and each part's share
        of all time so far.
        """
        now = self._clock()
        seconds = max(now - self._row_began, 1e-9)
        out = {"seconds": seconds, **self._row}
        out |= {f"{name}_per_second": value / seconds for name, value in counted.items()}
        out |= {
            f"share/{part}": value / max(now - self._began, 1e-9)
            for part, value in self._total.items()
            if "/" not in part
        }
        self._row, self._row_began = {}, now
        return out
