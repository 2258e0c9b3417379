"""How a trainer's weights and micro-batches are divided among processes (FSDP2, torch.distributed.fsdp.fully_shard).

Every process has all samples of a step and computes a share of the micro-batches. Weights, gradients, moments, magnet
and reference are DTensors, of which each process holds a part; a layer is gathered while it is computed. With several
replicas consecutive ranks divide one copy, and gradients are averaged over the copies (HSDP).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import CPUOffloadPolicy, FSDPModule, MixedPrecisionPolicy, OffloadPolicy, fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from arena.inference import tensor_file
from arena.learner.master_weights import MasterWeights
from arena.learner.process_group import ProcessGroup
from arena.learner.samples import TurnSample
from arena.learner.shares import Share, shares
from arena.learner.stored_tensors import StoredTensors, part_name
from arena.learner.whole_model import WholeModel


class ShardedModel(WholeModel):
    """Each process of a group holds a part of every weight and computes a share of the micro-batches."""

    def __init__(self, group: ProcessGroup) -> None:
        self.group, self.world, self.device = group, group.world, group.device
        replicas, self._shards = group.config.replicas, group.world // group.config.replicas
        shape, names = ((replicas, self._shards), ("replicas", "shards")) if replicas > 1 else ((self._shards,), None)
        self._mesh = init_device_mesh(group.device.type, shape, mesh_dim_names=names)

    def weights(self, model: Any) -> MasterWeights:
        """Shard the model: each layer, then what is left. The trainable weights become float32."""
        lower = next((p.dtype for p in model.parameters() if p.dtype.itemsize < 4), None)
        options: dict[str, Any] = {
            "mesh": self._mesh,
            "mp_policy": MixedPrecisionPolicy(
                param_dtype=lower, reduce_dtype=lower and torch.float32, cast_forward_inputs=False
            ),
            "offload_policy": self._offload(),
        }
        for layer in getattr(model.base_model, "layers", ()):
            _to_float32(layer)
            fully_shard(layer, **options)
        _to_float32(model)
        # The chunked output layer reads its weight after the forward pass.
        fully_shard(model, reshard_after_forward=False, **options)
        _move_buffers(model, self.group.device)
        return ShardedWeights(model, self)

    def _offload(self) -> OffloadPolicy:
        if not self.group.config.offload:
            return OffloadPolicy()
        return CPUOffloadPolicy(pin_memory=self.group.device.type == "cuda")

    def shares(self, samples: Sequence[TurnSample], part: Sequence[int], budget: int) -> list[Share]:
        """Returns the micro-batches of this rank; all ranks have the same number."""
        return shares(samples, part, budget, self.world)[self.group.rank]

    def scaled(self, loss: Tensor) -> Tensor:
        """Returns the loss times the number of processes, because FSDP averages gradients."""
        return loss * self.world

    def add_up(self, values: Tensor) -> None:
        """Sum over all ranks, in place."""
        self.group.add_up(values)

    def whole(self, tensor: Tensor) -> Tensor:
        """Returns the parts of all ranks; every rank must call this."""
        return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor

    def write(self, folder: Path, group: str, tensors: Mapping[str, Tensor]) -> None:
        """Write this rank's rows of the tensors, and on rank 0 also those that are not divided. Raises OSError.

        The first replica writes, as all have the same values.
        """
        if self.group.rank >= self._shards:
            return
        first = {n: self._rows(t).start for n, t in tensors.items() if isinstance(t, DTensor)}
        local = {n: _local(t) for n, t in tensors.items() if self.group.rank == 0 or n in first}
        held = {n: t for n, t in local.items() if self.group.rank == 0 or t.numel()}
        text = json.dumps({n: row for n, row in first.items() if n in held})
        tensor_file.write(folder / part_name(group, self.group.rank), held, {"first_rows": text})

    def part(self, tensors: Mapping[str, Tensor], name: str, like: Tensor) -> Tensor:
        """Returns this rank's part of a tensor: from a checkpoint, or of one whose values rank 0 has.

        In the second case every rank must call this.
        """
        if isinstance(tensors, StoredTensors):
            if not isinstance(like, DTensor) or tensors.is_scalar(name):
                return tensors[name].to(like.device)
            rows = self._rows(like)
            local = tensors.rows(name, rows.start, rows.stop).to(like.device)
            return DTensor.from_local(local, self._mesh, like.placements, shape=like.shape, stride=like.stride())
        tensor = tensors[name]
        values = tensor.to(self.group.device)
        if not isinstance(like, DTensor) or tensor.ndim == 0:
            self.group.copy_from_driver(values)
            return values.to(like.device)
        return distribute_tensor(values, self._mesh, like.placements).to(like.device)

    def _rows(self, tensor: DTensor) -> range:
        """Returns the rows of a tensor that this rank has: FSDP divides the first dimension as `torch.chunk` does."""
        return chunk_of(tensor.shape[0], self._shards, self.group.rank % self._shards)

    def kept(self, tensor: Tensor) -> Tensor:
        """Returns a copy, because gathered weights are freed."""
        return tensor.clone()


class ShardedWeights(MasterWeights):
    """Trainable weights of a sharded model: float32 parameters that are their own masters."""

    def __init__(self, model: Any, sharding: ShardedModel) -> None:
        super().__init__(model)
        self._sharding = sharding
        self._modules = [m for m in model.modules() if isinstance(m, FSDPModule)]

    @torch.no_grad()
    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Set the weights from whole tensors, whose values rank 0 has. Raises ValueError as `MasterWeights.load`."""
        self._check_names(tensors)
        self._reshard()
        for name, master in self.masters.items():
            _local(master).copy_(_local(self._sharding.part(tensors, name, master)))

    @contextmanager
    def replaced(self, others: Mapping[str, Tensor]) -> Iterator[None]:
        """Inside the block the model computes with other weights; their tensors hold the policy's weights meanwhile."""
        self._swap(others)
        try:
            yield
        finally:
            self._swap(others)

    @torch.no_grad()
    def _swap(self, others: Mapping[str, Tensor]) -> None:
        self._reshard()  # what is gathered has the weights before
        for name, master in self.masters.items():
            current, other = _local(master), _local(others[name])
            before = current.clone()
            current.copy_(other)
            other.copy_(before)

    def _reshard(self) -> None:
        for module in self._modules:
            module.reshard()


def chunk_of(rows: int, parts: int, part: int) -> range:
    """Returns the rows in one of the parts that `torch.chunk` makes; none where it makes fewer."""
    size = -(-rows // parts)
    return range(rows)[size * part : size * (part + 1)]


def _local(tensor: Tensor) -> Tensor:
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def _to_float32(module: torch.nn.Module) -> None:
    """Convert the trainable parameters that are not sharded yet."""
    for param in module.parameters():
        if param.requires_grad and not isinstance(param, DTensor) and param.dtype != torch.float32:
            param.data = param.data.float()


def _move_buffers(model: torch.nn.Module, device: torch.device) -> None:
    """Move what is not a parameter, such as the frequencies of rotary positions, to the device."""
    for module in model.modules():
        for name, buffer in module.named_buffers(recurse=False):
            setattr(module, name, buffer.to(device))
