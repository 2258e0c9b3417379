"""Documented layouts: which processes are on which GPU, and that the GPU holds them."""

import pytest

from games import InputError
from league.training.resolve import resolve
from league.training.resources.planner import resource_plan, shapes_of
from league.training.resources.resource_plan import HOST, Cards
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


MEETS = {"opponents": {"self": 0.5, "snapshots": 0.5, "loaded": 2}}
PAIR = [{"name": "a", "policy": {"device": "cuda:0"}}, {"name": "b", "policy": {"device": "cuda:1"}}]
TRAINER = {"context", "weights", "moments", "activations", "gradients", "snapshots"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"policy": SMALL | {"device": "cuda:1"}}, {"GPU 1": TRAINER}),
        ({"policy": SMALL | VLLM | {"device": "cuda:1"}}, {"GPU 1": TRAINER | {"engine", "keys and values"}}),
        ({"policy": SMALL | {"device": "cpu"}}, {HOST: TRAINER}),
        ({"policy": SMALL | VLLM | {"device": "cpu"}}, {HOST: TRAINER | {"engine", "keys and values"}}),
        ({"policy": SMALL | {"device": "cpu"}, "learner": {"processes": 3}}, {HOST: TRAINER | {"copies"}}),
        ({"policy": SMALL, "policies": PAIR}, {"GPU 0": TRAINER, "GPU 1": TRAINER}),
        (
            {"policy": SMALL, "workers": "ray", "ray": {"gpus": 1.0}},
            {"GPU 0": TRAINER - {"snapshots"}, "a worker's GPU": {"context", "copies", "snapshots"}},
        ),
        (
            {"policy": SMALL, "workers": "ray"},
            {"GPU 0": TRAINER - {"snapshots"}, HOST: {"copies", "snapshots"}},
        ),
    ],
)
def test_what_a_policy_takes_is_on_its_own_device(tmp_path, settings, expected):
    plan = resolve(config(tmp_path, **MEETS, **{"loss": {}, **settings}))
    shapes = shapes_of(plan)
    assert shapes is not None
    resources = resource_plan(plan, shapes, Cards(2, H100))
    held: dict[str, set[str]] = {}
    for each in resources.allocations:
        held.setdefault(each.card, set()).add(each.owner)
    assert held == expected
    assert bool(resources.publications) == ("vllm" in str(settings) or "ray" in str(settings))


def test_memory_of_the_host_is_not_compared_with_that_of_a_gpu(tmp_path):
    plan = resolve(config(tmp_path, policy=SMALL | {"device": "cpu"}, loss={}))
    shapes = shapes_of(plan)
    assert shapes is not None
    assert resource_plan(plan, shapes, Cards(2, 1_000_000_000)).problems == ()
    assert resource_plan(plan, shapes, Cards(0, 1_000_000_000)).problems


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"policy": SMALL | VLLM | {"device": "cpu", "vllm": {"gpus": [1]}}},
            'a policy with device = "cpu" uses 0 GPUs',
        ),
        ({"policy": SMALL | VLLM | {"device": "cuda:1", "vllm": {"tensor_parallel": 2}}}, "shares GPU 1 alone"),
        (
            {"policy": SMALL | VLLM, "policies": [PAIR[0] | {"policy": {"vllm": {"gpus": [1]}}}, PAIR[1]]},
            "names GPU 1, which the trainer uses",
        ),
    ],
)
def test_engines_that_could_not_start_are_refused(tmp_path, settings, message):
    plan = resolve(config(tmp_path, **{"loss": {}, **settings}))
    shapes = shapes_of(plan)
    assert shapes is not None
    with pytest.raises(InputError, match=message):
        resource_plan(plan, shapes, Cards(2, H100))


def test_replicas_divide_their_copies_among_fewer_cards(tmp_path):
    held = {}
    for replicas in (1, 2):
        plan = resolve(config(tmp_path, policy=SMALL, learner={"processes": 4, "replicas": replicas}, loss={}))
        shapes = shapes_of(plan)
        assert shapes is not None
        parts = resource_plan(plan, shapes, Cards(4, H100)).allocations
        held[replicas] = sum(each.bytes for each in parts if (each.card, each.owner) == ("GPU 3", "moments"))
    assert held[2] == 2 * held[1] > 0
