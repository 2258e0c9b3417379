"""Processes that share a trainer; the test itself is rank 0."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from arena.inference import models
from arena.learner import LearnerConfig, TrainerConfig
from arena.learner.process_group import ProcessGroup, join
from arena.learner.sharded_trainer import ModelSource, ShardedTrainer
from tests import golden


@contextmanager
def started(processes: int, replicas: int = 1) -> Iterator[ProcessGroup]:
    """The group of this process and new ones, on the CPU."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    count, program = str(processes), golden.text(__file__, "sharding_follower.py.txt")
    shared = {"WORLD_SIZE": count, "LOCAL_WORLD_SIZE": count, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    config = LearnerConfig(processes=processes, replicas=replicas, timeout=120)
    others = [
        subprocess.Popen(
            [sys.executable, "-c", program, config.model_dump_json()], env={**os.environ, **shared, "RANK": str(rank)}
        )
        for rank in range(1, processes)
    ]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**shared, "RANK": "0"}.items():
            patch.setenv(name, value)
        try:
            with join(config, "cpu") as joined:
                yield joined
            assert [other.wait(60) for other in others] == [0] * len(others)
        finally:
            for other in others:
                other.kill()
                other.wait()


def sharded(group: ProcessGroup, folder: object, config: TrainerConfig, teacher: str = "") -> ShardedTrainer:
    source = ModelSource(str(folder), "fp32", config.model_dump(mode="json"), teacher)
    return ShardedTrainer(group, models.load(str(folder), "fp32", "cpu").model, source)
