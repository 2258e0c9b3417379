"""The settings of the learner: published defaults, bounds, schedules."""

import math

import pytest
from pydantic import ValidationError

from arena.learner import LearnerConfig, LossConfig, OptimizerConfig, ReplayConfig, TrainerConfig
from arena.learner.config import LoraConfig


def test_the_defaults_are_those_of_published_recipes():
    """Clip bounds of DAPO, importance weights up to 2, AdamW and the norm of SPIRAL, no penalty, no schedule."""
    assert LossConfig().model_dump() == {
        "name": "ppo", "filter": "none", "teacher": "", "clip_low": 0.2, "clip_high": 0.28,
        "weight_cap": 2.0, "dual_clip": None, "normaliser": None, "kl": 0.0, "entropy": 0.0, "tau": 0.0,
        "magnet_rate": 0.01, "magnet_floor": 0.0,
    }  # fmt: skip
    assert OptimizerConfig().model_dump() == {
        "lr": 1e-6, "betas": (0.9, 0.95), "weight_decay": 0.0, "max_grad_norm": 1.0, "warmup": 0,
        "schedule": "constant", "horizon": None, "epochs": 1, "minibatches": 1, "token_budget": 8192,
        "attention": "auto", "gradient_checkpointing": False, "checkpoint_above": None, "compile_layers": False,
        "head_rows": None, "head_fp32": False,
    }  # fmt: skip
    assert ReplayConfig().model_dump() == {"keep": "newest", "share": 0.0, "size": 512}
    assert LoraConfig().model_dump() == {"rank": 32, "alpha": 32}
    assert LearnerConfig().model_dump() == {
        "processes": 1, "replicas": 1, "offload": False, "timeout": 600.0, "restarts": 3
    }  # fmt: skip
    whole = TrainerConfig()
    assert (whole.lora, whole.recompute_old, whole.seed) == (None, False, 0)


@pytest.mark.parametrize(
    ("settings", "name", "allowed", "refused"),
    [
        (LossConfig, "clip_low", (0.0, 1.5), (-1e-9,)),
        (LossConfig, "clip_high", (0.0, 0.5), (-1e-9,)),
        (LossConfig, "weight_cap", (1.0,), (0.999,)),
        (LossConfig, "dual_clip", (1.001, 1.5), (1.0,)),
        (LossConfig, "normaliser", (1e-9, 0.5), (0.0,)),
        (LossConfig, "kl", (0.0, 0.5), (-1e-9,)),
        (LossConfig, "entropy", (0.0, 0.5), (-1e-9,)),
        (LossConfig, "tau", (0.0, 0.5), (-1e-9,)),
        (LossConfig, "magnet_rate", (0.0, 1.0), (-1e-9, 1.001)),
        (LossConfig, "magnet_floor", (0.0, 1.0), (-1e-9, 1.001)),
        (OptimizerConfig, "lr", (1e-9,), (0.0,)),
        (OptimizerConfig, "betas", ((0.0, 0.999),), ((1.0, 0.9), (0.9, 1.0), (-1e-9, 0.9))),
        (OptimizerConfig, "weight_decay", (0.0, 0.1), (-1e-9,)),
        (OptimizerConfig, "max_grad_norm", (1e-9,), (0.0,)),
        (OptimizerConfig, "warmup", (0,), (-1,)),
        (OptimizerConfig, "horizon", (1,), (0,)),
        (OptimizerConfig, "epochs", (1,), (0,)),
        (OptimizerConfig, "minibatches", (1,), (0,)),
        (OptimizerConfig, "token_budget", (1,), (0,)),
        (OptimizerConfig, "checkpoint_above", (0,), (-1,)),
        (OptimizerConfig, "head_rows", (0,), (-1,)),
        (ReplayConfig, "share", (0.0, 4.0), (-1e-9, 4.001)),
        (ReplayConfig, "size", (1,), (0,)),
        (LoraConfig, "rank", (1,), (0,)),
        (LoraConfig, "alpha", (1,), (0,)),
        (LearnerConfig, "processes", (1, 4096), (0, 4097)),
        (LearnerConfig, "replicas", (1,), (0,)),
        (LearnerConfig, "timeout", (30.0,), (29.9,)),
        (LearnerConfig, "restarts", (0,), (-1,)),
    ],
)
def test_bounds(settings, name, allowed, refused):
    for value in allowed:
        assert getattr(settings(**{name: value}), name) == value
    for value in refused:
        with pytest.raises(ValidationError, match=name):
            settings(**{name: value})


def test_the_learning_rate_rises_for_so_many_steps():
    o = OptimizerConfig(lr=8.0, warmup=4)
    assert [o.lr_at(step) for step in (0, 1, 2, 3, 4, 900)] == [2.0, 4.0, 6.0, 8.0, 8.0, 8.0]


def test_a_schedule_without_a_horizon_takes_1000_steps():
    linear, cosine, root = (OptimizerConfig(lr=1.0, schedule=s) for s in ("linear", "cosine", "inverse_sqrt"))
    assert [linear.factor(step) for step in (0, 250, 1000, 1001)] == [1.0, 0.75, 0.0, 0.0]
    assert [cosine.factor(step) for step in (0, 250, 1000, 2000)] == pytest.approx(
        [1.0, (1 + math.cos(math.pi / 4)) / 2, 0.0, 0.0]
    )
    assert [root.factor(step) for step in (0, 3000)] == [1.0, 0.5]


def test_chunks_of_the_output_layer_depend_on_the_device_unless_they_are_set():
    assert [OptimizerConfig().rows_on(device) for device in ("cpu", "cuda")] == [256, 2048]
    assert [OptimizerConfig(head_rows=n).rows_on("cuda") for n in (0, 7)] == [0, 7]
