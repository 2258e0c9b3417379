"""Plans the resources of a training: what each of its processes takes of each card."""

from __future__ import annotations

from collections.abc import Mapping

from arena.inference.model_shape import FLOAT32, ModelShape
from arena.inference.shapes import shape_of
from games import InputError
from league.training.participants.policy_id import PolicyId
from league.training.placement import trainer_gpu
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.resources.memory import (
    WORKER,
    engine_memory,
    has_replicas,
    learner_memory,
    publication,
    replica_memory,
    snapshot_memory,
    workers_on_one,
)
from league.training.resources.resource_plan import HOST, Allocation, Cards, ResourcePlan

CONTEXT = 2_000_000_000
"""bytes of CUDA's context, NCCL and fragments in each process of the learner, assumed"""
INTERPRETER = 600_000_000
"""bytes of Python with torch in each process on the CPU, assumed"""


def shapes_of(plan: TrainingPlan) -> dict[PolicyId, ModelShape] | None:
    """Returns the shapes of the policies' models; None if one is not known without loading it."""
    shapes = {id: shape_of(policy.policy.model) for id, policy in plan.policies.items()}
    complete = {id: shape for id, shape in shapes.items() if shape is not None}
    return complete if len(complete) == len(shapes) else None


def resource_plan(plan: TrainingPlan, shapes: Mapping[PolicyId, ModelShape], cards: Cards) -> ResourcePlan:
    """Returns what a training takes of these cards, as its plan says. Raises InputError if there are too few."""
    _check(plan, cards)
    allocations, faults, publications = _contexts(plan, cards), list[str](), []
    for id, policy in plan.policies.items():
        local, first = cards.used_by(policy.policy.device), trainer_gpu(policy.policy.device)
        size = number_bytes(policy.policy.dtype, local)
        parts, fault = _policy_memory(shapes[id], plan, policy, local, size, first)
        allocations += parts
        faults += [fault] if fault and fault not in faults else []
        if has_replicas(plan):
            publications.append(publication(shapes[id], plan, policy, size, local))
    if any(each.card == WORKER and each.process == "worker" for each in allocations):
        allocations.append(Allocation(WORKER, "worker", "context", workers_on_one(plan) * CONTEXT))
    budgets = [policy.trainer.optimizer for policy in plan.policies.values()]
    return ResourcePlan(
        cards,
        tuple(allocations),
        tuple(publications),
        all(o.gradient_checkpointing for o in budgets),
        max(o.token_budget for o in budgets),
        tuple(faults),
    )


def _check(plan: TrainingPlan, cards: Cards) -> None:
    processes = plan.learner.processes
    devices = [policy.policy.device for policy in plan.policies.values()]
    for device in devices if cards.count else ():
        first = trainer_gpu(device)
        if cards.used_by(device).count and processes > cards.count:
            raise InputError(
                f"[learner] has {processes} processes, a GPU each, and {cards.sees} {cards.count}; lower it"
            )
        if first >= cards.count:
            raise InputError(f"policy.device is {device!r}, but {cards.sees} {cards.count}, numbered from 0")
        if first and processes > 1:
            raise InputError(f"policy.device is {device!r}, but the {processes} processes of [learner] use GPUs from 0")


def _contexts(plan: TrainingPlan, cards: Cards) -> list[Allocation]:
    """Returns those of the learner's processes: one on each card that a trainer uses."""
    devices = [policy.policy.device for policy in plan.policies.values()]
    out = []
    for rank in range(plan.learner.processes):
        process = "driver" if rank == 0 else f"learner {rank}"
        names = [cards.used_by(device).card(trainer_gpu(device) + rank) for device in devices]
        for name in dict.fromkeys(names):
            out.append(Allocation(name, process, "context", INTERPRETER if name == HOST else CONTEXT))
    return out


def _policy_memory(
    shape: ModelShape, plan: TrainingPlan, policy: PolicyPlan, cards: Cards, size: int, first: int
) -> tuple[list[Allocation], str]:
    """Returns the allocations of a policy whose driver is on the GPU `first`, and a fault or ""."""
    vllm = policy.policy.engine == "vllm"
    parallel = policy.policy.vllm.parallel if vllm else 1
    if shape.heads % parallel:
        raise InputError(f"policy.vllm.tensor_parallel is {parallel}; it must divide the {shape.heads} attention heads")
    parts = list(learner_memory(shape, policy, plan.learner, size, cards, first))
    parts += snapshot_memory(shape, plan, policy, size, cards, first)
    if not vllm:
        return [*parts, *replica_memory(shape, plan, policy, size, cards, first)], ""
    if plan.on_ray and cards.count and not plan.ray.gpus:
        return parts, "workers with vLLM need GPUs of their own; set gpus = 1 under [ray]"
    placed, fault = engine_memory(shape, plan, policy, cards, size)
    return [*parts, *placed], fault


def number_bytes(dtype: str, cards: Cards) -> int:
    """Returns the bytes of a number of a model; `auto` is float32 on the CPU."""
    return FLOAT32 if dtype == "fp32" or (dtype == "auto" and not cards.count) else 2
