"""The output layer in chunks compared with all logits at once."""

import pytest
import torch
from torch import Tensor

from arena.learner import LossConfig, OptimizerConfig, Trainer, TrainerConfig, forward_pass
from arena.learner.batch import Rows
from arena.learner.chunked_head import ChunkSettings, HiddenStates, OtherPolicy, chunked_values
from arena.learner.distributions import TokenDistribution
from arena.learner.output_layer import has_plain_output_layer
from tests.arena.learner.drawing import made_up

ROWS, TOKENS, SIZE, VOCABULARY = 7, 11, 5, 23


def double(*shape, seed):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def some_rows(support, at, temperature):
    generator = torch.Generator().manual_seed(9)
    wide = torch.rand(ROWS, VOCABULARY, generator=generator).argsort(1)[:, :4]
    row = torch.randint(0, ROWS, (TOKENS,), generator=generator).sort().values  # some rows have several tokens
    column = torch.randint(0, 3 if support else VOCABULARY, (TOKENS,), generator=generator)
    real = torch.ones(ROWS, 4, dtype=torch.bool)
    real[::2, 3] = False
    return Rows(
        torch.randperm(ROWS + 2, generator=generator)[:ROWS] if at else None,
        torch.linspace(0.5, 2.0, ROWS).double() if temperature else None,
        wide if support else None,
        real if support else None,
        row,
        column,
        torch.arange(TOKENS),
        torch.searchsorted(row, torch.arange(ROWS + 1)).tolist(),
    )


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("at", "temperature"), [(True, True), (False, False)])
@pytest.mark.parametrize("support", [False, True])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_values_and_gradients_equal_those_of_all_logits(size, support, at, temperature, bias):
    rows = some_rows(support, at, temperature)
    count = ROWS + 2 if at else ROWS

    def policy(seed):
        made = [
            double(count, SIZE, seed=seed),
            double(VOCABULARY, SIZE, seed=seed + 1),
            double(VOCABULARY, seed=seed + 2),
        ]
        return HiddenStates(made[0], made[1], made[2] if bias else None)

    start, magnet = policy(10), OtherPolicy(policy(20), 0.2)
    upstream = [double(TOKENS, seed=30 + n) for n in range(4)]

    def values_and_gradients(values):
        own = policy(1)
        leaves = [t.requires_grad_(True) for t in (own.hidden, own.weight, own.bias) if t is not None]
        found = values(own)
        parts = [found.logp, found.entropy, found.kl, found.magnet_kl]
        assert all(part is not None for part in parts)
        total = sum((part * g).sum() for part, g in zip(parts, upstream, strict=True) if part is not None)
        assert isinstance(total, Tensor)
        return [*(p.detach() for p in parts if p is not None), *torch.autograd.grad(total, leaves)]

    def dense(states):
        return TokenDistribution.of(torch.nn.functional.linear(states.hidden, states.weight, states.bias), rows)

    expected = values_and_gradients(
        lambda own: dense(own).values(rows, dense(start), dense(magnet.states).mixed(0.2), True)
    )
    settings = ChunkSettings(size, fp32=False)
    found = values_and_gradients(lambda own: chunked_values(own, rows, start, magnet, settings, True))
    for mine, wanted in zip(found, expected, strict=True):
        assert float((mine - wanted).abs().max()) < 1e-12


def test_only_what_is_asked_for_has_a_gradient():
    rows = some_rows(False, False, False)
    states = HiddenStates(double(ROWS, SIZE, seed=1).requires_grad_(True), double(VOCABULARY, SIZE, seed=2), None)
    values = chunked_values(states, rows, None, None, ChunkSettings(2, False), bonus=False)
    assert not values.entropy.requires_grad
    assert values.kl is None
    values.logp.sum().backward()  # a frozen output layer, as with adapters
    assert states.weight.grad is None


def test_float32_in_the_output_layer_of_a_model_in_bfloat16():
    rows = some_rows(False, False, False)
    hidden, weight = double(ROWS, SIZE, seed=1).bfloat16(), double(VOCABULARY, SIZE, seed=2).bfloat16()
    exact = TokenDistribution.of(hidden.double() @ weight.double().T, rows).sampled(rows)
    errors = []
    for fp32 in (True, False):
        leaf, layer = hidden.clone().requires_grad_(True), weight.clone().requires_grad_(True)
        values = chunked_values(HiddenStates(leaf, layer, None), rows, None, None, ChunkSettings(3, fp32), False)
        values.logp.sum().backward()
        assert values.logp.dtype == torch.float32
        assert leaf.grad is not None
        assert layer.grad is not None
        assert leaf.grad.dtype == layer.grad.dtype == torch.bfloat16
        errors.append(float((values.logp.detach() - exact).abs().max()))
    assert errors[0] < 1e-6 < 1e-3 < errors[1]


FULL = LossConfig(tau=0.2, magnet_rate=0.1, magnet_floor=0.1, kl=0.1, entropy=0.01)


@pytest.mark.parametrize("recompute_old", [False, True])
def test_a_training_step_is_the_same(fresh, monkeypatch, recompute_old):
    stats = []
    for rows in (0, 3):
        monkeypatch.setattr(forward_pass, "DENSE_BYTES", 0)
        o = OptimizerConfig(lr=1e-3, epochs=2, token_budget=64, head_rows=rows)
        made = Trainer(fresh().model, TrainerConfig(loss=FULL, optimizer=o, recompute_old=recompute_old))
        assert made.forward.in_chunks(1) == (rows > 0)
        stats.append([made.step(made_up(20, seed)).metrics() for seed in range(2)])
        weights = torch.cat([p.detach().flatten() for p in made.weights.params.values()])
        stats[-1].append({"weights": float(weights.abs().sum())})
    for whole, chunked in zip(*stats, strict=True):
        for name, value in whole.items():
            assert chunked[name] == pytest.approx(value, rel=2e-4, abs=1e-5), name


def test_small_logits_are_computed_at_once(loaded):
    made = Trainer(loaded.model, TrainerConfig())
    assert not made.forward.in_chunks(10)
    vocabulary = loaded.model.get_output_embeddings().weight.shape[0]
    assert made.forward.in_chunks((64 << 20) // (4 * vocabulary) + 1)


def test_models_that_change_their_logits_afterwards_are_computed_at_once(loaded):
    assert has_plain_output_layer(loaded.model)
    layer = loaded.model.get_output_embeddings()
    handle = layer.register_forward_hook(lambda module, args, out: torch.tanh(out))
    assert not has_plain_output_layer(loaded.model)
    handle.remove()
    assert has_plain_output_layer(loaded.model)


def test_long_micro_batches_are_recomputed(fresh, monkeypatch):
    """Of two micro-batches the long one; the result is the same to the last bit."""
    called: list[str] = []
    call = forward_pass._checkpointing

    def recorded(model, verb, *args):
        called.append(verb)
        call(model, verb, *args)

    monkeypatch.setattr(forward_pass, "_checkpointing", recorded)
    samples, stats = made_up(20), []
    for above in (1 << 20, 25, 0):
        o = OptimizerConfig(token_budget=30, checkpoint_above=above)
        made = Trainer(fresh().model, TrainerConfig(optimizer=o))
        called.clear()
        stats.append(made.step(samples))
        assert not made.model.training
        assert 0 <= called.count("enable") == called.count("disable") <= stats[-1].micro_batches
        assert (called.count("enable") > 0) == (above < 30)
    assert called.count("enable") == stats[-1].micro_batches > 1
    assert stats[0].metrics() == stats[1].metrics() == stats[2].metrics()
