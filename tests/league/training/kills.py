"""Trainings that die after the row of a step: in this process, or in one of their own by SIGKILL."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from league.training.loop import Training
from tests import golden

TRAINING = golden.text(__file__, "kills_training.py.txt")


class KilledError(Exception):
    """Stands for a kill: nothing after it runs."""


@contextmanager
def dying_after(step: int) -> Iterator[None]:
    """The training of the block must die after the row of this step."""
    write = Training._write

    def dies(self: Training, *rest: Any) -> None:
        write(self, *rest)
        if self.step == step:
            raise KilledError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Training, "_write", dies)
        with pytest.raises(KilledError):
            yield


def in_child(script: str, folder: Path, *more: object) -> int:
    """Returns the exit code of a script in a process of its own: 0, or that of SIGKILL."""
    command = [sys.executable, "-c", script, str(folder), *map(str, more)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode
