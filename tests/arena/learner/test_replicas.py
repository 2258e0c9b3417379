"""Two copies of the weights, each divided among two processes (HSDP), against one process."""

import pytest
import torch

from arena.learner import LearnerConfig, LossConfig, OptimizerConfig, TrainerConfig, checkpoint
from arena.learner.stored_tensors import part_name, stored_groups
from arena.learner.trainer import Trainer
from tests.arena.learner.drawing import made_up
from tests.arena.learner.processes import sharded, started

CONFIG = TrainerConfig(
    loss=LossConfig(tau=0.2, magnet_rate=0.1, kl=0.1, entropy=0.01),
    optimizer=OptimizerConfig(lr=1e-3, token_budget=30, max_grad_norm=1e6),
)


def test_each_replica_has_as_many_processes():
    assert LearnerConfig(processes=16, replicas=2).shards == 8
    with pytest.raises(ValueError, match="replicas = 3 does not divide processes = 8"):
        LearnerConfig(processes=8, replicas=3)


@pytest.mark.slow
def test_four_processes_with_two_copies_compute_what_one_computes(fresh, tmp_path):
    origin = fresh()
    origin.model.save_pretrained(tmp_path / "model")
    origin.tokenizer.save_pretrained(tmp_path / "model")
    one, first, second = Trainer(fresh().model, CONFIG), made_up(24, 1), made_up(24, 2)
    with started(4, replicas=2) as group:
        four = sharded(group, tmp_path / "model", CONFIG)
        expected, stats = one.step(first), four.step(first)
        assert stats.loss == pytest.approx(expected.loss, rel=1e-5)
        assert stats.grad_norm == pytest.approx(expected.grad_norm, rel=1e-5)
        place = checkpoint.save(tmp_path, 1, write=four.write, state={"trainer": four.state_dict()})
        parts = {part_name(kind, rank) for kind in ("weights", "optimizer", "magnet", "reference") for rank in (0, 1)}
        assert {path.name for path in place.glob("*.safetensors")} == parts  # the second copy writes nothing
        tensors = stored_groups(place)["weights"]
        for name, master in one.weights.masters.items():
            assert torch.allclose(tensors[name], master, atol=1e-5)
        later = four.step(second)
        again = sharded(group, tmp_path / "model", CONFIG)
        again.load(checkpoint.load(place))
        assert again.step(second).metrics() == later.metrics()  # bit for bit
