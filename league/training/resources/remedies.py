"""The settings that would make a training fit, each with the first value that does."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from arena.learner.config import LoraConfig
from games import InputError
from league.training.placement import trainer_gpu
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.resources.memory import vllm_place
from league.training.resources.resource_plan import Cards

RANK = 32
"""of the LoRA adapter that is proposed"""
Change = tuple[str, Callable[[TrainingPlan], TrainingPlan]]
"""a setting in words, and the plan with it"""


def remedies(plan: TrainingPlan, cards: Cards, fits: Callable[[TrainingPlan], bool]) -> tuple[str, ...]:
    """Returns the settings that each make the training fit alone, or else the pairs that do; (): none.

    LoRA, which trains other weights, is one more way, not the reason to be silent about the others.
    """
    lora = list(_lora(plan, cards))
    settings = [changes for of in (_loaded, _memory, _gpus, _processes) if (changes := list(of(plan, cards)))]
    ways: list[str] = []
    for together in (1, 2):
        if not ways:
            ways = [way for group in itertools.combinations(settings, together) if (way := _first(plan, group, fits))]
    alone = _first(plan, (lora,), fits)
    others = () if alone or ways else ((lora, changes) for changes in settings)
    return (*ways, *filter(None, (alone, *(_first(plan, group, fits) for group in others))))


def _first(plan: TrainingPlan, group: tuple[list[Change], ...], fits: Callable[[TrainingPlan], bool]) -> str:
    """Returns the first combination of values that fits, the last setting changing fastest; "" if none does."""
    for changes in itertools.product(*group):
        other = plan
        for _, change in changes:
            other = change(other)
        try:
            if fits(other):
                return " and ".join(words for words, _ in changes)
        except InputError:  # more processes or other GPUs than this training can have
            continue
    return ""


def _loaded(plan: TrainingPlan, cards: Cards) -> Iterator[Change]:
    most = max((p.opponents.loaded for p in plan.policies.values() if p.opponents.snapshots > 0), default=1)
    for count in range(most - 1, 0, -1):

        def change(policy: PolicyPlan, count: int = count) -> dict[str, Any]:
            return {"opponents": _with(policy.opponents, loaded=min(policy.opponents.loaded, count))}

        yield f"loaded = {count} under [opponents]", _each(change)


def _memory(plan: TrainingPlan, cards: Cards) -> Iterator[Change]:
    share = max(
        (vllm_place(plan, policy, cards.used_by(policy.policy.device)).share for policy in plan.vllm), default=0
    )
    for twentieths in range(int(share * 20 - 1e-6), 0, -1):

        def change(policy: PolicyPlan, memory: float = twentieths / 20) -> dict[str, Any]:
            return _served(policy, memory=memory)

        yield f"memory = {twentieths / 20:g} under [policy.vllm]", _each(change)


def _gpus(plan: TrainingPlan, cards: Cards) -> Iterator[Change]:
    """Yields GPUs of its own for an engine that shares the trainer's."""
    if plan.on_ray or len(plan.policies) > 1 or not plan.vllm:
        return
    policy, served = plan.vllm[0], plan.vllm[0].policy.vllm
    first = trainer_gpu(policy.policy.device)
    free = [n for n in range(cards.count) if not first <= n < first + plan.learner.processes]
    if served.gpus or served.sleep or served.transfer == "ipc" or len(free) < served.parallel:
        return
    gpus = tuple(free[: served.parallel])
    yield f"gpus = {list(gpus)} under [policy.vllm]", _each(lambda policy: _served(policy, gpus=gpus))


def _processes(plan: TrainingPlan, cards: Cards) -> Iterator[Change]:
    numbered = any(":" in policy.policy.device for policy in plan.policies.values())
    if numbered or plan.imitation is not None or any(p.policy.vllm.transfer == "ipc" for p in plan.vllm):
        return  # such a training cannot have several processes
    count = 2 * plan.learner.processes
    while count <= cards.count:

        def change(plan: TrainingPlan, count: int = count) -> TrainingPlan:
            return replace(plan, learner=_with(plan.learner, processes=count))

        yield f"processes = {count} under [learner]", change
        count *= 2


def _lora(plan: TrainingPlan, cards: Cards) -> Iterator[Change]:
    def change(policy: PolicyPlan) -> dict[str, Any]:
        if policy.policy.lora:
            return {}
        trainer = _with(policy.trainer, lora=LoraConfig(rank=RANK, alpha=RANK))
        return {"policy": _with(policy.policy, lora=RANK), "trainer": trainer}

    if not all(policy.policy.lora for policy in plan.policies.values()):
        yield f"lora = {RANK} under [policy]", _each(change)


def _served(policy: PolicyPlan, **settings: Any) -> dict[str, Any]:
    if policy.policy.engine != "vllm":
        return {}
    return {"policy": _with(policy.policy, vllm=_with(policy.policy.vllm, **settings))}


def _with(settings: Any, **values: Any) -> Any:
    return settings.model_copy(update=values)


def _each(change: Callable[[PolicyPlan], Mapping[str, Any]]) -> Callable[[TrainingPlan], TrainingPlan]:
    return lambda plan: replace(plan, policies={id: replace(p, **change(p)) for id, p in plan.policies.items()})
