"""The panels of a training that another process runs, read from the files in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from league.board import Panel
from league.records.metrics_file import METRICS, TIMING, row_of
from league.records.run_spec import RunSpec
from league.views.training_panels import MetricsHistory


class TrainingReader:
    """Reads the new lines of a training's files at each call. A file that became shorter is read from its start."""

    def __init__(self, folder: Path, games: Sequence[str] = ()) -> None:
        self._folder, self._games = folder, games
        self._start()

    def _start(self) -> None:
        self._history, self._offset, self._timing = MetricsHistory(games=self._games), 0, dict[str, float]()
        self._alarms: tuple[str, ...] = ()

    def panels(self, steps: int) -> tuple[Panel, ...]:
        """Returns the current panels; () before the first row, or if the folder is on another machine."""
        if not self._read():
            return ()
        return self._history.panels(steps, self._timing) if self._history.columns() else ()

    def alarms(self) -> tuple[str, ...]:
        """Returns the alarms of the newest row."""
        self._read()
        return self._alarms

    def _read(self) -> bool:
        """Read the new lines. False if there are no files."""
        if not all((self._folder / name).is_file() for name in (METRICS, TIMING)):
            return False
        try:
            with (self._folder / METRICS).open("rb") as file:
                if file.seek(0, 2) < self._offset:
                    self._start()
                file.seek(self._offset)
                data = file.read()
            last = (self._folder / TIMING).read_bytes()[-2000:]
        except OSError:
            return False
        complete = data[: data.rfind(b"\n") + 1]
        self._offset += len(complete)
        for row in takewhile(bool, map(row_of, complete.splitlines(keepends=True))):
            assert row is not None
            self._alarms = tuple(row.get("alarms", ()))
            self._history.add(row)
        lines = last[: last.rfind(b"\n") + 1].splitlines(keepends=True)
        timing = (row_of(lines[-1]) if lines else None) or {}
        self._timing = {key: float(value) for key, value in timing.items() if not isinstance(value, list)}
        return True


@lru_cache(8)
def _reader(folder: str, games: tuple[str, ...]) -> TrainingReader:
    return TrainingReader(Path(folder), games)


def panels_for(spec: RunSpec) -> tuple[Panel, ...]:
    """Returns the panels of a run; () for a tournament, or if the run's folder must not be read."""
    if spec.kind == "tournament" or not spec.folder:
        return ()
    return _reader(spec.folder, spec.written_games).panels(spec.round_limit)


def alarms_for(spec: RunSpec) -> tuple[str, ...]:
    """Returns the alarms of a training's newest step; () for a tournament, or if the run's folder must not be read."""
    if spec.kind == "tournament" or not spec.folder:
        return ()
    return _reader(spec.folder, spec.written_games).alarms()
