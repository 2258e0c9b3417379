"""Adapters on disk: peft reads what the learner writes, and base model plus adapter equal the merged model."""

import gc
import json

import pytest
import torch
from transformers import AutoModelForCausalLM

from arena.inference import adapters, models
from arena.inference.elsewhere import write_whole
from arena.learner import LoraConfig, Trainer, TrainerConfig
from games import InputError

BASE = "tiny(layers=1, hidden=32)"


@pytest.fixture
def exported(tmp_path):
    pytest.importorskip("peft")
    loaded = models.load(BASE, "fp32", "cpu")
    trainer = Trainer(loaded.model, TrainerConfig(lora=LoraConfig(rank=4, alpha=8)))
    with torch.no_grad():
        for name, tensor in trainer.weights.params.items():
            if "lora_B" in name:
                tensor.normal_(0.0, 0.5)
    trainer.export(tmp_path / "snapshot", loaded.tokenizer, BASE)
    return tmp_path / "snapshot"


def test_a_snapshot_is_an_adapter_of_a_named_base(exported, tmp_path):
    assert adapters.find(exported) == exported
    assert (adapters.base_of(exported), adapters.rank_of(exported)) == (BASE, 4)
    assert not (exported / "model.safetensors").exists()
    joined = models.load(str(exported), "fp32", "cpu").model.state_dict()
    base = models.load(BASE, "fp32", "cpu").model.state_dict()
    assert any(not torch.equal(joined[name], base[name]) for name in base)
    write_whole(str(exported), tmp_path / "whole")
    whole = AutoModelForCausalLM.from_pretrained(tmp_path / "whole", dtype=torch.float32).state_dict()
    assert whole.keys() == joined.keys() == base.keys()
    for name, tensor in whole.items():
        torch.testing.assert_close(joined[name], tensor)


@pytest.mark.parametrize("dtype", ["fp32", "bf16"])
def test_snapshots_share_the_weights_of_their_base_and_compute_what_the_trainer_does(tmp_path, dtype, monkeypatch):
    pytest.importorskip("peft")
    monkeypatch.setattr(adapters, "SHARED_FROM", 0)
    ids, played = torch.arange(3, 12)[None], []
    for seed in (1, 2):
        trained = models.load(BASE, dtype, "cpu")
        trainer = Trainer(trained.model, TrainerConfig(lora=LoraConfig(rank=4, alpha=8)))
        with torch.no_grad():
            for tensor in trainer.weights.params.values():
                tensor.normal_(0.0, 0.3, generator=torch.Generator().manual_seed(seed))
            trainer.export(tmp_path / str(seed), trained.tokenizer, BASE)
            played.append(trained.model.model(ids).last_hidden_state)  # a tiny model starts with logits of 0
    snapshots = [models.load(str(tmp_path / str(seed)), dtype, "cpu", share=True).model for seed in (1, 2)]
    for model, states in zip(snapshots, played, strict=True):
        assert torch.equal(model.model(ids).last_hidden_state, states)
    assert not torch.equal(*played)
    whole = sum(p.nbytes for p in models.load(BASE, dtype, "cpu").model.parameters())
    own = sum(p.nbytes for model in snapshots for name, p in model.named_parameters() if "lora_" in name)
    assert sum({p.data_ptr(): p.nbytes for m in snapshots for p in m.parameters()}.values()) == whole + own
    assert len(models._bases) == 1
    del snapshots, model
    gc.collect()
    assert not models._bases


def test_a_snapshot_of_a_base_in_a_folder_is_a_whole_model_with_its_adapter_inside(tmp_path):
    pytest.importorskip("peft")
    write_whole(BASE, tmp_path / "base")
    loaded = models.load(str(tmp_path / "base"), "fp32", "cpu")
    trainer = Trainer(loaded.model, TrainerConfig(lora=LoraConfig(rank=4, alpha=8)))
    trainer.export(tmp_path / "snapshot", loaded.tokenizer, str(tmp_path / "base"))
    assert adapters.find(tmp_path / "snapshot") == tmp_path / "snapshot" / "adapter"
    (tmp_path / "base").rename(tmp_path / "gone")
    assert models.load(str(tmp_path / "snapshot"), "fp32", "cpu").tokenizer.chat_template


def test_an_adapter_whose_base_is_on_another_machine_counts_only_without_a_whole_model(tmp_path):
    (tmp_path / "model" / "adapter").mkdir(parents=True)
    config = tmp_path / "model" / "adapter" / adapters.CONFIG
    for base, there in ((tmp_path / "gone", False), (tmp_path, True), ("org/name", True)):
        config.write_text(json.dumps({"base_model_name_or_path": str(base)}))
        assert (adapters.find(tmp_path / "model") is not None) is there
        assert adapters.find(config.parent) == config.parent


def test_a_missing_key_is_named_in_one_line(exported):
    config = exported / adapters.CONFIG
    assert adapters.find(exported.parent) is None
    config.write_text(json.dumps({"r": 4}))
    with pytest.raises(InputError, match="cannot read 'base_model_name_or_path'"):
        models.load(str(exported), "fp32", "cpu")
    config.write_text("{")
    with pytest.raises(InputError, match="cannot read 'r'"):
        adapters.rank_of(exported)
