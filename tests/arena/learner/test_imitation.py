"""Behaviour cloning takes as many optimizer steps as the answers fill batches, and leaves the settings as they were."""

import pytest

from arena.learner import LossConfig, OptimizerConfig, Trainer, TrainerConfig
from arena.learner.imitation import imitate
from tests.arena.learner.drawing import made_up


@pytest.mark.parametrize(
    ("batch", "parts", "lr", "returns"), [(4, 3, None, False), (8, 2, 0.01, True), (100, 1, 0.02, False)]
)
def test_the_learning_rate_falls_to_0_over_all_batches(batch, parts, lr, returns, fresh, monkeypatch):
    samples = [s for s in made_up(40) if s.decided()][:12]
    usual = TrainerConfig(
        loss=LossConfig(name="r2vpo", tau=0.5, weight_cap=3.0), recompute_old=True,
        optimizer=OptimizerConfig(lr=0.001, epochs=3, minibatches=5, warmup=9),
    )  # fmt: skip
    trainer, used = Trainer(fresh().model, usual), []
    step = trainer.step

    def watched(given):
        used.append(trainer.config)
        stats = step(given)
        assert trainer.steps == parts * len(used)
        return stats

    monkeypatch.setattr(trainer, "step", watched)
    result = imitate(trainer, samples, 2, batch, lr, returns)
    assert len(used) == 2
    o = used[0].optimizer
    assert (o.lr, o.schedule, o.warmup, o.horizon) == (lr or 0.001, "linear", 0, 2 * parts)
    assert (o.epochs, o.minibatches) == (1, parts)
    assert (used[0].loss.name, used[0].loss.tau, used[0].loss.weight_cap) == ("ppo", 0.0, 3.0)
    assert not used[0].recompute_old
    assert trainer.config is usual
    assert trainer.steps == 0
    assert returns or result.after < result.before
