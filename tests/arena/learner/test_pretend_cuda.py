"""Whole steps on tensors that say they are on a GPU: no operation mixes devices, and few wait for the GPU."""

import math
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file

from arena.learner import LossConfig, OptimizerConfig, ReplayConfig, TrainerConfig, attention
from arena.learner.losses import LOSSES
from arena.learner.trainer import Trainer
from tests.arena.learner import architectures, pretend_cuda
from tests.arena.learner.drawing import answers
from tests.arena.learner.pretend_cuda import OnCuda, events, moved, places


def attend(tree, query, key, value, window, scale):
    """What FlexAttention computes, in plain operations; it compiles for GPUs only."""
    index = torch.arange(query.shape[2], device=query.device)
    mask = (index <= index[:, None]) & (index[:, None] < tree.ends)
    if window:
        mask &= tree.positions[:, None] - tree.positions < window
    tree.mask(window)
    shared = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
    scores = (query @ key.transpose(-1, -2)) * (scale or query.shape[-1] ** -0.5)
    return scores.masked_fill(~mask, -math.inf).softmax(-1) @ value


@pytest.fixture
def gpu(monkeypatch):
    """A pretended GPU with free memory."""
    monkeypatch.setattr(attention, "attend", attend)
    monkeypatch.setattr(torch.cuda, "_lazy_init", lambda: None)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda *_: (10**11, 10**11))
    for name in ("memory_reserved", "memory_allocated"):
        monkeypatch.setattr(torch.cuda, name, lambda *_: 0)
    with OnCuda():
        yield


def config(name, **more):
    optimizer = OptimizerConfig(lr=1e-3, token_budget=300, head_rows=64, head_fp32=True)
    return TrainerConfig(loss=LossConfig(name=name, **more), optimizer=optimizer)


def model():
    return architectures.made("Qwen3", **architectures.COMPUTED["Qwen3"])


def stepped(trainer):
    events.clear()
    places.clear()
    return trainer.step(answers(12))


@pytest.mark.parametrize(("name", "most"), [("ppo", 3), ("bapo", 4), ("dpo", 6)])
def test_a_step_waits_for_the_gpu_a_few_times_and_not_for_every_item(gpu, name, most):
    """`most` in an optimizer step: whether the norm is finite, the norm, the losses, and what `prepare` reads."""
    stats = stepped(Trainer(moved(model()), config(name)))
    assert stats.micro_batches > 2
    assert not events["mixed devices"], places
    assert events["waits"] <= most + stats.micro_batches, places  # each micro-batch has a table of metrics
    assert not any("chunked_head" in where for _, _, where in places)


def test_a_step_and_a_checkpoint_have_the_values_of_the_cpu(gpu, monkeypatch, tmp_path):
    settings = config("ppo", kl=0.1, entropy=0.01, tau=0.1)
    expected = Trainer(model(), settings)
    reference = expected.step(answers(12))
    trainer = Trainer(moved(model()), settings)
    stats = stepped(trainer)
    assert not events["mixed devices"], places
    assert stats.loss == pytest.approx(reference.loss, rel=1e-5)
    assert stats.grad_norm == pytest.approx(reference.grad_norm, rel=1e-5)
    events.clear()
    waited = []
    event = SimpleNamespace(record=lambda: None, synchronize=lambda: waited.append(1))
    monkeypatch.setattr(torch.cuda, "Event", lambda: event)
    trainer.write(tmp_path)  # through pinned memory; the copy of the next tensor runs meanwhile
    assert (events["waits"], events["copies down"]) == (0, len(waited))
    written = load_file(tmp_path / "weights.safetensors")
    for name, tensor in expected.weights.masters.items():
        assert torch.allclose(written[name], tensor, atol=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*LOSSES.ids()} - {"chord", "nft"}))  # their tokens are of another subclass
def test_no_loss_mixes_devices_or_waits_for_every_item(gpu, name):
    replay = ReplayConfig(keep="temporal" if name == "temporal" else "newest")
    settings = config(name, normaliser=3.0).model_copy(update={"replay": replay})
    stats = stepped(Trainer(moved(model()), settings, moved(model())))
    assert not events["mixed devices"], places
    assert events["waits"] <= 16 + stats.micro_batches, places


def test_the_pretended_gpu_notices_mixed_devices_and_waits():
    events.clear()
    with OnCuda():
        there, here = torch.ones(3, device=pretend_cuda.CUDA), torch.ones(3)
        there + here
        assert events == {"mixed devices": 1}
        assert bool((there > 0).all())
        assert events["waits"] == 1
        assert there.to("cpu").tolist() == [1.0] * 3
        assert events["waits"] == 2
        assert here.to(there.device).is_cuda
        assert events["copies up"] == 1
