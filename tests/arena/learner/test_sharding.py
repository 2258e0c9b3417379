"""Two processes with half of the weights each, against one: gradients, metrics, checkpoints. The test is rank 0."""

import tempfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch.distributed.tensor import DTensor

from arena.learner import (
    LoraConfig,
    LossConfig,
    OptimizerConfig,
    ReplayConfig,
    TrainerConfig,
    checkpoint,
)
from arena.learner.losses import LOSSES
from arena.learner.stored_tensors import part_name, stored_groups
from arena.learner.trainer import Trainer
from tests.arena.learner import processes
from tests.arena.learner.drawing import made_up
from tests.arena.learner.processes import sharded

FULL = TrainerConfig(
    loss=LossConfig(tau=0.2, magnet_rate=0.1, kl=0.1, entropy=0.01),
    # Clipping would compare norms, which torch adds up in float32 in another order (1.5e-6 here).
    optimizer=OptimizerConfig(lr=1e-3, token_budget=30, checkpoint_above=20, max_grad_norm=1e6),
)
CASES = {
    "full weights, magnet, reference": FULL,
    "lora": FULL.model_copy(update={"lora": LoraConfig(rank=4, alpha=8)}),
    "a loss that prepares": FULL.model_copy(update={"loss": LossConfig(name="kl-cov(share=0.2)")}),
    "old probabilities computed again": FULL.model_copy(update={"recompute_old": True}),
}


@pytest.fixture(scope="module")
def group():
    with processes.started(2) as joined:
        yield joined


@pytest.fixture(scope="module")
def folder(_origin, tmp_path_factory):
    place = tmp_path_factory.mktemp("sharded") / "model"
    _origin.model.save_pretrained(place)
    _origin.tokenizer.save_pretrained(place)
    return place


def stored(trainer):
    """The whole tensors of a checkpoint by group."""
    with tempfile.TemporaryDirectory() as place:
        trainer.write(Path(place))
        return {group: dict(tensors) for group, tensors in stored_groups(Path(place)).items()}


def flat(trainer, file, kind=""):
    """Tensors of a checkpoint in one; `exp_avg` after one step is the gradient times 1 - beta."""
    tensors = stored(trainer)[file]
    return torch.cat([t.detach().flatten() for name, t in sorted(tensors.items()) if name.startswith(kind)])


def comparable(stats):
    """The metrics that do not count passes: fewer prefixes are shared among two processes."""
    return {k: v for k, v in stats.metrics().items() if k not in ("computed_tokens", "micro_batches")}


@pytest.mark.parametrize("case", CASES)
def test_gradient_and_metrics_are_those_of_one_process(case, group, folder, fresh):
    if case == "lora":
        pytest.importorskip("peft")
    one, two = Trainer(fresh().model, CASES[case]), sharded(group, folder, CASES[case])
    samples = made_up(24)
    expected, found = one.step(samples), two.step(samples)
    assert found.micro_batches >= expected.micro_batches > 2
    assert comparable(found) == pytest.approx(comparable(expected), rel=1e-5, abs=1e-7)
    gradient = flat(one, "optimizer", "exp_avg:")
    assert float(gradient.abs().max()) > 0
    assert float((flat(two, "optimizer", "exp_avg:") - gradient).norm()) <= 1e-6 * float(gradient.norm())
    whole = stored(two)["weights"]
    for name, param in two.weights.params.items():  # what plays
        assert torch.equal(param, whole[name])


@pytest.mark.slow
@pytest.mark.parametrize("id", LOSSES.ids())
def test_every_loss_has_the_gradient_of_one_process(id, group, folder, fresh, tmp_path):
    teacher = fresh()
    with torch.no_grad():
        next(iter(teacher.model.parameters())).mul_(0.5)
    teacher.model.save_pretrained(tmp_path)
    teacher.tokenizer.save_pretrained(tmp_path)
    replay = ReplayConfig(keep="temporal" if id == "temporal" else "newest")
    config = FULL.model_copy(update={"loss": LossConfig(name=id, normaliser=3.0, entropy=0.01), "replay": replay})
    one, two = Trainer(fresh().model, config, teacher.model), sharded(group, folder, config, str(tmp_path))
    samples = made_up(24)
    expected, found = one.step(samples), two.step(samples)
    assert found.micro_batches >= expected.micro_batches > 2
    assert comparable(found) == pytest.approx(comparable(expected), rel=1e-4, abs=1e-6)
    gradient = flat(one, "optimizer", "exp_avg:")
    assert float((flat(two, "optimizer", "exp_avg:") - gradient).norm()) <= 1e-5 * float(gradient.norm())


def test_the_output_layer_in_chunks(group, folder, fresh):
    config = FULL.model_copy(update={"optimizer": FULL.optimizer.model_copy(update={"head_fp32": True})})
    one, two = Trainer(fresh().model, config), sharded(group, folder, config)
    samples = made_up(24)
    expected, found = one.step(samples), two.step(samples)
    assert one.forward.chunked_head
    assert comparable(found) == pytest.approx(comparable(expected), rel=1e-5, abs=1e-7)
    gradient = flat(one, "optimizer", "exp_avg:")
    assert float((flat(two, "optimizer", "exp_avg:") - gradient).norm()) <= 2e-6 * float(gradient.norm())


def test_a_process_without_a_micro_batch_changes_nothing(group, folder, fresh):
    one, two = Trainer(fresh().model, FULL), sharded(group, folder, FULL)
    (sample, *_) = [s for s in made_up(9) if s.decided()]
    expected, found = one.step([sample]), two.step([sample])
    assert found.micro_batches == 1
    assert comparable(found) == pytest.approx(comparable(expected), rel=1e-5, abs=1e-7)
    nothing = two.step([])
    assert (nothing.step, nothing.decision_tokens) == (1, 0)


@pytest.mark.slow
def test_any_number_of_processes_resumes_a_checkpoint(group, folder, fresh, tmp_path):
    batches = [made_up(20, seed) for seed in range(3)]
    whole = Trainer(fresh().model, FULL)
    expected = [whole.step(b) for b in batches]

    def saved(trainer, step):
        place = tmp_path / f"{step}-{type(trainer).__name__}"
        path = checkpoint.save(place, step, write=trainer.write, state={"trainer": trainer.state_dict()})
        return checkpoint.load(path)

    first = Trainer(fresh().model, FULL)
    first.step(batches[0])
    one = saved(first, 1)
    second = sharded(group, folder, FULL)
    second.load(one)
    again = stored(second)
    assert again.keys() == one.tensors.keys()
    for file, tensors in one.tensors.items():
        assert again[file].keys() == tensors.keys()
        assert all(torch.equal(again[file][name], tensor) for name, tensor in tensors.items()), file
    stats = second.step(batches[1])
    assert comparable(stats) == pytest.approx(comparable(expected[1]), rel=1e-4, abs=1e-6)
    two = saved(second, 2)
    twin = sharded(group, folder, FULL)  # the same number of processes continues bit for bit
    twin.load(checkpoint.load(one.path))
    assert twin.step(batches[1]).metrics() == stats.metrics()
    assert torch.equal(flat(twin, "weights"), flat(second, "weights"))
    third = Trainer(fresh().model, FULL)
    third.load(two)
    assert comparable(third.step(batches[2])) == pytest.approx(comparable(expected[2]), rel=1e-3, abs=1e-5)
    second.restart(checkpoint.load(one.path).tensors["weights"])
    assert second.state_dict()["steps"] == 0
    assert torch.equal(flat(second, "weights"), flat(first, "weights"))
    assert stored(second)["optimizer"] == {}


def test_each_process_writes_its_part_of_a_checkpoint_and_gathers_nothing(group, folder, monkeypatch, tmp_path):
    two = sharded(group, folder, FULL)
    two.step(made_up(9))
    monkeypatch.setattr(DTensor, "full_tensor", lambda *_, **__: pytest.fail("a tensor is gathered"))
    two.write(tmp_path)
    groups = ("weights", "optimizer", "magnet", "reference")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(part_name(g, n) for g in groups for n in (0, 1))
    for name in groups:
        first, second = (load_file(tmp_path / part_name(name, rank)) for rank in (0, 1))
        size = sum(t.numel() for t in first.values())
        assert size < 0.6 * (size + sum(t.numel() for t in second.values()))


def test_a_process_that_cannot_write_is_named(group, folder, tmp_path):
    two = sharded(group, folder, FULL)
    with pytest.raises(OSError, match=r"process 0 of the learner: .*No such file"):
        two.write(tmp_path / "nowhere")
    two.write(tmp_path)
