"""The bytes that engines and snapshots take, and what a publication of new weights costs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.inference.adapters import SHARED_FROM
from arena.inference.model_shape import FLOAT32, ModelShape
from arena.learner import LearnerConfig, TrainerConfig
from arena.learner.activations import activation_bytes, head_bytes
from league.training.placement import EnginePlacement, place
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.resources.resource_plan import HOST, Allocation, Cards, Owner, Phase, Publication

WORKSPACE = 2_000_000_000
"""bytes of vLLM's graphs and buffers, assumed"""
_LONGEST = 32_768
"""the longest context that the arena asks of vLLM on a GPU"""
WORKER = "a worker's GPU"


@dataclass(frozen=True, slots=True)
class CopyRates:
    """Bytes per second of a publication's ways; assumptions until `gpu_check.py` has measured them."""

    pageable: float = 3e9
    """between a GPU and memory of the host that is not pinned, and into a file in memory"""
    links: float = 100e9
    """between GPUs of one machine"""
    within: float = 1e12
    """within one GPU"""


def worker_card(plan: TrainingPlan, cards: Cards) -> str:
    """Returns where a Ray worker computes: Ray hides the GPUs from workers that ask for none."""
    return WORKER if cards.count and plan.ray.gpus else HOST


def workers_on_one(plan: TrainingPlan) -> int:
    """Returns how many Ray workers share a GPU."""
    return int(1 / plan.ray.gpus) if 0 < plan.ray.gpus < 1 else 1


def vllm_place(plan: TrainingPlan, policy: PolicyPlan, cards: Cards) -> EnginePlacement:
    """Returns where the vLLM of a policy runs on these cards. Raises InputError if there are too few."""
    visible = math.ceil(plan.ray.gpus) if plan.on_ray else cards.count
    sees = "a Ray worker sees" if plan.on_ray else cards.sees
    return place(plan, policy.policy, visible, worker=plan.on_ray, sees=sees)


def engine_memory(
    shape: ModelShape, plan: TrainingPlan, policy: PolicyPlan, cards: Cards, size: int
) -> tuple[list[Allocation], str]:
    """Returns the allocations of a policy's vLLM, and a fault if it has no room for one answer."""
    at, served = vllm_place(plan, policy, cards), policy.policy.vllm
    if at.device == "cpu":
        memory: list[tuple[Owner, int]] = [
            ("engine", size * shape.parameters),
            ("keys and values", min(16 << 30, max(1 << 30, cards.bytes // 8))),
        ]
        return [Allocation(HOST, "vLLM", owner, n) for owner, n in memory for _ in policy.parts], ""
    total = int(at.share * cards.bytes)
    weights = size * shape.parameters // served.parallel
    cache = total - weights - WORKSPACE
    names = [cards.card(gpu) for gpu in at.gpus or range(served.parallel)]
    on_one = 1
    if plan.on_ray:
        names, on_one = [WORKER], workers_on_one(plan)
    out = []
    for name in names * len(policy.parts):
        process = f"vLLM of {policy.id.name or 'the policy'}"
        out += [
            Allocation(name, process, "engine", on_one * (weights + WORKSPACE)),
            Allocation(name, process, "keys and values", on_one * max(0, cache)),
        ]
    tokens = cache * served.parallel // shape.kv_bytes(size)
    longest = min(shape.context, _LONGEST)
    if tokens >= longest:
        return out, ""
    return out, (
        f"vLLM has {total / 1e9:.1f} GB on each GPU, room for {max(0, tokens):,} tokens beside its weights, and one "
        f"answer may need {longest:,}; raise memory under [policy.vllm], or give it gpus"
    )


def replica_memory(
    shape: ModelShape, plan: TrainingPlan, policy: PolicyPlan, size: int, cards: Cards, first: int
) -> Iterator[Allocation]:
    """Yields the copies that play with transformers: one beside the trainer, or one in each Ray worker."""
    copy = size * (shape.parameters + shape.adapter(policy.policy.lora)) * len(policy.parts)
    if plan.on_ray:
        yield Allocation(worker_card(plan, cards), "worker", "copies", workers_on_one(plan) * copy)
    elif has_replicas(plan):
        yield Allocation(cards.card(first), "driver", "copies", copy)


def has_replicas(plan: TrainingPlan) -> bool:
    """Returns whether copies of the weights play, of all policies, rather than the trainers' own weights."""
    return plan.on_ray or plan.overlap > 0 or bool(plan.vllm)


def snapshot_memory(
    shape: ModelShape, plan: TrainingPlan, policy: PolicyPlan, size: int, cards: Cards, first: int
) -> Iterator[Allocation]:
    """Yields what loaded snapshots take: whole models, or adapters beside one base that transformers plays.

    They are on the policy's device, which is the GPU `first`, or on the workers'. Nothing for adapters that the
    policy's vLLM plays.
    """
    meets = policy.opponents.snapshots > 0
    count = policy.opponents.loaded if meets else 1 if policy.snapshots.matches else 0
    if not count or (policy.policy.engine == "vllm" and policy.policy.vllm.reloads(policy.policy.lora)):
        return
    on_worker = plan.on_ray and meets
    card, process = (worker_card(plan, cards), "worker") if on_worker else (cards.card(first), "driver")
    lora, whole = policy.policy.lora, size * shape.parameters
    shared = lora > 0 and whole >= SHARED_FROM and not Path(policy.policy.model).is_dir()
    taken = whole + count * size * shape.adapter(lora) if shared else count * whole
    copies = workers_on_one(plan) if on_worker else 1
    yield Allocation(card, process, "snapshots", copies * taken, snapshots=0 if shared else copies * count)


def publication(
    shape: ModelShape, plan: TrainingPlan, policy: PolicyPlan, size: int, cards: Cards, rates: CopyRates | None = None
) -> Publication:
    """Returns what new weights cost on their way to an engine of another process or to a copy."""
    rates, served = rates or CopyRates(), policy.policy.vllm
    lora, plain = policy.policy.lora, policy.policy.engine != "vllm"
    reload = served.reloads(lora)
    alone = reload or (plain and lora > 0)  # a copy in transformers has the adapter beside its base
    amount = len(policy.parts) * size * (shape.adapter(lora) if alone else shape.parameters)
    name = policy.id.name or "the policy"
    if plain and plan.on_ray:  # from the GPU, into Ray's store, from the store to the worker's GPU
        return Publication(name, "ray", amount, 3 * amount / rates.pageable)
    if plain:
        return Publication(name, "copy", amount, amount / (rates.within if cards.count else rates.pageable))
    if served.transfer == "file" or reload:  # from the GPU, into the file, from the file to the engine's GPU
        return Publication(name, "adapter" if reload else "file", amount, 3 * amount / rates.pageable)
    rate = rates.links if served.transfer == "nccl" else rates.within
    return Publication(name, served.transfer, amount, amount / rate)


def learner_memory(
    shape: ModelShape,
    policy: PolicyPlan,
    learner: LearnerConfig,
    size: int,
    cards: Cards,
    first: int = 0,
) -> Iterator[Allocation]:
    """Yields the allocations of one model. `size`: bytes of a number in its passes; `first`: the GPU of the driver.

    With several processes each holds a part in float32 and gathers layers in the engines' precision, and the driver has
    a whole copy besides, which plays.
    """
    models = len(policy.parts)
    for rank in range(learner.processes):
        process = "driver" if rank == 0 else f"learner {rank}"
        for owner, amount, phase in _parts(shape, policy.trainer, learner, size, rank, cards.kind):
            held = amount * (1 if phase == "step" else models)
            if held:
                yield Allocation(cards.card(first + rank), process, owner, held, phase)


def _parts(
    shape: ModelShape, trainer: TrainerConfig, learner: LearnerConfig, size: int, rank: int, kind: str
) -> Iterator[tuple[Owner, int, Phase]]:
    adapter = shape.adapter(trainer.lora.rank) if trainer.lora else 0
    trained = adapter or shape.parameters
    frozen = shape.parameters if adapter else 0
    o, kept, shards = trainer.optimizer, 0 if learner.offload else 1, learner.shards
    if learner.processes == 1:
        masters = FLOAT32 * trained if size < FLOAT32 else 0
        yield "weights", size * (frozen + trained) + masters, "always"
    else:
        yield "weights", kept * (FLOAT32 * trained + size * frozen) // shards, "always"
        if rank == 0:
            yield "copies", size * (frozen + trained), "always"
        gathered = shape.embedding * (1 if shape.tied else 2) + 2 * shape.layer
        yield "activations", size * gathered, "step"
    copies = (trainer.loss.tau > 0) + (trainer.loss.kl > 0)
    yield "copies", kept * copies * FLOAT32 * trained // shards, "always"
    yield "moments", kept * 2 * FLOAT32 * trained // shards, "always"
    yield "gradients", FLOAT32 * trained // shards, "step"
    if not adapter and size < FLOAT32:  # that of the embedding before it is added in float32, or reduced
        yield "gradients", (size + FLOAT32) * shape.embedding, "step"
    layers = activation_bytes(shape, o.token_budget, size, recompute=o.gradient_checkpointing)
    yield "activations", layers + head_bytes(shape, o.token_budget, size, o.rows_on(kind), not adapter), "step"
