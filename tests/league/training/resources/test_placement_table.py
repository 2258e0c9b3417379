"""Documented layouts: which processes are on which GPU, and that the GPU holds them."""

import pytest

from league.training.resolve import resolve
from league.training.resources.planner import resource_plan, shapes_of
from league.training.resources.resource_plan import Cards
from tests.league.training.runs import config

FOUR = {"model": "Qwen/Qwen3-4B", "dtype": "bf16", "device": "cuda"}
SMALL = FOUR | {"model": "Qwen/Qwen3-0.6B"}
VLLM = {"engine": "vllm"}
MATES = {"opponents": {"self": 1.0, "snapshots": 0.0}, "snapshots": {"every": 2, "matches": 0}, "anchors": []}
H100, H200 = 80_000_000_000, 141_000_000_000
ENGINE, DRIVER = "vLLM of the policy", "driver"
TRAINERS = {f"GPU {n}": {f"learner {n}"} for n in range(1, 4)}

LAYOUTS = {
    "one GPU, transformers": ({"policy": SMALL}, Cards(1, H100), {"GPU 0": {DRIVER}}),
    "one GPU, LoRA beside vLLM": (
        {"policy": FOUR | VLLM | {"lora": 32}, "optimizer": {"gradient_checkpointing": True}},
        Cards(1, H200),
        {"GPU 0": {DRIVER, ENGINE}},
    ),
    "an engine on a GPU of its own": (
        {"policy": SMALL | VLLM | {"vllm": {"gpus": [1]}}},
        Cards(2, H100),
        {"GPU 0": {DRIVER}, "GPU 1": {ENGINE}},
    ),
    "a trainer on the second GPU, with its engine": (
        {"policy": SMALL | VLLM | {"device": "cuda:1"}},
        Cards(2, H100),
        {"GPU 1": {DRIVER, ENGINE}},
    ),
    "four trainers and an engine on four GPUs": (
        {
            "policy": FOUR | VLLM | {"vllm": {"gpus": [4, 5, 6, 7]}},
            "learner": {"processes": 4},
            "optimizer": {"gradient_checkpointing": True},
        },
        Cards(8, H100),
        {"GPU 0": {DRIVER}, **TRAINERS, **{f"GPU {n}": {ENGINE} for n in range(4, 8)}},
    ),
    "Ray workers with a GPU each": (
        {"policy": FOUR | VLLM | {"lora": 32}, "workers": "ray", "ray": {"gpus": 1.0}},
        Cards(1, H200),
        {"GPU 0": {DRIVER}, "a worker's GPU": {ENGINE}},
    ),
    "Ray workers that share a GPU": (
        {"policy": SMALL | VLLM, "workers": "ray", "ray": {"gpus": 0.5}},
        Cards(1, H100),
        {"GPU 0": {DRIVER}, "a worker's GPU": {ENGINE}},
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_has_its_processes_and_fits(tmp_path, name):
    settings, cards, expected = LAYOUTS[name]
    plan = resolve(config(tmp_path, **MATES, **{"loss": {}, **settings}))
    shapes = shapes_of(plan)
    assert shapes is not None
    resources = resource_plan(plan, shapes, cards)
    processes: dict[str, set[str]] = {}
    for each in resources.allocations:
        processes.setdefault(each.card, set()).add(each.process)
    assert processes == expected
    assert resources.problems == ()
    assert all(peak < cards.bytes for peak in resources.peaks().values())


def test_replicas_divide_their_copies_among_fewer_cards(tmp_path):
    held = {}
    for replicas in (1, 2):
        plan = resolve(config(tmp_path, policy=SMALL, learner={"processes": 4, "replicas": replicas}, loss={}))
        shapes = shapes_of(plan)
        assert shapes is not None
        parts = resource_plan(plan, shapes, Cards(4, H100)).allocations
        held[replicas] = sum(each.bytes for each in parts if (each.card, each.owner) == ("GPU 3", "moments"))
    assert held[2] == 2 * held[1] > 0
