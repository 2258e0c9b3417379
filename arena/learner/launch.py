"""Starts the processes of a learner on this machine with torch.distributed.run, and starts them again if one is lost.

Every process runs the same command. Rank 0 is the driver: it owns the terminal, the store and the exit code. If any
process dies, torch's elastic agent ends the others and starts all of them again, and the driver resumes from the newest
checkpoint. Ctrl-C and SIGTERM go to the driver, which stops after the step in progress.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.learner.config import LearnerConfig
from arena.learner.group_failure import GroupFailure
from arena.termination import INTERRUPTED, deadline
from games.errors import InfrastructureError

_FOLDER = "ARENA_LEARNER_FOLDER"
"""environment variable with the folder in which the driver leaves its process id and its exit code"""
_GRACE = 10
"""seconds that processes have to end before they are killed"""


def launch(config: LearnerConfig, arguments: Sequence[str]) -> int:
    """Run `python ARGUMENTS` in `config.processes` processes until the driver is done; returns its exit code."""
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // config.processes)))
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "FATAL")  # lost connections; the driver says so in one line
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("torch.distributed.elastic"):  # logs tables of tracebacks
            logging.getLogger(name).setLevel(logging.CRITICAL)
    settings = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=config.processes,
        run_id=f"arena-{os.getpid()}",
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",  # a free port
        max_restarts=config.restarts,
        signals_to_handle="SIGHUP,SIGQUIT",
        shutdown_timeout=_GRACE,
    )
    with tempfile.TemporaryDirectory(prefix="arena-learner-") as folder:
        os.environ[_FOLDER] = folder
        failed = None
        with _forwarded(Path(folder)):
            try:
                elastic_launch(settings, sys.executable)(*arguments)
            except ChildFailedError as error:
                failed = error
        code = _exit_code(Path(folder))
        if failed is None or code is not None:
            return code or 0
    rank, failure = failed.get_first_failure()
    how = f"signal {-failure.exitcode}" if failure.exitcode < 0 else f"exit code {failure.exitcode}"
    raise InfrastructureError(
        f"process {rank} of the learner ended ({how}), and {config.restarts} restarts are used up (restarts under "
        "[learner]); the checkpoints are intact: run the same command again"
    )


def as_rank(run: Callable[[], int]) -> int:
    """Run the command in one of the processes; returns what the agent is to see, 0 unless the group must start again.

    A group that was started again although the driver had ended, because other processes noticed it too late, ends at
    once.
    """
    folder = _folder()
    if folder is None:
        return run()
    if _exit_code(folder) is not None:
        return 0
    rank = os.environ.get("RANK", "0")
    if rank == "0":
        signal.signal(signal.SIGINT, signal.default_int_handler)
        (folder / "driver").write_text(str(os.getpid()))
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver decides
    with deadline.cleanup(lambda: (folder / f"code.{rank}").write_text(str(INTERRUPTED))):
        code = run()
    if GroupFailure.occurred:
        return 1
    if rank == "0" or code == 2:
        (folder / f"code.{rank}").write_text(str(code))
    return 0 if rank == "0" else code


def restarts() -> int:
    """Returns how often the processes were started again."""
    return int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))


@contextmanager
def _forwarded(folder: Path) -> Iterator[None]:
    """Inside the block Ctrl-C and SIGTERM go to the driver."""

    def forward(number: int, _: object) -> None:
        with suppress(OSError, ValueError):
            os.kill(int((folder / "driver").read_text()), number)

    before = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _folder() -> Path | None:
    named = os.environ.get(_FOLDER)
    return Path(named) if named else None


def _exit_code(folder: Path) -> int | None:
    """Returns the exit code that a process has left, the driver's first; None if there is none."""
    codes = sorted(folder.glob("code.*"))
    return int(codes[0].read_text()) if codes else None
