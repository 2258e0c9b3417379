"""Training steps with little memory, low precision, adapters, interruptions and invalid numbers."""

import json
import logging
import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from arena.learner import LoraConfig, LossConfig, OptimizerConfig, TrainerConfig, TurnSample, checkpoint
from arena.learner.config import ReplayConfig
from arena.learner.trainer import Trainer
from games import InputError, MissingPackage
from tests.arena.learner.drawing import KEY, made_up

FULL = TrainerConfig(
    loss=LossConfig(tau=0.2, magnet_rate=0.1, kl=0.1, entropy=0.01),
    optimizer=OptimizerConfig(lr=1e-3, schedule="inverse_sqrt", horizon=5, warmup=2, epochs=2, minibatches=2),
)


def weights(trainer):
    return [t.detach().clone() for t in trainer.weights.params.values()]


def same(a, b):
    return all(torch.equal(x, y) for x, y in zip(a, b, strict=True))


class Hungry:
    """Raises an out-of-memory error if more than `limit` tokens are read at once."""

    def __init__(self, forward: Any, limit: int, error: type[Exception] = torch.OutOfMemoryError) -> None:
        self.forward, self.limit, self.error, self.failed = forward, limit, error, 0

    def __call__(self, *args, **options):
        if options["input_ids"].shape[1] > self.limit:
            self.failed += 1
            raise self.error("out of memory")
        return self.forward(*args, **options)


def test_a_restarted_trainer_continues_as_a_new_one(fresh):
    loss = FULL.loss.model_copy(update={"name": "r2vpo"})  # a loss with state
    config = FULL.model_copy(update={"loss": loss, "replay": ReplayConfig(share=0.5)})
    new, used = Trainer(fresh().model, config), Trainer(fresh().model, config)
    start = used.weights.copy()
    for seed in range(3):
        used.step(made_up(20, seed))
    used.restart(start)
    assert [used.step(made_up(20, s)).metrics() for s in (5, 6)] == [new.step(made_up(20, s)).metrics() for s in (5, 6)]
    assert same(weights(used), weights(new))
    with pytest.raises(InputError, match="does not fit"):
        used.restart({"other": torch.zeros(1)})


@pytest.mark.parametrize(("field", "id"), [("prompt_ids", 10**6), ("completion_ids", -1), ("allowed", 300_000)])
def test_a_token_that_the_model_does_not_have_is_refused_and_changes_nothing(fresh, field, id):
    trainer, samples = Trainer(fresh().model, FULL), made_up(6)
    before = weights(trainer)
    value = ((id, 5),) * len(samples[1].completion_ids) if field == "allowed" else (id,)
    samples[1] = replace(samples[1], **{field: value})
    with pytest.raises(InputError, match=f"holds the token id {id}; the model has ids from 0 to "):
        trainer.step(samples)
    assert same(weights(trainer), before)


@pytest.mark.parametrize("recompute_old", [False, True])
def test_out_of_memory_halves_micro_batches_and_changes_nothing_else(fresh, caplog, recompute_old):
    samples = made_up(30)
    usual, short, small = (
        Trainer(
            fresh().model, TrainerConfig(optimizer=OptimizerConfig(token_budget=budget), recompute_old=recompute_old)
        )
        for budget in (64, 64, 16)
    )
    expected = usual.step(samples)
    small.step(samples)
    hungry = Hungry(short.model.forward, limit=18)
    short.model.forward = hungry
    with caplog.at_level(logging.WARNING):
        stats = short.step(samples)
    assert hungry.failed >= 1
    assert stats.token_budget == short.token_budget == 16
    assert "out of memory" in caplog.text
    assert stats.loss == pytest.approx(expected.loss, abs=1e-5)
    assert stats.decision_tokens == expected.decision_tokens
    assert stats.entropy == pytest.approx(expected.entropy, abs=1e-5)
    assert stats.mismatch_kl == pytest.approx(expected.mismatch_kl, rel=1e-4)
    assert same(weights(short), weights(small))  # failed attempts leave nothing in the gradient


def test_a_sample_that_never_fits_is_an_error(loaded):
    trainer = Trainer(loaded.model, TrainerConfig())
    before = weights(trainer)
    trainer.model.forward = Hungry(trainer.model.forward, limit=3)
    with pytest.raises(torch.OutOfMemoryError):
        trainer.step(made_up(6))
    with pytest.raises(torch.OutOfMemoryError):  # samples that read the same tokens cannot be split
        trainer.step([made_up(1)[0]] * 5)
    assert same(weights(trainer), before)
    assert trainer.steps == 0


def test_other_errors_are_not_treated_as_out_of_memory(loaded):
    trainer = Trainer(loaded.model, TrainerConfig())
    trainer.model.forward = Hungry(trainer.model.forward, limit=3, error=RuntimeError)
    with pytest.raises(RuntimeError, match="out of memory"):
        trainer.step(made_up(6))
    assert trainer.token_budget == 8192


def test_a_resumed_trainer_continues_bit_for_bit(fresh, tmp_path):
    batches = [made_up(20, seed) for seed in range(6)]
    whole = Trainer(fresh().model, FULL)
    expected = [whole.step(b).metrics() for b in batches]
    first = Trainer(fresh().model, FULL)
    assert [first.step(b).metrics() for b in batches[:3]] == expected[:3]
    checkpoint.save(tmp_path, 3, write=first.write, state={"trainer": first.state_dict()})
    second = Trainer(fresh().model, FULL)
    found = checkpoint.latest(tmp_path)
    assert found is not None
    second.load(checkpoint.load(found))
    assert [second.step(b).metrics() for b in batches[3:]] == expected[3:]
    assert same(weights(second), weights(whole))
    assert second.magnet is not None
    assert whole.magnet is not None
    assert same(list(second.magnet.values()), list(whole.magnet.values()))


def test_minibatches_take_every_sample_once_in_an_order_that_repeats(loaded):
    trainer = Trainer(loaded.model, TrainerConfig(optimizer=OptimizerConfig(minibatches=3), seed=5))
    samples = made_up(10)
    first, second = trainer.minibatches(samples, 0), trainer.minibatches(samples, 1)
    assert sorted(i for part in first for i in part) == list(range(10))
    assert sorted(map(len, first)) == [3, 3, 4]
    assert first == trainer.minibatches(samples, 0)
    assert first != second
    trainer.steps = 7
    assert first != trainer.minibatches(samples, 0)
    assert len(trainer.minibatches(samples[:2], 0)) == 2  # none is empty


def test_each_minibatch_learns_from_its_own_samples(fresh):
    """Only the update that contains the one sample with an advantage has a gradient (compare oat PR 67)."""
    samples = [replace(s, advantage=0.0) for s in made_up(12)]
    samples = [s for s in samples if s.decided()]
    at = len(samples) // 2
    samples[at] = replace(samples[at], advantage=3.0, logprobs=(-1.0,) * len(samples[at].logprobs))
    trainer = Trainer(fresh().model, TrainerConfig(optimizer=OptimizerConfig(minibatches=4)))
    parts, norms = trainer.minibatches(samples, 0), list[float]()
    apply = trainer._apply

    def recorded(lr):
        norms.append(apply(lr))
        return norms[-1]

    trainer._apply = recorded  # type: ignore[method-assign]
    trainer.step(samples)
    assert [norm > 0 for norm in norms] == [at in part for part in parts]


def test_a_checkpoint_of_another_model_is_refused(fresh, tmp_path):
    trainer = Trainer(fresh().model, TrainerConfig())
    trainer.weights.masters.popitem()
    place = checkpoint.save(tmp_path, 1, write=trainer.write, state={"trainer": trainer.state_dict()})
    with pytest.raises(InputError, match="another model"):
        Trainer(fresh().model, TrainerConfig()).load(checkpoint.load(place))


def test_small_steps_are_not_lost_in_bfloat16(fresh):
    model = fresh().model.to(torch.bfloat16)
    trainer = Trainer(model, TrainerConfig(optimizer=OptimizerConfig(lr=1e-6)))
    masters = trainer.weights.copy()
    for seed in range(3):
        stats = trainer.step(made_up(20, seed))
    assert stats.grad_norm > 0
    for name, master in trainer.weights.masters.items():
        assert master.dtype == torch.float32
        assert torch.equal(trainer.weights.params[name], master.to(torch.bfloat16))
    moved = max(float((m - masters[name]).abs().max()) for name, m in trainer.weights.copy().items())
    assert 1e-6 < moved < 5e-6  # about three steps of 1e-6, each far below the resolution of bfloat16
    assert all(p.grad is None for p in model.parameters())


def test_gradients_in_bfloat16_have_the_direction_of_those_in_float32(fresh):
    samples, sums = made_up(30), []
    for dtype in (torch.float32, torch.bfloat16):
        trainer = Trainer(fresh().model.to(dtype), TrainerConfig(optimizer=OptimizerConfig(token_budget=20)))
        held: list[torch.Tensor] = []
        trainer.optimizer.step = lambda t=trainer, h=held: h.extend(  # type: ignore[method-assign, misc]
            m.grad.flatten().clone() for m in t.weights.masters.values()
        )
        trainer.step(samples)
        sums.append(torch.cat(held))
    assert torch.cosine_similarity(sums[0], sums[1], dim=0) > 0.99


def test_gradient_checkpointing_changes_no_result(fresh):
    samples = made_up(20)
    plain, thrifty = (
        Trainer(fresh().model, TrainerConfig(optimizer=OptimizerConfig(gradient_checkpointing=on)))
        for on in (False, True)
    )
    assert plain.step(samples).metrics() == thrifty.step(samples).metrics()
    assert same(weights(plain), weights(thrifty))
    assert not thrifty.model.training
    assert thrifty.model.config._attn_implementation == plain.model.config._attn_implementation == "sdpa"


def test_a_gradient_that_is_not_finite_changes_nothing(loaded, caplog):
    trainer = Trainer(loaded.model, TrainerConfig())
    before = weights(trainer)
    name, param = next(iter(trainer.weights.params.items()))
    param.register_hook(lambda grad: grad * float("inf"))
    with caplog.at_level(logging.WARNING):
        trainer.step(made_up(6))
    assert "not finite" in caplog.text
    assert same(weights(trainer), before), name


@pytest.mark.parametrize("recompute_old", [False, True])
def test_probabilities_that_cannot_be_true_are_measured_and_learned_from(fresh, recompute_old):
    trainer, samples = Trainer(fresh().model, TrainerConfig(recompute_old=recompute_old)), made_up(6)
    before = {name: master.clone() for name, master in trainer.weights.masters.items()}
    stats = trainer.step([replace(samples[0], logprobs=(-1e30,) * len(samples[0].logprobs)), *samples[1:]])
    assert any(not torch.equal(before[name], master) for name, master in trainer.weights.masters.items())
    assert all(math.isfinite(value) for value in stats.metrics().values() if isinstance(value, float))


def test_samples_without_decisions_change_nothing(loaded):
    trainer = Trainer(loaded.model, TrainerConfig())
    before = weights(trainer)
    forced = [replace(s, allowed=tuple((t,) for t in s.completion_ids)) for s in made_up(3)]
    for samples in ([], forced):
        stats = trainer.step(samples)
        assert (stats.step, stats.loss, stats.decision_tokens, stats.ess) == (0, 0.0, 0, 1.0)
    assert same(weights(trainer), before)


@pytest.mark.parametrize("field", ["logprobs", "advantage"])
def test_numbers_that_are_not_finite_are_refused(loaded, field):
    samples = made_up(4)
    bad = replace(samples[0], allowed=None, **{field: float("nan") if field == "advantage" else (float("-inf"),) * 9})
    with pytest.raises(InputError, match="not finite"):
        Trainer(loaded.model, TrainerConfig()).step([bad, *samples])


def test_old_probabilities_can_be_the_trainers_own(fresh):
    samples = made_up(20)  # their stored probabilities are random, far from the model's
    usual, own = (Trainer(fresh().model, TrainerConfig(recompute_old=on)).step(samples) for on in (False, True))
    assert usual.mismatch_kl == pytest.approx(own.mismatch_kl, rel=1e-5)
    assert usual.mismatch_kl > 0.1
    assert usual.ess < 0.9
    assert usual.clip_up + usual.clip_down > 0.1
    assert own.clip_up == own.clip_down == 0.0


def test_the_magnet_follows_slowly_and_the_reference_stays(loaded):
    trainer = Trainer(loaded.model, FULL)
    start = weights(trainer)
    stats = [trainer.step(made_up(20, seed)) for seed in range(4)][-1]
    assert trainer.magnet is not None
    assert trainer.reference is not None
    assert same(list(trainer.reference.values()), start)
    now = weights(trainer)
    lag = sum(float((m - w).norm()) for m, w in zip(trainer.magnet.values(), now, strict=True))
    way = sum(float((s - w).norm()) for s, w in zip(start, now, strict=True))
    assert 0 < lag < way
    assert stats.magnet_kl > 0
    assert stats.kl > 0


def test_schedules():
    o = OptimizerConfig(lr=1.0, schedule="inverse_sqrt", horizon=100)
    assert [o.lr_at(0), o.lr_at(300)] == [1.0, 0.5]
    linear = OptimizerConfig(lr=1.0, schedule="linear", horizon=10, warmup=4)
    assert [linear.lr_at(s) for s in (0, 5, 10, 20)] == [0.25, 0.5, 0.0, 0.0]
    cosine = OptimizerConfig(lr=2.0, schedule="cosine", horizon=12)
    assert [cosine.lr_at(s) for s in (0, 2, 3, 4, 6, 8, 12, 99)] == pytest.approx(
        [2.0, 1 + 3**0.5 / 2, 1 + 2**-0.5, 1.5, 1.0, 0.5, 0.0, 0.0], abs=1e-15
    )
    assert OptimizerConfig(lr=3.0, horizon=1).lr_at(1000) == 3.0


def test_at_a_learning_rate_of_0_weights_stay_and_the_magnet_approaches(fresh):
    o = OptimizerConfig(lr=1e-2, schedule="linear", horizon=2)
    trainer = Trainer(fresh().model, TrainerConfig(loss=LossConfig(tau=0.5, magnet_rate=0.5), optimizer=o))
    for seed in range(2):
        trainer.step(made_up(5, seed))
    end, away = weights(trainer), _lag(trainer)
    trainer.step(made_up(5, 2))
    assert same(weights(trainer), end)
    assert away > 0
    assert _lag(trainer) == pytest.approx(away / 2, rel=1e-3)


def _lag(trainer):
    """The distance between the magnet and the weights."""
    assert trainer.magnet is not None
    return sum(float((m - trainer.weights.masters[n].detach()).norm()) for n, m in trainer.magnet.items())


def test_lora_trains_adapters_and_exports_a_plain_model(fresh, tmp_path):
    pytest.importorskip("peft")
    from transformers import AutoModelForCausalLM

    loaded = fresh()
    base = {name: p.clone() for name, p in loaded.model.named_parameters()}
    lora = TrainerConfig(lora=LoraConfig(rank=4, alpha=8), optimizer=OptimizerConfig(lr=1e-2))
    trainer = Trainer(loaded.model, lora)
    samples = made_up(20)
    stats = trainer.step(samples)
    assert stats.grad_norm > 0
    assert all("lora_" in name for name in trainer.weights.params)
    for name, param in loaded.model.named_parameters():
        if "lora_" not in name:
            assert torch.equal(param, base[name.replace(".base_layer", "")])
    trainer.export(tmp_path / "snapshot", loaded.tokenizer)
    plain = AutoModelForCausalLM.from_pretrained(tmp_path / "snapshot", local_files_only=True)
    assert {n for n, _ in plain.named_parameters()} == base.keys()
    ids = torch.tensor([samples[0].prompt_ids])
    with torch.no_grad():
        assert torch.allclose(plain(ids).logits, loaded.model(ids).logits, atol=1e-5)
        assert not torch.allclose(plain(ids).logits, fresh().model(ids).logits, atol=1e-3)
    place = checkpoint.save(tmp_path, 1, write=trainer.write, state={"trainer": trainer.state_dict()})
    again = Trainer(fresh().model, lora)
    again.load(checkpoint.load(place))
    assert again.step(samples).metrics() == trainer.step(samples).metrics()


def test_adapters_of_an_untrained_tiny_model_are_reported(fresh, caplog):
    pytest.importorskip("peft")
    Trainer(fresh().model, TrainerConfig(lora=LoraConfig(rank=4, alpha=8)))
    assert not caplog.records
    untrained = fresh().model
    untrained.lm_head.weight.data.zero_()
    Trainer(untrained, TrainerConfig())
    assert not caplog.records
    trainer = Trainer(untrained, TrainerConfig(lora=LoraConfig(rank=4, alpha=8)))
    assert "get no gradient and nothing is learned" in caplog.text
    assert trainer.step(made_up(8)).grad_norm == 0.0


def test_lora_without_peft_names_the_install_command(loaded, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"pip install 'selfplay-arena\[lora\]'"):
        Trainer(loaded.model, TrainerConfig(lora=LoraConfig()))


def test_metrics_are_json_without_wall_times(loaded):
    stats = Trainer(loaded.model, TrainerConfig()).step(made_up(5))
    metrics = json.loads(json.dumps(stats.metrics()))
    assert "seconds" not in metrics
    assert set(stats.seconds) == {"pack", "forward", "backward", "optimizer", "publish", "reference", "total"}


def test_the_magnets_floor_falls_with_the_learning_rate(fresh):
    """With a floor of 1 the magnet is uniform; at a learning rate of 0 the magnet has no floor."""
    samples = [TurnSample((1, 2, n), (30,), (math.log(0.5),), ((30, 31),), 1.0, 1.0, KEY) for n in range(10, 14)]
    loss = LossConfig(tau=0.5, magnet_rate=0.0, magnet_floor=1.0)
    trainer = Trainer(
        fresh().model, TrainerConfig(loss=loss, optimizer=OptimizerConfig(lr=0.1, schedule="linear", horizon=1))
    )
    first, second = trainer.step(samples), trainer.step(samples)
    assert first.magnet_kl == pytest.approx(math.log(2) - first.entropy, abs=1e-6)
    assert abs(second.magnet_kl - (math.log(2) - second.entropy)) > 0.005  # the start is not uniform


def test_groups_without_an_advantage_can_be_dropped(fresh):
    """With an entropy bonus they would change the weights; a sample of advantage 0 in a mixed group stays."""
    equal = [replace(s, advantage=0.0, group=("equal",)) for s in made_up(6, 1)]
    mixed = [replace(s, advantage=float(i % 3 - 1), group=("mixed",)) for i, s in enumerate(made_up(9, 2))]
    loss = LossConfig(entropy=0.1, filter="zero")
    filtered, alone = (Trainer(fresh().model, TrainerConfig(loss=loss)) for _ in range(2))
    filtered.step([*equal, *mixed])
    assert alone.step(mixed).decision_tokens > 0
    assert same(weights(filtered), weights(alone))
    none = Trainer(fresh().model, TrainerConfig(loss=loss))
    before = weights(none)
    none.step(equal)
    assert same(weights(none), before)


def test_the_state_of_a_loss_is_in_the_checkpoint(fresh, tmp_path):
    config = TrainerConfig(loss=LossConfig(name="r2vpo"), optimizer=OptimizerConfig(lr=1e-2, minibatches=2, epochs=2))
    first, batches = Trainer(fresh().model, config), [made_up(12, seed) for seed in range(3)]
    start = first.state_dict()["loss"]
    for batch in batches[:2]:
        first.step(batch)
    checkpoint.save(tmp_path, 2, write=first.write, state={"trainer": first.state_dict()})
    second = Trainer(fresh().model, config)
    second.load(checkpoint.load(tmp_path / "step-00000002"))
    assert second.state_dict()["loss"] == first.state_dict()["loss"] != start
    assert second.step(batches[2]).metrics() == first.step(batches[2]).metrics()
    assert same(weights(first), weights(second))
