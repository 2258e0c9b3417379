"""What a training leaves for engines: adapters alone, whole models, and the teacher's side of a vocabulary."""

import json
from types import SimpleNamespace

import pytest
import torch

from arena.inference.adapters import CONFIG, INSIDE, WEIGHTS
from arena.learner import LoraConfig, OptimizerConfig
from arena.learner.export import export_model
from arena.learner.lora import has_no_gradient, write_adapter
from arena.learner.output_layer import has_plain_output_layer, without_output_layer
from arena.learner.teacher import Teacher
from games import InputError


def test_adapters_are_written_in_the_format_of_peft(tmp_path):
    from safetensors.torch import load_file

    tensors = {
        f"model.layers.0.self_attn.{layer}.lora_{side}.default.weight": torch.full((2, 3), float(n))
        for n, (layer, side) in enumerate((("q_proj", "A"), ("q_proj", "B"), ("o_proj", "A")))
    }
    write_adapter(tensors, LoraConfig(rank=2, alpha=6), "base/model", tmp_path / "new" / "folder")
    written = load_file(tmp_path / "new" / "folder" / WEIGHTS)
    assert {name: float(t[0, 0]) for name, t in written.items()} == {
        "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight": 0.0,
        "base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight": 1.0,
        "base_model.model.model.layers.0.self_attn.o_proj.lora_A.weight": 2.0,
    }
    assert json.loads((tmp_path / "new" / "folder" / CONFIG).read_text()) == {
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": "base/model", "r": 2,
        "lora_alpha": 6, "target_modules": ["o_proj", "q_proj"], "bias": "none", "lora_dropout": 0.0,
        "inference_mode": True,
    }  # fmt: skip


@pytest.mark.parametrize(("lora", "base", "whole", "inside", "alone"), [
    (None, "", True, False, False),
    (None, "a/model", True, False, False),
    (LoraConfig(rank=2), "", True, False, False),
    (LoraConfig(rank=2), "a/model", False, False, True),
    (LoraConfig(rank=2), "FOLDER", True, True, False),
])  # fmt: skip
def test_a_folder_holds_adapters_alone_if_any_machine_finds_their_base(
    lora, base, whole, inside, alone, fresh, tmp_path
):
    from arena.learner.lora import add_lora

    loaded = fresh()
    if lora is not None:
        pytest.importorskip("peft")
        add_lora(loaded.model, lora, 0)
    (tmp_path / "base").mkdir()
    place = tmp_path / "out"
    export_model(loaded.model, lora, place, loaded.tokenizer, str(tmp_path / "base") if base == "FOLDER" else base)
    assert (place / "config.json").is_file() == whole
    assert (place / INSIDE / WEIGHTS).is_file() == inside
    assert (place / WEIGHTS).is_file() == alone


def test_adapters_learn_unless_the_frozen_output_layer_is_0():
    def model(weight, trained):
        layer = torch.nn.Linear(2, 2)
        layer.weight = torch.nn.Parameter(torch.tensor(weight), requires_grad=trained)
        return SimpleNamespace(get_output_embeddings=lambda: layer)

    zero, one = [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]
    cases = (zero, False), (zero, True), (one, False)
    assert [has_no_gradient(model(*case)) for case in cases] == [True, False, False]
    assert not has_no_gradient(SimpleNamespace(get_output_embeddings=lambda: None))


def test_a_teacher_may_have_more_ids_than_the_policy_and_not_fewer(fresh):
    policy, teacher = fresh().model, fresh().model
    size = policy.get_output_embeddings().weight.shape[0]
    for ids in (size, size + 1):
        teacher.resize_token_embeddings(ids)
        made = Teacher(teacher, policy, "distill", OptimizerConfig())
        assert not made.model.training
        assert not any(p.requires_grad for p in made.model.parameters())
    teacher.resize_token_embeddings(size - 1)
    with pytest.raises(InputError, match=f"the teacher has {size - 1} token ids and the policy {size}"):
        Teacher(teacher, policy, "distill", OptimizerConfig())


def test_the_hidden_states_are_what_the_output_layer_reads(loaded):
    ids = torch.tensor([[5, 6, 7]])
    with torch.no_grad():
        logits = loaded.model(input_ids=ids).logits
        with without_output_layer(loaded.model) as layer:
            hidden = loaded.model(input_ids=ids).logits
        assert hidden.shape == (1, 3, layer.in_features)
        assert torch.equal(layer(hidden), logits)
        assert torch.equal(loaded.model(input_ids=ids).logits, logits)
    assert has_plain_output_layer(loaded.model)
