"""A trainer whose weights are shared by the processes of a group, as the driver (rank 0) and the others see it.

The driver keeps a whole copy of the model in the engines' precision, which plays, and which every step renews. All
ranks run the same `Trainer` methods in the same order; the driver's commands say which.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor

from arena.learner.checkpoint import Checkpoint, opened
from arena.learner.config import TrainerConfig
from arena.learner.export import export_model
from arena.learner.process_group import Command, ProcessGroup, manifest, placeholders
from arena.learner.samples import TurnSample
from arena.learner.sharding import ShardedModel
from arena.learner.stats import StepStats
from arena.learner.trainer import Trainer
from games import InputError


class ModelSource(msgspec.Struct, frozen=True):
    """Where every rank loads the same model from, and how it trains it."""

    model: str
    dtype: str
    config: dict[str, Any]
    """`TrainerConfig` as plain data"""
    teacher: str = ""

    def open(self, group: ProcessGroup) -> Trainer:
        """Returns this rank's trainer. Raises InputError on every rank if one of them cannot load the model."""
        problem = ""
        try:
            from arena.inference import models

            # The whole model is read into the host's memory, and each layer moves to the device in parts.
            model = models.load(self.model, self.dtype, "cpu").model
            teacher = models.load(self.teacher, self.dtype, str(group.device)).model if self.teacher else None
        except InputError as error:
            problem = str(error)
        group.agree(problem)
        return Trainer(model, TrainerConfig.model_validate(self.config), teacher, ShardedModel(group))


class PlayedWeights:
    """The trainable parameters of the driver's whole copy of the model."""

    def __init__(self, params: dict[str, Tensor]) -> None:
        self.params = params


class ShardedTrainer:
    """The driver's handle on the trainers of all ranks; it has the methods of `Trainer` that a training uses.

    `model` is the whole copy that plays; it gets the same adapters as the trained one.
    """

    def __init__(self, group: ProcessGroup, model: Any, source: ModelSource) -> None:
        self._group, self.model = group, model
        self.config = TrainerConfig.model_validate(source.config)
        self._index, group.opened = group.opened, group.opened + 1
        self._send("open", msgspec.to_builtins(source))
        with group.bounded():
            self.local = source.open(group)
        if self.config.lora is not None:
            from arena.learner.lora import add_lora

            add_lora(model, self.config.lora, self.config.seed)
        params = dict(model.named_parameters())
        self.weights = PlayedWeights({name: params[name] for name in self.local.weights.masters})
        self.device: torch.device = next(model.parameters()).device

    def step(self, samples: Sequence[TurnSample]) -> StepStats:
        """`Trainer.step` on all ranks; then the whole copy has the new weights."""
        self._send("step", {}, msgspec.msgpack.encode(list(samples)))
        with self._group.bounded():
            stats = self.local.step(samples)
            self._publish()
        return stats

    def write(self, folder: Path, prefix: str = "") -> None:
        """Have every rank write its part of a checkpoint into a folder that all of them see. Raises OSError."""
        self._send("write", {"folder": str(folder), "prefix": prefix})
        with self._group.bounded():
            if problem := _written(self.local, self._group, folder, prefix):
                raise OSError(problem)

    def state_dict(self) -> dict[str, Any]:
        """Returns the counters as plain JSON."""
        return self.local.state_dict()

    def load(self, checkpoint: Checkpoint) -> None:
        """Resume from a checkpoint that any number of processes wrote. Raises InputError if it does not fit."""
        settings = {"path": str(checkpoint.path), "prefix": checkpoint.prefix, "state": checkpoint.state}
        self._send("load", settings)
        with self._group.bounded():
            self.local.load(checkpoint)
            self._publish()

    def restart(self, weights: Mapping[str, Tensor]) -> None:
        """`Trainer.restart` on all ranks. Raises InputError if the weights belong to another model."""
        self._send("restart", {"tensors": manifest({"weights": weights})})
        with self._group.bounded():
            self.local.restart(weights)
            self._publish()

    def export(self, folder: str | Path, tokenizer: Any, base: str = "") -> None:
        """Write the whole copy as a Hugging Face folder: see `arena.learner.export`."""
        export_model(self.model, self.config.lora, folder, tokenizer, base)

    def _send(self, kind: str, settings: dict[str, Any] | None = None, payload: bytes = b"") -> None:
        with self._group.bounded():
            self._group.send(Command(kind, self._index, settings or {}), payload)

    def _publish(self) -> None:
        for param, whole in zip(self.weights.params.values(), _gathered(self.local), strict=True):
            with torch.no_grad():
                param.copy_(whole)


def _gathered(trainer: Trainer) -> Iterator[Tensor]:
    """Yields the whole trainable weights, one after another; every rank must read all of them."""
    for master in trainer.weights.masters.values():
        yield trainer.sharding.whole(master.detach().to(trainer.dtype))


def follow(group: ProcessGroup) -> None:
    """Do what rank 0 commands, on every other rank, until it ends the group."""
    trainers: list[Trainer] = []
    done: dict[str, Callable[[Trainer, Command, bytes], None]] = {"step": _step, "load": _load, "restart": _restart}
    while True:
        command, payload = group.receive()
        if command.kind == "close":
            return
        with group.bounded():
            if command.kind == "open":
                trainers.append(msgspec.convert(command.settings, ModelSource).open(group))
            elif command.kind == "write":  # rank 0 reports the problem
                folder, prefix = command.settings["folder"], command.settings["prefix"]
                _written(trainers[command.trainer], group, Path(folder), prefix)
            else:
                done[command.kind](trainers[command.trainer], command, payload)


def _step(trainer: Trainer, _: Command, payload: bytes) -> None:
    trainer.step(msgspec.msgpack.decode(payload, type=list[TurnSample]))
    deque(_gathered(trainer), maxlen=0)


def _written(trainer: Trainer, group: ProcessGroup, folder: Path, prefix: str) -> str:
    """Write this rank's part, and wait for the others; returns the first problem of all ranks, or ""."""
    problem = ""
    try:
        trainer.write(folder, prefix)
    except OSError as error:
        problem = str(error)
    return group.first_problem(problem)


def _load(trainer: Trainer, command: Command, _: bytes) -> None:
    settings = command.settings
    trainer.load(opened(Path(settings["path"])).part(settings["prefix"], settings["state"]))
    deque(_gathered(trainer), maxlen=0)


def _restart(trainer: Trainer, command: Command, _: bytes) -> None:
    trainer.restart(placeholders(command.settings["tensors"])["weights"])
    deque(_gathered(trainer), maxlen=0)
