"""A training whose learner is shared by several processes, as each of them starts it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.learner import launch
from games import plugins
from league.config.database_url import DatabaseUrl
from league.config.training import TrainingConfig

log = logging.getLogger(__name__)


_DATABASE = "ARENA_LEARNER_DB"
"""environment variable with the URL of --db, whose password must not be in the arguments of a process"""


def share_database(url: DatabaseUrl) -> None:
    """Give `--db` to the processes that this one starts."""
    url.to_environment(_DATABASE)


def database() -> DatabaseUrl | None:
    """Returns the `--db` of the command that started this process."""
    return DatabaseUrl.from_environment(_DATABASE)


def enter(config: TrainingConfig, file: str, options: Sequence[str], stack: ExitStack) -> int | None:
    """Start the processes, or join them; returns the exit code, or None in the driver, which goes on to train.

    `options` are those of `arena train FILE`. The driver leaves the group when the stack is closed. Raises InputError.
    """
    from arena.learner import process_group
    from arena.learner.sharded_trainer import follow

    if not process_group.started():
        process_group.check_devices(config.learner.processes, config.policy.device)
        verbose = ["-v"] if logging.getLogger().isEnabledFor(logging.INFO) else []
        arguments = ["-m", "league.cli.rank", *verbose, "train", file, *options]
        return launch.launch(config.learner, arguments)
    group = stack.enter_context(process_group.join(config.learner, config.policy.device))
    if group.rank == 0:
        if again := launch.restarts():
            log.warning("a process of the learner was lost; restart %d of %d", again, config.learner.restarts)
        return None
    for path in config.plugins:  # losses are used by every process
        plugins.load_file(Path(file).parent / Path(path).expanduser())
    follow(group)
    return 0
