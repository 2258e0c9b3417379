"""The plan of resources: known sums, what is lowered or refused, and the plan against what a trainer holds."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import torch

from arena.inference import models
from arena.inference.model_shape import ModelShape
from arena.inference.shapes import FAMILIES
from arena.learner import LearnerConfig, Trainer, TurnSample
from arena.learner.activations import activation_bytes
from arena.learner.headroom import Headroom
from games import InputError
from league.config.training import load_training
from league.training.participants.policy_id import ONLY
from league.training.plan import TrainingPlan
from league.training.resolve import resolve
from league.training.resources import machine, measured
from league.training.resources.fitting import fitted
from league.training.resources.measured import memory_lines
from league.training.resources.memory import learner_memory
from league.training.resources.planner import resource_plan, shapes_of
from league.training.resources.resource_plan import Cards, ResourcePlan, resource_lines
from tests.arena.cli.command import run
from tests.league.training.runs import config, plans

SPIRAL = Path(__file__).parents[4] / "scripts" / "examples" / "spiral_qwen3_4b.toml"
FOUR_B: dict[str, Any] = {"policy": {"model": "Qwen/Qwen3-4B", "dtype": "bf16", "device": "cuda"}, "loss": {}}


def planned(plan: TrainingPlan, cards: Cards) -> ResourcePlan:
    shapes = shapes_of(plan)
    assert shapes is not None
    return resource_plan(plan, shapes, cards)


def owners(resources: ResourcePlan, card: str) -> dict[str, int]:
    sums: dict[str, int] = defaultdict(int)
    for each in resources.allocations:
        if each.card == card:
            sums[each.owner] += each.bytes
    return sums


def test_the_flagship_file_fits_on_eight_cards() -> None:
    resources = planned(resolve(load_training(SPIRAL)), Cards(8, 80_000_000_000))
    count = FAMILIES["qwen3-4b"].parameters
    first, second, last = (owners(resources, f"GPU {n}") for n in (0, 1, 7))
    assert first["weights"] == second["weights"] == 4 * count // 4
    assert first["moments"] == 8 * count // 4
    assert first["copies"] == 2 * count
    assert "engine" not in {*first, *second}
    assert last["engine"] + last["keys and values"] == 72_000_000_000  # 0.9
    assert resources.problems == ()
    assert 40e9 < resources.peaks()["GPU 0"] < 60e9
    assert 25e9 < resources.peaks()["GPU 1"] < 40e9
    assert resources.publications[0].bytes == 2 * count


def test_a_plan_is_lowered_until_it_fits(tmp_path: Path) -> None:
    more = {"optimizer": {"token_budget": 16_384}, "snapshots": {"matches": 0}, "opponents": {}}
    plan = resolve(config(tmp_path, **FOUR_B | more))
    shapes = shapes_of(plan)
    assert shapes is not None
    same, _, changes = fitted(plan, shapes, Cards(1, 300_000_000_000))
    assert (same, changes) == (plan, ())
    lower, resources, changes = fitted(plan, shapes, Cards(1, 90_000_000_000))
    assert lower.policies[ONLY].trainer.optimizer.gradient_checkpointing
    assert changes == ("activations are recomputed",)
    lower, resources, changes = fitted(plan, shapes, Cards(1, 83_000_000_000))
    assert resources.problems == ()
    assert len(changes) == 2
    assert lower.policies[ONLY].trainer.optimizer.token_budget < 16_384
    assert max(resources.peaks().values()) <= 83_000_000_000


def test_what_cannot_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = resolve(config(tmp_path, **FOUR_B))
    monkeypatch.setattr(machine, "cards_here", lambda plan: Cards(1, 24_000_000_000))
    with pytest.raises(
        InputError, match=r"does not fit: GPU 0 needs \d+\.\d of 24\.0 GB; write lora = 32 under \[policy\]; arena"
    ):
        machine.fitted_here(plan)
    monkeypatch.setattr(machine, "cards_here", lambda plan: Cards(0, 1 << 30))
    assert machine.fitted_here(plan) is plan


def test_a_refusal_names_each_setting_that_helps_with_the_number_that_fits(tmp_path: Path) -> None:
    """A number that is larger by one step does not fit; LoRA is one more way."""
    h200 = Cards(1, 141_000_000_000)
    more = {"optimizer": {"gradient_checkpointing": True, "token_budget": 1024}}

    def fit(loaded: int, memory: float, cards: Cards = h200) -> ResourcePlan:
        policy = FOUR_B["policy"] | {"engine": "vllm", "vllm": {"memory": memory}}
        opponents = {"self": 0.5, "snapshots": 0.5, "loaded": loaded}
        plan = resolve(config(tmp_path, **FOUR_B | more | {"policy": policy, "opponents": opponents}))
        shapes = shapes_of(plan)
        assert shapes is not None
        return fitted(plan, shapes, cards)[1]

    lora = "lora = 32 under [policy]"
    assert fit(4, 0.25).remedies == ("loaded = 3 under [opponents]", "memory = 0.2 under [policy.vllm]", lora)
    assert (fit(3, 0.25).problems, fit(3, 0.25).remedies) == ((), ())
    assert fit(4, 0.2).problems == ()
    pair = fit(8, 0.4).remedies
    assert pair == ("loaded = 4 under [opponents] and memory = 0.2 under [policy.vllm]", lora)
    assert "gpus = [1] under [policy.vllm]" in fit(5, 0.4, Cards(2, 141_000_000_000)).remedies
    assert fit(8, 0.1).remedies == ()  # the fault says what to do
    assert "  would fit with lora = 32 under [policy]" in list(resource_lines(fit(8, 0.4)))


def test_an_engine_without_room_for_an_answer_is_a_fault(tmp_path: Path) -> None:
    policy = FOUR_B["policy"] | {"engine": "vllm", "vllm": {"memory": 0.1}}
    (problem, *_) = planned(resolve(config(tmp_path, policy=policy)), Cards(1, 141_000_000_000)).problems
    assert "vLLM has 14.1 GB on each GPU, room for" in problem


@pytest.mark.parametrize(
    ("policy", "models", "adapters"),
    [
        ({"lora": 32}, 0, 0),  # the vLLM of the policy plays them
        ({"lora": 32, "vllm": {"adapters": "merge"}}, 1, 8),
        ({"lora": 32, "engine": "transformers"}, 1, 8),
        ({}, 8, 0),
    ],
)
def test_snapshots_are_whole_models_or_adapters_of_one(
    tmp_path: Path, policy: dict[str, object], models: int, adapters: int
) -> None:
    policy = FOUR_B["policy"] | {"engine": "vllm"} | policy
    resources = planned(resolve(config(tmp_path, **FOUR_B | {"policy": policy})), Cards(1, 141_000_000_000))
    shape = FAMILIES["qwen3-4b"]
    size = 2 * (models * shape.parameters + adapters * shape.adapter(32))
    assert owners(resources, "GPU 0").get("snapshots", 0) == size
    line = "at most 8 loaded, whole models of 8.04 GB"
    assert any(line in each for each in resource_lines(resources)) == (models == 8)


def test_workers_with_vllm_need_gpus(tmp_path: Path) -> None:
    policy = FOUR_B["policy"] | {"engine": "vllm"}
    without = planned(resolve(config(tmp_path, policy=policy, workers="ray")), Cards(1, 141_000_000_000))
    assert "set gpus = 1 under [ray]" in without.problems[0]
    halves = planned(
        resolve(config(tmp_path, policy=policy, workers="ray", ray={"gpus": 0.5})), Cards(1, 80_000_000_000)
    )
    found = owners(halves, "a worker's GPU")
    assert found["engine"] + found["keys and values"] == pytest.approx(2 * 0.45 * 80e9)


def test_weights_gradients_and_moments_are_what_a_trainer_holds(tmp_path: Path) -> None:
    """Exactly, also with a float32 copy of bfloat16 weights."""
    for dtype, size in (("fp32", 4), ("bf16", 2)):
        plan, policy = plans(config(tmp_path, policy={"model": "tiny", "dtype": dtype}, loss={"tau": 0.1, "kl": 0.1}))
        trainer = Trainer(models.load("tiny", dtype, "cpu").model, policy.trainer)
        apply, held = trainer._apply, dict[str, int]()

        def measured(lr: float, trainer: Trainer = trainer, apply: Any = apply, held: dict[str, int] = held) -> float:
            held["gradients"] = _size(m.grad for m in trainer.weights.masters.values())
            return float(apply(lr))

        trainer._apply = measured  # type: ignore[method-assign]
        trainer.step(
            [TurnSample(tuple(range(5, 30)), tuple(range(10, 20)), (-5.0,) * 10, None, 1.0, 1.0, ("a", "b", "c"))]
        )
        masters = [m for n, m in trainer.weights.masters.items() if m is not trainer.weights.params[n]]
        held["weights"] = _size(trainer.weights.params.values()) + _size(masters)
        held["copies"] = _size((trainer.magnet or {}).values()) + _size((trainer.reference or {}).values())
        state = trainer.optimizer.state.values()
        held["moments"] = _size(value for each in state for name, value in each.items() if name != "step")
        shapes = shapes_of(plan)
        assert shapes is not None
        found: dict[str, int] = defaultdict(int)
        for each in learner_memory(shapes[ONLY], policy, LearnerConfig(), size, Cards(1, 1)):
            if each.owner != "gradients" or not found["gradients"]:  # the second are those in flight
                found[each.owner] += each.bytes
        assert {name: found[name] for name in held} == held


def _size(tensors: Any) -> int:
    return sum(t.numel() * t.element_size() for t in tensors)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tokens"), [("qwen3-4b", 8000), ("llama-3.2-1b", 2000)])
def test_activations_are_what_autograd_keeps(name: str, tokens: int) -> None:
    """Within 12%, in bfloat16, under fake tensors; attention on the CPU repeats keys and values."""
    from torch._subclasses import FakeTensorMode
    from transformers import AutoConfig, AutoModelForCausalLM

    shape = FAMILIES[name]
    kind = "qwen3" if shape.head_norm else "llama"
    layers = 12
    settings = AutoConfig.for_model(
        kind,
        hidden_size=shape.hidden, intermediate_size=shape.intermediate, num_hidden_layers=layers,
        num_attention_heads=shape.heads, num_key_value_heads=shape.kv_heads, head_dim=shape.head_dim,
        vocab_size=512, attn_implementation="sdpa",
    )  # fmt: skip
    kept: dict[int, int] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        if not isinstance(tensor, torch.nn.Parameter):
            storage = tensor.untyped_storage()
            kept[storage._cdata] = storage.nbytes()
            alive.append(tensor)
        return tensor

    alive: list[torch.Tensor] = []
    with FakeTensorMode(allow_non_fake_inputs=True):
        model = AutoModelForCausalLM.from_config(settings, dtype=torch.bfloat16)
        parameters = {p.untyped_storage()._cdata for p in model.parameters()}
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            model.model(input_ids=torch.zeros(1, tokens, dtype=torch.long), use_cache=False)
    measured = sum(size for storage, size in kept.items() if storage not in parameters)
    small = ModelShape(layers, *(getattr(shape, f) for f in _FIELDS), 512, True, shape.head_norm)
    one_more = activation_bytes(small, tokens, 2, recompute=False) // (layers + 1) * layers
    assert one_more == pytest.approx(measured, rel=0.12)


_FIELDS = ("hidden", "intermediate", "heads", "kv_heads", "head_dim")


def test_activations_are_kept_where_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Headroom(models.load("tiny", "fp32", "cpu").model, torch.device("cpu"))
    free = [1 << 40]
    monkeypatch.setattr("arena.learner.headroom.free_bytes", lambda device: free[0])
    assert room.holds(100_000)
    free[0] = 1 << 20
    assert not room.holds(1000)


def test_the_verb_plans_for_other_gpus(capsys: pytest.CaptureFixture[str]) -> None:
    """Without the weights of the model, and without GPUs."""
    code, out, err = run(capsys, "train", str(SPIRAL), "--dry-run", "--gpus", "8x80")
    assert code == 0, err
    assert "GPU 1 to GPU 3, each: at most 3" in out
    code, out, _ = run(capsys, "train", str(SPIRAL), "--dry-run", "--gpus", "8x80", "--json")
    assert json.loads(out)["publications"][0]["transport"] == "file"
    assert "does not fit" in "\n".join(
        resource_lines(planned(resolve(load_training(SPIRAL)), Cards(8, 40_000_000_000)))
    )
    for words, message in (
        (["--dry-run", "--gpus", "8"], "--gpus is '8'; write their number and the GB of each, such as 8x80"),
        (["--gpus", "8x80"], "--gpus plans for other GPUs; write it with --dry-run"),
        (["--dry-run", "--gpus", "3x80"], "[learner] has 4 processes, a GPU each, and --gpus names 3; lower it"),
    ):
        assert run(capsys, "train", str(SPIRAL), *words)[::2] == (2, f"arena: {message}\n")


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"engine": "vllm", "vllm": {"gpus": [5]}}, "names GPU 5, but --gpus names 2 GPUs, numbered from 0"),
        ({"engine": "vllm", "vllm": {"tensor_parallel": 4}}, "tensor_parallel is 4, but --gpus names 2 GPUs"),
        ({"device": "cuda:2"}, "policy.device is 'cuda:2', but --gpus names 2, numbered from 0"),
        (
            {"engine": "vllm", "vllm": {"tensor_parallel": 3}},
            "tensor_parallel is 3; it must divide the 32 attention heads",
        ),
    ],
)
def test_a_plan_for_other_gpus_does_not_speak_of_these(tmp_path: Path, policy: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        planned(resolve(config(tmp_path, **FOUR_B | {"policy": FOUR_B["policy"] | policy})), Cards.parse("2x80"))


def test_what_was_taken_is_told_beside_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = resolve(config(tmp_path, **FOUR_B))
    monkeypatch.setattr(measured, "cards_here", lambda plan: Cards(2, 141_000_000_000))
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda n: ((81 - 80 * n) * 10**9, 141 * 10**9))
    (line,) = memory_lines(plan)  # nothing is planned on the second GPU
    expected = planned(plan, Cards(2, 141_000_000_000)).peaks()["GPU 0"]
    assert line == f"memory of GPU 0: 60.0 GB taken, {expected / 1e9:.1f} GB planned"
    monkeypatch.setattr(measured, "cards_here", lambda plan: Cards(0, 1 << 34))
    (line,) = memory_lines(resolve(config(tmp_path, policy={"model": "tiny"})))
    assert re.fullmatch(r"memory of this machine: \d+\.\d GB taken, \d+\.\d GB planned", line)


def test_the_processes_of_a_learner_use_the_gpus_from_0(tmp_path: Path) -> None:
    settings = FOUR_B | {"policy": FOUR_B["policy"] | {"device": "cuda:1"}, "learner": {"processes": 2}}
    with pytest.raises(InputError, match=re.escape("'cuda:1', but the 2 processes of [learner] use GPUs from 0")):
        planned(resolve(config(tmp_path, **settings)), Cards.parse("4x80"))
