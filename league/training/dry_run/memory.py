"""The memory that a training holds besides activations, counted from the loaded model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from arena.learner.headroom import free_bytes
from arena.learner.trainer import Trainer

if TYPE_CHECKING:
    from torch import Tensor

    from league.training.participants.policy_id import PolicyId
    from league.training.plan import TrainingPlan
    from league.training.policy_trainer import PolicyTrainer

_FLOAT32 = 4


class MemoryItem(msgspec.Struct, frozen=True):
    """One part of the memory, in bytes."""

    what: str
    bytes: int


def memory_of(
    plan: TrainingPlan, trainers: Mapping[PolicyId, PolicyTrainer]
) -> tuple[tuple[MemoryItem, ...], int | None]:
    """Returns what the device holds between two steps or at the end of one, and its memory; None if unknown.

    The trainers are those of a single process. With `[learner] processes`, the numbers are those of the first process,
    which also plays. Activations, caches of keys and values, and the logits of a micro-batch come on top; they grow
    with `optimizer.token_budget` and with the number of matches.
    """
    items: list[MemoryItem] = []
    device = None
    for id, trainer in trainers.items():
        prefix = f"{id.name}: " if id.name else ""
        items += [MemoryItem(prefix + item.what, item.bytes) for item in _items(plan, trainer) if item.bytes]
        device = next(iter(trainer.models.values())).trainer.device
    return tuple(items), None if device is None else free_bytes(device)


def _items(plan: TrainingPlan, trainer: PolicyTrainer) -> list[MemoryItem]:
    policy = trainer.plan
    trainers = [model.trainer for model in trainer.models.values() if isinstance(model.trainer, Trainer)]
    weights = _size(param for t in trainers for param in t.model.parameters())
    masters = _size(m for t in trainers for name, m in t.weights.masters.items() if m is not t.weights.params[name])
    trained = sum(param.numel() for t in trainers for param in t.weights.params.values())
    trained_size = _size(param for t in trainers for param in t.weights.params.values())
    on_vllm = policy.policy.engine == "vllm"
    snapshot = trained_size if policy.policy.lora and on_vllm else weights
    replica = weights if plan.overlap > 0 or on_vllm else 0
    loaded = policy.opponents.loaded if policy.opponents.snapshots > 0 else 1
    start = _size(w for t in trainers for w in (t.reference or {}).values())
    kept = _size(w for t in trainers for w in (t.kept or {}).values())
    share = plan.learner.processes
    if share > 1:  # the parts of a sharded model are float32 where they are trained; it has no other masters
        masters = weights - trained_size + trained * _FLOAT32
    items = [
        MemoryItem("weights", weights),
        MemoryItem("float32 copies of the trained weights" if share == 1 else _part("the model", share), masters),
        MemoryItem(_part("gradients", share), trained * _FLOAT32),
        MemoryItem(_part("two moments of AdamW", share), 2 * trained * _FLOAT32),
        MemoryItem(_part("the magnet's weights", share), _size(w for t in trainers for w in (t.magnet or {}).values())),
        MemoryItem(_part("the weights at the start, for kl", share), start),
        MemoryItem(_part("the copy that the loss keeps", share), kept),
    ]
    items[1:] = [MemoryItem(item.what, item.bytes // share) for item in items[1:]]
    items += [
        MemoryItem("a second copy of the weights, which plays", replica),
        MemoryItem(f"snapshots: at most {loaded} loaded", loaded * snapshot),
    ]
    return items


def _part(what: str, processes: int) -> str:
    return what if processes == 1 else f"{what}: one of {processes} parts"


def _size(tensors: Iterable[Tensor]) -> int:
    return sum(t.numel() * t.element_size() for t in tensors)
