"""Experiment trackers: TensorBoard, trackio and wandb, if they are installed.

A tracker cannot harm a training: its output goes to the log, and a tracker that fails is no longer used.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import logging
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from games.errors import InputError, MissingPackage
from league.records.metrics_file import read_metrics
from league.training.logs.metrics_log import Tracker

log = logging.getLogger(__name__)

PROJECT = "selfplay-arena"
"""project in trackio and wandb, shared by all trainings so that they can be compared; WANDB_PROJECT overrides it"""


def open_trackers(
    names: Sequence[str] | None, run: str, folder: Path, config: Mapping[str, Any], step: int = -1
) -> list[Tracker]:
    """Open the trackers in `names`; None means TensorBoard if it is installed.

    `step` is the step that the run resumes after; -1 starts new curves. Open the trackers before `MetricsLog`, which
    drops the rows after `step`. Raises MissingPackage, and InputError if a tracker does not start.
    """
    if names is None:
        names = ["tensorboard"] if _installed("tensorboard") else []
    for name in names:
        if not _installed(name):
            raise MissingPackage(f"the tracker {name}", name, name)
    sent = max((int(row["step"]) for row in read_metrics(folder)), default=-1) if step >= 0 else -1
    return [_TensorBoard(folder, step) if n == "tensorboard" else _Online(n, run, folder, config, sent) for n in names]


def _installed(package: str) -> bool:
    """Returns whether a package is installed. A folder `wandb`, which wandb leaves behind, does not count."""
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.origin is not None


class _TensorBoard:
    """Event files in the subfolder `tensorboard` of the training's folder."""

    def __init__(self, folder: Path, step: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        after = step + 1 if step >= 0 else None  # hides steps after the checkpoint
        self._writer: Any = SummaryWriter(str(folder / "tensorboard"), purge_step=after, flush_secs=10)

    def write(self, step: int, values: Mapping[str, float]) -> None:
        for key, value in values.items():
            self._writer.add_scalar(key, value, step)

    def close(self) -> None:
        self._writer.close()


class _Online:
    """trackio or wandb, which share an interface. Neither can delete a row, so rows up to `sent` are not sent again."""

    def __init__(self, package: str, run: str, folder: Path, config: Mapping[str, Any], sent: int) -> None:
        self._name, self._sent = package, sent
        self._module: Any = importlib.import_module(package)
        more = {"trackio": _trackio, "wandb": _wandb}[package](folder, resumed=sent >= 0)
        try:
            with _quiet(package):
                self._module.init(name=run, config=dict(config), **more)
        except Exception as error:  # a tracker may raise anything
            reason = str(error).strip().partition("\n")[0].rstrip(".")
            hint = "; or set WANDB_MODE=offline" if package == "wandb" else ""
            raise InputError(f"the tracker {package} does not start: {reason}{hint}") from error
        self._open = True

    def write(self, step: int, values: Mapping[str, float]) -> None:
        if not self._open or step <= self._sent:
            return
        try:
            self._module.log(dict(values), step=step)
        except Exception as error:  # noqa: BLE001  whatever a tracker raises
            log.warning("%s no longer accepts metrics: %s", self._name, error)
            self._open = False

    def close(self) -> None:
        try:
            with _quiet(self._name):
                self._module.finish()
        except Exception as error:  # noqa: BLE001  whatever a tracker raises
            log.warning("%s did not finish: %s", self._name, error)


def _trackio(folder: Path, resumed: bool) -> dict[str, Any]:
    return {"project": PROJECT, "resume": "allow" if resumed else "never"}


def _wandb(folder: Path, resumed: bool) -> dict[str, Any]:
    """The run has an id, kept in the folder. wandb must neither wrap the terminal nor print to it."""
    import wandb

    file = folder / "wandb-id"
    if not (resumed and file.exists()):
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(uuid.uuid4().hex, encoding="utf-8")
    return {
        "project": os.environ.get("WANDB_PROJECT", PROJECT),
        "id": file.read_text(encoding="utf-8"),
        "resume": "allow",
        "dir": str(folder),
        "settings": wandb.Settings(silent=True, console="off"),
    }


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Send what a tracker prints to the log: the board owns the terminal."""
    printed = io.StringIO()
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            yield
    finally:
        for line in filter(None, map(str.strip, printed.getvalue().splitlines())):
            log.info("%s: %s", name, line)
