"""Plans the resources of a training, and lowers what does not fit: recomputation first, then the token budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.inference.model_shape import FLOAT32, ModelShape
from arena.inference.shapes import shape_of
from games import InputError
from league.training.participants.policy_id import PolicyId
from league.training.plan import TrainingPlan
from league.training.resources.memory import engine_memory, learner_memory, publication, snapshot_memory
from league.training.resources.resource_plan import Allocation, Cards, ResourcePlan

CONTEXT = 2_000_000_000
"""bytes of CUDA's context, NCCL and fragments in each process of the learner, assumed"""
INTERPRETER = 600_000_000
"""bytes of Python with torch in each process on the CPU, assumed"""
SMALLEST = 1024
"""the token budget is not lowered further"""


def shapes_of(plan: TrainingPlan) -> dict[PolicyId, ModelShape] | None:
    """Returns the shapes of the policies' models; None if one is not known without loading it."""
    shapes = {id: shape_of(policy.policy.model) for id, policy in plan.policies.items()}
    complete = {id: shape for id, shape in shapes.items() if shape is not None}
    return complete if len(complete) == len(shapes) else None


def resource_plan(plan: TrainingPlan, shapes: Mapping[PolicyId, ModelShape], cards: Cards) -> ResourcePlan:
    """Returns what a training takes of these cards, as its plan says. Raises InputError if there are too few."""
    processes, allocations, faults, publications = plan.learner.processes, list[Allocation](), list[str](), []
    if cards.count and processes > cards.count:
        raise InputError(f"[learner] has {processes} processes, a GPU each, and {cards.sees} {cards.count}; lower it")
    first = max(0, *(_trainer_gpu(policy.policy.device) for policy in plan.policies.values()), 0)
    if cards.count and first >= cards.count:
        raise InputError(f"policy.device is 'cuda:{first}', but {cards.sees} {cards.count}, numbered from 0")
    if first and processes > 1:
        raise InputError(f"policy.device is 'cuda:{first}', but the {processes} processes of [learner] use GPUs from 0")
    if plan.on_ray and plan.vllm and not plan.ray.gpus:
        faults.append("workers with vLLM need GPUs of their own; set gpus = 1 under [ray]")
    for rank in range(processes):
        process = "driver" if rank == 0 else f"learner {rank}"
        context = CONTEXT if cards.count else INTERPRETER
        allocations.append(Allocation(cards.card(first + rank), process, "context", context))
    for id, policy in plan.policies.items():
        shape, size = shapes[id], number_bytes(policy.policy.dtype, cards)
        parallel = policy.policy.vllm.parallel if policy.policy.engine == "vllm" else 1
        if shape.heads % parallel:
            raise InputError(
                f"policy.vllm.tensor_parallel is {parallel}; it must divide the {shape.heads} attention heads"
            )
        allocations += learner_memory(shape, policy, plan.learner, size, cards, first)
        allocations += snapshot_memory(shape, plan, policy, size, cards)
        if policy.policy.engine == "vllm" and not (plan.on_ray and not plan.ray.gpus):
            placed, fault = engine_memory(shape, plan, policy, cards, size)
            allocations += placed
            faults += [fault] if fault else []
        elif plan.overlap and not plan.on_ray:
            copy = size * shape.parameters * len(policy.parts)
            allocations.append(Allocation(cards.card(first), "driver", "copies", copy))
        publications.append(publication(shape, policy, size))
    budgets = [policy.trainer.optimizer for policy in plan.policies.values()]
    return ResourcePlan(
        cards,
        tuple(allocations),
        tuple(publications),
        all(o.gradient_checkpointing for o in budgets),
        max(o.token_budget for o in budgets),
        tuple(faults),
    )


def number_bytes(dtype: str, cards: Cards) -> int:
    """Returns the bytes of a number of a model; `auto` is float32 on the CPU."""
    return FLOAT32 if dtype == "fp32" or (dtype == "auto" and not cards.count) else 2


def fitted(
    plan: TrainingPlan, shapes: Mapping[PolicyId, ModelShape], cards: Cards
) -> tuple[TrainingPlan, ResourcePlan, tuple[str, ...]]:
    """Returns the training plan with the first changes that make it fit, its resources, and the changes in words.

    If nothing fits, the returned resources have problems, and the plan is as it was.
    """
    original = resource_plan(plan, shapes, cards)
    if not original.problems or original.faults:
        return plan, original, ()
    changes: list[str] = []
    lower, resources = plan, original
    if not original.recompute:
        lower = _with_optimizer(lower, gradient_checkpointing=True)
        resources, changes = resource_plan(lower, shapes, cards), ["activations are recomputed"]
    while resources.problems and (budget := resources.token_budget // 2) >= SMALLEST:
        lower = _with_optimizer(lower, token_budget=budget)
        resources = resource_plan(lower, shapes, cards)
    if resources.problems:
        return plan, original, ()
    if resources.token_budget < original.token_budget:
        changes.append(f"token_budget is {resources.token_budget:,} instead of {original.token_budget:,}")
    return lower, resources, tuple(changes)


def _with_optimizer(plan: TrainingPlan, **settings: int) -> TrainingPlan:
    policies = {}
    for id, policy in plan.policies.items():
        before = policy.trainer.optimizer
        changed = {k: min(v, before.token_budget) if k == "token_budget" else bool(v) for k, v in settings.items()}
        trainer = policy.trainer.model_copy(update={"optimizer": before.model_copy(update=changed)})
        policies[id] = replace(policy, trainer=trainer)
    return replace(plan, policies=policies)


def _trainer_gpu(device: str) -> int:
    return int(device.partition(":")[2] or 0) if device.startswith("cuda") else 0
