"""Where the figures of a training go: metrics.jsonl always, experiment trackers where they are installed.

metrics.jsonl holds only what a resumed run repeats bit for bit on the CPU; wall times are in timing.jsonl.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from games.errors import MissingPackage

log = logging.getLogger(__name__)

METRICS, TIMING = "metrics.jsonl", "timing.jsonl"

_PACKAGES = {"tensorboard": "tensorboard", "trackio": "trackio", "wandb": "wandb"}


class Tracker(Protocol):
    """An experiment tracker."""

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Take the figures of a step."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


class Metrics:
    """Appends rows to the files of a run and hands them to trackers. `step`: the row the run goes on after."""

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


def open_trackers(names: Sequence[str] | None, project: str, folder: Path, config: Mapping[str, Any]) -> list[Tracker]:
    """The trackers a file asks for; None: TensorBoard where it is installed. Raises MissingPackage."""
    if names is None:
        names = ["tensorboard"] if importlib.util.find_spec("tensorboard") else []
    for name in names:
        if importlib.util.find_spec(_PACKAGES[name]) is None:
            raise MissingPackage(f"the tracker {name}", _PACKAGES[name], _PACKAGES[name])
    return [_Board(folder) if n == "tensorboard" else _Online(n, project, folder, config) for n in names]


class _Board:
    """Event files for TensorBoard, in the folder `tensorboard` of the run."""

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self._writer: Any = SummaryWriter(str(folder / "tensorboard"))

    def write(self, step: int, values: Mapping[str, float]) -> None:
        for key, value in values.items():
            self._writer.add_scalar(key, value, step)

    def close(self) -> None:
        self._writer.close()


class _Online:
    """trackio and wandb share one interface. A tracker that fails is left alone: it must not end the training."""

    def __init__(self, package: str, project: str, folder: Path, config: Mapping[str, Any]) -> None:
        self._name = package
        self._module: Any = importlib.import_module(package)
        self._run: Any = self._module.init(project=project, name=folder.name, config=dict(config), resume="allow")

    def write(self, step: int, values: Mapping[str, float]) -> None:
        if self._run is None:
            return
        try:
            self._module.log(dict(values), step=step)
        except Exception as error:  # noqa: BLE001  whatever a tracker raises
            log.warning("%s does not take figures any more: %s", self._name, error)
            self._run = None

    def close(self) -> None:
        if self._run is not None:
            self._module.finish()
