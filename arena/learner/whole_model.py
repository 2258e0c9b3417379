"""How a trainer's weights and micro-batches are divided among processes, if there is only one: not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from arena.inference import tensor_file
from arena.learner.batch import split
from arena.learner.master_weights import MasterWeights
from arena.learner.samples import TurnSample
from arena.learner.shares import Share


class WholeModel:
    """One process has all weights and computes all micro-batches."""

    world = 1
    """number of processes"""
    device: torch.device | None = None
    """where the processes compute; None: where the model is"""

    def weights(self, model: Any) -> MasterWeights:
        """Returns the trainable weights of the model, which stays as it is."""
        return MasterWeights(model)

    def shares(self, samples: Sequence[TurnSample], part: Sequence[int], budget: int) -> list[Share]:
        """Returns the micro-batches of this process for the samples `part`."""
        return [Share(groups) for groups in split(samples, part, budget)]

    def scaled(self, loss: Tensor) -> Tensor:
        """Returns the loss scaled so that the combined gradient of all processes is that of the sum of their losses."""
        return loss

    def add_up(self, values: Tensor) -> None:
        """Replace the values by their sums over all processes."""

    def whole(self, tensor: Tensor) -> Tensor:
        """Returns all of a tensor of which each process may hold a part."""
        return tensor

    def write(self, folder: Path, group: str, tensors: Mapping[str, Tensor]) -> None:
        """Write what this process has of the tensors to a file of its own. Raises OSError."""
        tensor_file.write(folder / f"{group}.safetensors", tensors)

    def part(self, tensors: Mapping[str, Tensor], name: str, like: Tensor) -> Tensor:
        """Returns this process's part of a tensor that is divided like another one."""
        return tensors[name].to(like.device)

    def kept(self, tensor: Tensor) -> Tensor:
        """Returns a gathered tensor that must outlive the pass."""
        return tensor
