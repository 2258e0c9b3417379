"""A training as another process sees it: the curves come from the files in its folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from league.board import Panel
from league.training.config import AlarmConfig
from league.training.metrics import METRICS, TIMING
from league.training.panels import History


class Reader:
    """Follows the files of one training; reads only what is new. A file that became shorter is read again."""

    def __init__(self, folder: Path, games: Sequence[str] = ()) -> None:
        self._folder, self._games = folder, games
        self._start()

    def _start(self) -> None:
        self._history, self._offset, self._timing = History(games=self._games), 0, dict[str, float]()

    def panels(self, steps: int) -> tuple[Panel, ...]:
        """The panels now; () before the first figures or where the folder is on another machine."""
        try:
            with (self._folder / METRICS).open("rb") as file:
                if file.seek(0, 2) < self._offset:
                    self._start()
                file.seek(self._offset)
                fresh = file.read()
            last = (self._folder / TIMING).read_bytes()[-2000:]
        except OSError:
            return ()
        whole = fresh[: fresh.rfind(b"\n") + 1]
        self._offset += len(whole)
        for line in whole.splitlines():
            self._history.add(json.loads(line))
        lines = last[: last.rfind(b"\n") + 1].splitlines()
        self._timing = json.loads(lines[-1]) if lines else {}
        return self._history.panels(steps, AlarmConfig(), self._timing) if self._history.columns() else ()


@lru_cache(8)
def _reader(folder: str, games: tuple[str, ...]) -> Reader:
    return Reader(Path(folder), games)


def panels_for(config: Mapping[str, Any]) -> tuple[Panel, ...]:
    """The panels of a stored run's configuration; () where it is no training, or its folder must not be read."""
    if "training" not in config or not config["folder"]:
        return ()
    return _reader(str(config["folder"]), tuple(config["games"])).panels(int(config["rounds"]))
