"""Part of gpu_check: a trainer that is divided, on one GPU."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from typing import Any

from _gpu_learner import samples
from _gpu_measures import Row, memory


def shards(size: str) -> Iterator[Row]:
    """A divided trainer in a group of one process: its step, its checkpoint, and that it resumes bit for bit."""
    import os

    import torch
    from _qwen3_shapes import model_of

    from arena.learner import LearnerConfig, OptimizerConfig, TrainerConfig, checkpoint
    from arena.learner.process_group import join
    from arena.learner.sharding import ShardedModel
    from arena.learner.trainer import Trainer

    os.environ |= {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port())}
    cuda, vocabulary = torch.cuda.is_available(), 512 if size == "tiny" else 151_936
    config = TrainerConfig(optimizer=OptimizerConfig(token_budget=8192))
    drawn = samples(1, 16, 48 if size == "tiny" else 4000, vocabulary)
    for offload in (False, True) if cuda else (False,):
        with (
            join(LearnerConfig(offload=offload), "cuda" if cuda else "cpu") as group,
            tempfile.TemporaryDirectory() as folder,
        ):

            def trainer(group: Any = group) -> Trainer:
                model = model_of(size, torch.bfloat16 if cuda else torch.float32, "cpu")
                return Trainer(model, config, sharding=ShardedModel(group))

            first = trainer()
            first.step(drawn)
            before = memory(reset=True)
            start = time.perf_counter()
            state = {"trainer": first.state_dict()}
            place = checkpoint.save(folder, 1, write=first.write, state=state)
            row = {"what": f"checkpoint, offload {offload}", "seconds": time.perf_counter() - start}
            yield row | {"GB more on the device": memory() - before if cuda else ""}
            stats = first.step(drawn)
            second = trainer()
            second.load(checkpoint.load(place))
            again = second.step(drawn)
            yield {"what": f"step, offload {offload}", "seconds": stats.seconds["total"], "peak GB": memory(),
                   "resumes bit for bit": again.metrics() == stats.metrics()}  # fmt: skip


def _free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
