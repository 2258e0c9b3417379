"""The processes that share one learner: torch.distributed, started by torch.distributed.run.

Rank 0 is the driver: it plays, keeps the store and sends commands. The others follow its commands. Waiting for a
command has no limit, because a rollout may take hours; everything that the processes do together is bounded by
`LearnerConfig.timeout`. Commands and samples travel as msgpack, never as pickles.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import msgspec
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from arena.learner.config import LearnerConfig
from arena.learner.group_failure import GroupFailure
from games.errors import InputError

log = logging.getLogger(__name__)

_POLL = 1.0
"""seconds between two looks at the parent process"""


class Command(msgspec.Struct, frozen=True):
    """What rank 0 asks of all ranks."""

    kind: str
    trainer: int = 0
    """index of the trainer, in the order in which they were opened"""
    settings: dict[str, Any] = {}
    payload: int = 0
    """length of the bytes that are broadcast after the command"""


class ProcessGroup:
    """This process's membership in the group. Raises GroupFailure if the group cannot be formed in time."""

    def __init__(self, config: LearnerConfig, device: str) -> None:
        self.config, self.opened = config, 0
        """trainers opened so far"""
        self._sent = 0
        """commands sent or received so far"""
        local = int(os.environ.get("LOCAL_RANK", "0"))
        cuda = device != "cpu" and torch.cuda.is_available()
        self.device = torch.device("cuda", local) if cuda else torch.device("cpu")
        if cuda:
            torch.cuda.set_device(self.device)
        backend = "cpu:gloo,cuda:nccl" if cuda else "gloo"
        limit = timedelta(seconds=config.timeout)
        with self.bounded():
            store, self.rank, self.world = next(rendezvous("env://", timeout=limit))
            # The agent's store outlives a lost group, whose addresses must not be used again.
            attempt = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
            store = PrefixStore(f"arena-{attempt}", store)
            dist.init_process_group(backend, store=store, rank=self.rank, world_size=self.world, timeout=limit)
        self._commands = PrefixStore("commands", store)

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Turn the errors of collective operations inside the block into GroupFailure."""
        start = time.monotonic()
        try:
            yield
        except RuntimeError as error:
            if not isinstance(error, dist.DistError) and "gloo" not in str(error) and "NCCL" not in str(error):
                raise
            log.info("%s: %s", type(error).__name__, error)
            if time.monotonic() - start >= self.config.timeout:
                problem = f"did not answer within {self.config.timeout:g} s (timeout under [learner])"
            else:
                problem = "ended"
            raise GroupFailure(
                f"a process of the learner {problem}; the work since the last checkpoint is lost"
            ) from error

    def send(self, command: Command, payload: bytes = b"") -> None:
        """Send a command from rank 0 to all others."""
        full = msgspec.structs.replace(command, payload=len(payload))
        self._commands.set(str(self._sent), msgspec.msgpack.encode(full))  # type: ignore[arg-type]
        self._sent += 1
        if payload:
            dist.broadcast(torch.frombuffer(bytearray(payload), dtype=torch.uint8), 0)

    def receive(self) -> tuple[Command, bytes]:
        """Returns the next command of rank 0, however long it takes."""
        key = str(self._sent)
        with self.bounded():
            self._commands.wait([key], timedelta(days=365))
        command = msgspec.msgpack.decode(self._commands.get(key), type=Command)
        self._sent += 1
        data = torch.empty(command.payload, dtype=torch.uint8)
        if command.payload:
            dist.broadcast(data, 0)
        return command, data.numpy().tobytes()

    def agree(self, problem: str) -> None:
        """Raises InputError on every rank if one of them has a problem; "" means that this one has none."""
        if first := self.first_problem(problem):
            raise InputError(first)

    def first_problem(self, problem: str) -> str:
        """Returns the problem of the first rank that has one, on every rank; "": none has."""
        lengths: list[Tensor] = [torch.zeros(1, dtype=torch.int64) for _ in range(self.world)]
        data = problem.encode()
        dist.all_gather(lengths, torch.tensor([len(data)]))
        for rank, length in enumerate(int(each) for each in lengths):
            if length:
                text = torch.frombuffer(bytearray(data), dtype=torch.uint8) if rank == self.rank else None
                text = torch.empty(length, dtype=torch.uint8) if text is None else text
                dist.broadcast(text, rank)
                return f"process {rank} of the learner: {text.numpy().tobytes().decode()}"
        return ""

    def add_up(self, values: Tensor) -> None:
        """Replace the values by their sums over all processes."""
        dist.all_reduce(values)

    def copy_from_driver(self, values: Tensor) -> None:
        """Replace the values by those of rank 0."""
        dist.broadcast(values, 0)

    def leave(self) -> None:
        """Leave the group; on rank 0, end it."""
        if self.rank == 0:
            self._commands.set(str(self._sent), msgspec.msgpack.encode(Command("close")))  # type: ignore[arg-type]
        dist.destroy_process_group()


_joined: list[ProcessGroup] = []


def started() -> bool:
    """Returns whether torch.distributed.run, or a launcher with the same variables, started this process."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


@contextmanager
def join(config: LearnerConfig, device: str) -> Iterator[ProcessGroup]:
    """Form the group; trainers inside the block share their work among its processes. Raises InputError."""
    world, here = int(os.environ["WORLD_SIZE"]), int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    if world != config.processes:
        raise InputError(
            f"torch.distributed.run started {world} processes, and processes is {config.processes} under [learner]; "
            "the two must be equal"
        )
    check_devices(here, device)
    _end_with_parent()
    group = ProcessGroup(config, device)
    _joined.append(group)
    try:
        yield group
    finally:
        _joined.remove(group)
        group.leave()


def joined() -> ProcessGroup | None:
    """Returns the group that this process has joined, or None."""
    return _joined[-1] if _joined else None


def check_devices(processes: int, device: str) -> None:
    """Raises InputError unless every process on this machine can have a GPU of its own, or all compute on the CPU."""
    if device == "cpu" or not torch.cuda.is_available():
        return
    if device not in ("auto", "cuda"):
        raise InputError(f"policy.device is {device!r}, and several processes need a GPU each; use auto, cuda or cpu")
    if (count := torch.cuda.device_count()) < processes:
        raise InputError(
            f"[learner] starts {processes} processes on this machine, which has {count} CUDA devices; set processes = "
            f'{count}, or device = "cpu" under [policy]'
        )


def manifest(tensors: Mapping[str, Mapping[str, Tensor]]) -> dict[str, dict[str, tuple[list[int], str]]]:
    """Returns the shapes and data types of groups of tensors, as plain data."""
    return {
        file: {name: (list(t.shape), str(t.dtype).removeprefix("torch.")) for name, t in group.items()}
        for file, group in tensors.items()
    }


def placeholders(described: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Tensor]]:
    """Returns tensors without values, as `manifest` describes them. Memory that nobody writes to is never taken."""
    return {
        file: {name: torch.empty(shape, dtype=getattr(torch, dtype)) for name, (shape, dtype) in group.items()}
        for file, group in described.items()
    }


def _end_with_parent() -> None:
    """End this process if its parent, the agent of torch.distributed.run, is killed: nobody would end it later."""
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        return
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_POLL)
        os._exit(1)

    threading.Thread(target=watch, name="arena-parent", daemon=True).start()
