"""Experiment trackers: TensorBoard, trackio and wandb, where they are installed.

None of them is needed, and none may harm a training: what they print is logged, and one that fails is left alone.
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
from league.training.metrics import Tracker, read

log = logging.getLogger(__name__)

PROJECT = "selfplay-arena"
"""of trackio and wandb: trainings that lie in one project can be compared; WANDB_PROJECT names another one"""


def open_trackers(
    names: Sequence[str] | None, run: str, folder: Path, config: Mapping[str, Any], step: int = -1
) -> list[Tracker]:
    """The trackers a file asks for; None: TensorBoard where it is installed.

    `step`: the one the run goes on after; -1 starts new curves. To be opened before `Metrics`, which drops the rows
    after it. Raises MissingPackage, and InputError where a tracker does not start.
    """
    if names is None:
        names = ["tensorboard"] if _installed("tensorboard") else []
    for name in names:
        if not _installed(name):
            raise MissingPackage(f"the tracker {name}", name, name)
    told = max((int(row["step"]) for row in read(folder)), default=-1) if step >= 0 else -1
    return [_Board(folder, step) if n == "tensorboard" else _Online(n, run, folder, config, told) for n in names]


def _installed(package: str) -> bool:
    """Whether a package is there; a folder `wandb`, which wandb leaves wherever it ran, is none."""
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.origin is not None


class _Board:
    """Event files for TensorBoard, in the folder `tensorboard` of the run."""

    def __init__(self, folder: Path, step: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        after = step + 1 if step >= 0 else None  # what an interrupted run wrote beyond its checkpoint is hidden
        self._writer: Any = SummaryWriter(str(folder / "tensorboard"), purge_step=after, flush_secs=10)

    def write(self, step: int, values: Mapping[str, float]) -> None:
        for key, value in values.items():
            self._writer.add_scalar(key, value, step)

    def close(self) -> None:
        self._writer.close()


class _Online:
    """trackio and wandb share one interface. Neither takes a row back: those up to `told` are not sent again."""

    def __init__(self, package: str, run: str, folder: Path, config: Mapping[str, Any], told: int) -> None:
        self._name, self._told = package, told
        self._module: Any = importlib.import_module(package)
        more = {"trackio": _trackio, "wandb": _wandb}[package](folder, resumed=told >= 0)
        try:
            with _quiet(package):
                self._module.init(name=run, config=dict(config), **more)
        except Exception as error:  # whatever a tracker raises
            reason = str(error).strip().partition("\n")[0].rstrip(".")
            hint = "; or set WANDB_MODE=offline" if package == "wandb" else ""
            raise InputError(f"the tracker {package} does not start: {reason}{hint}") from error
        self._open = True

    def write(self, step: int, values: Mapping[str, float]) -> None:
        if not self._open or step <= self._told:
            return
        try:
            self._module.log(dict(values), step=step)
        except Exception as error:  # noqa: BLE001  whatever a tracker raises
            log.warning("%s does not take figures any more: %s", self._name, error)
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
    """Its run is known by an id, kept in the folder. It must neither wrap the terminal nor print into it."""
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
    """What a tracker prints goes to the log: the board owns the terminal."""
    said = io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            yield
    finally:
        for line in filter(None, map(str.strip, said.getvalue().splitlines())):
            log.info("%s: %s", name, line)
