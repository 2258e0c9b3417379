"""What a training took of every card, beside what was planned."""

from __future__ import annotations

import logging
import resource
from collections.abc import Callable, Iterator, Mapping

from league.training.plan import TrainingPlan
from league.training.resources.machine import cards_here
from league.training.resources.planner import resource_plan, shapes_of
from league.training.resources.resource_plan import HOST

log = logging.getLogger(__name__)


def measured_bytes(count: int) -> Mapping[str, int]:
    """Returns the bytes in use on each of `count` GPUs, by all processes; without GPUs this process's most.

    The caches of trainers and engines only grow, so at the end of a run a GPU holds about the most that it ever did.
    """
    if not count:
        return {HOST: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
    import torch

    memory = {f"GPU {n}": torch.cuda.mem_get_info(n) for n in range(count)}
    return {card: total - free for card, (free, total) in memory.items()}


def memory_lines(plan: TrainingPlan) -> Iterator[str]:
    """Yields a line for each card: the bytes that were taken and those of the plan."""
    cards, shapes = cards_here(plan), shapes_of(plan)
    if shapes is None:
        return
    planned = resource_plan(plan, shapes, cards).peaks()
    for card, taken in measured_bytes(cards.count).items():
        if expected := planned.get(card, 0):
            yield f"memory of {card}: {taken / 1e9:.1f} GB taken, {expected / 1e9:.1f} GB planned"


def tell_memory(plan: TrainingPlan, tell: Callable[[str], None]) -> None:
    """Tell what GPUs held at the end of a run; on the CPU it is logged only."""
    on_gpus = cards_here(plan).count > 0
    for line in memory_lines(plan):
        tell(line) if on_gpus else log.info("%s", line)
