"""Lowers what does not fit, recomputation first, then the token budget, and names what else would help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.inference.model_shape import ModelShape
from league.training.participants.policy_id import PolicyId
from league.training.plan import TrainingPlan
from league.training.resources.planner import resource_plan
from league.training.resources.remedies import remedies
from league.training.resources.resource_plan import Cards, ResourcePlan

SMALLEST = 1024
"""the token budget is not lowered further"""


def fitted(
    plan: TrainingPlan, shapes: Mapping[PolicyId, ModelShape], cards: Cards
) -> tuple[TrainingPlan, ResourcePlan, tuple[str, ...]]:
    """Returns the training plan with the first changes that make it fit, its resources, and the changes in words.

    If nothing fits, the returned resources have problems and remedies, and the plan is as it was.
    """
    lower, resources, changes = lowered(plan, shapes, cards)
    if resources.problems and not resources.faults:

        def fits(other: TrainingPlan) -> bool:
            return not lowered(other, shapes, cards)[1].problems

        resources = replace(resources, remedies=remedies(plan, cards, fits))
    return lower, resources, changes


def advised(plan: TrainingPlan, shapes: Mapping[PolicyId, ModelShape], cards: Cards) -> ResourcePlan:
    """Returns the resources on a CPU, with the token budget that would fit as a remedy.

    A run lowers nothing there: the free memory differs at each start, and a resumed run must sum in the same order.
    """
    resources = resource_plan(plan, shapes, cards)
    budget = resources.token_budget // 2
    while resources.problems and not resources.faults and budget >= SMALLEST:
        if not resource_plan(_with_optimizer(plan, token_budget=budget), shapes, cards).problems:
            return replace(resources, remedies=(f"token_budget = {budget} under [optimizer]",))
        budget //= 2
    return resources


def lowered(
    plan: TrainingPlan, shapes: Mapping[PolicyId, ModelShape], cards: Cards
) -> tuple[TrainingPlan, ResourcePlan, tuple[str, ...]]:
    """Returns what `fitted` does, without remedies."""
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
