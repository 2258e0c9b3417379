"""The GPUs of this machine, and whether a training fits on them."""

from __future__ import annotations

import logging

from games import InputError
from league.training.plan import TrainingPlan
from league.training.resources.fitting import advised, fitted
from league.training.resources.planner import shapes_of
from league.training.resources.resource_plan import Cards

log = logging.getLogger(__name__)


def cards_here(plan: TrainingPlan) -> Cards:
    """Returns the GPUs that this process sees; without, or if the policies compute on the CPU, the free memory."""
    import torch

    from arena.learner.headroom import free_bytes

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if not count or all(policy.policy.device.startswith("cpu") for policy in plan.policies.values()):
        return Cards(0, free_bytes(torch.device("cpu")) or 0)
    return Cards(count, min(torch.cuda.get_device_properties(n).total_memory for n in range(count)))


def fitted_here(plan: TrainingPlan) -> TrainingPlan:
    """Returns the plan, lowered until it fits on the GPUs of this machine. Raises InputError if it never does.

    Too little memory of the CPU is a warning: what is planned is the most that can be needed.
    """
    cards, shapes = cards_here(plan), shapes_of(plan)
    if shapes is None:
        return plan
    if not cards.count:
        resources = advised(plan, shapes, cards)
        for problem in resources.problems:
            log.warning("%s at most%s", problem, "".join(f"; it fits with {way}" for way in resources.remedies))
        return plan
    lower, resources, changes = fitted(plan, shapes, cards)
    for change in changes:
        log.warning("to fit into %.1f GB: %s", cards.bytes / 1e9, change)
    if resources.problems:
        ways = f"; write {', or '.join(resources.remedies)}" if resources.remedies else ""
        raise InputError(
            f"the training does not fit: {resources.problems[0]}{ways}; arena train FILE --dry-run --gpus lists "
            "its parts"
        )
    return lower
