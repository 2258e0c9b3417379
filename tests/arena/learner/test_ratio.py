"""The trainer reproduces the sampler: before the first update every importance ratio is 1."""

import math

import pytest
import torch

from arena.inference import Request, models
from arena.inference.transformers.trainable import TrainableEngine
from arena.learner import Trainer, TrainerConfig
from arena.learner.attention import tree_attention, tree_of
from tests.arena.learner.drawing import chat, drawn, together

CARDS = ("Jack", "Queen", "King")


def ratios(engine, samples):
    """Trainer / sampler probability of every decision token."""
    trainer = Trainer(engine.model, TrainerConfig())
    batch = together(samples)
    stored = torch.tensor([s.logprobs[t] for s in samples for t in s.decided()])
    now = torch.empty_like(stored)
    tree = tree_of(batch.ends, batch.positions, batch.keep, None)
    with torch.no_grad(), tree_attention(engine.model):
        for rows, spread in zip(batch.rows, trainer.token_values(batch, tree), strict=True):
            now[rows.flat] = spread.logp
    return (now - stored).exp()


@pytest.mark.parametrize(("temperature", "top_p"), [(1.0, 1.0), (0.6, 1.0), (1.4, 0.7), (1.0, 0.3)])
def test_free_text(engine, temperature, top_p):
    requests = [
        Request(chat(engine, f"Card: {CARDS[i % 3]}."), seed=i, max_tokens=9, temperature=temperature, top_p=top_p)
        for i in range(12)
    ]
    samples = drawn(engine, requests)
    assert (top_p == 1.0) == all(s.allowed is None for s in samples)
    assert (ratios(engine, samples) - 1.0).abs().max() < 1e-5


@pytest.mark.parametrize(("temperature", "top_p"), [(1.0, 1.0), (0.5, 1.0), (2.0, 0.6)])
def test_choices_of_several_tokens(engine, temperature, top_p):
    choices = engine.encode_choices(["Pass", "Bet", "Bet 12 chips", "Bet 13 chips", "Bet 2 chips", "e2e4", "e2e3"])
    assert max(map(len, choices)) > 4
    requests = [
        Request(chat(engine, f"Card: {CARDS[i % 3]}."), seed=i, choices=choices, temperature=temperature, top_p=top_p)
        for i in range(30)
    ]
    samples = drawn(engine, requests)
    assert len({s.completion_ids for s in samples}) >= 3
    decided = [len(s.decided()) for s in samples]
    assert max(decided) >= 2
    assert any(d < len(s.completion_ids) for d, s in zip(decided, samples, strict=True))
    assert (ratios(engine, samples) - 1.0).abs().max() < 1e-5


def test_ratios_differ_from_1_after_an_update(engine):
    samples = drawn(engine, [Request(chat(engine, "Card: Jack."), seed=i, max_tokens=5) for i in range(4)])
    with torch.no_grad():
        for param in engine.model.parameters():
            param.mul_(1.02)
    assert (ratios(engine, samples) - 1.0).abs().max() > 1e-3


def test_the_step_reports_no_mismatch_on_fresh_samples(engine):
    choices = engine.encode_choices(["Pass", "Bet"])
    prompt = chat(engine, "Card: Jack.")
    free = [Request(prompt, seed=i, max_tokens=4, temperature=1.3, top_p=0.9) for i in range(6)]
    samples = drawn(engine, [*free, *(Request(prompt, seed=i, choices=choices, temperature=0.8) for i in range(6))])
    stats = Trainer(engine.model, TrainerConfig()).step(samples)
    assert stats.mismatch_kl < 1e-10
    assert stats.ess == pytest.approx(1.0, abs=1e-9)
    assert stats.decision_tokens < stats.tokens
    assert math.isfinite(stats.grad_norm)
    assert stats.grad_norm > 0


@pytest.mark.slow
@pytest.mark.llm
@pytest.mark.parametrize(("dtype", "off"), [("fp32", 1e-4), ("bf16", 0.3)])
def test_a_real_model(dtype, off):
    """In bfloat16 the order of additions depends on a batch's shape, so ratios scatter around 1."""
    engine = TrainableEngine(models.load("smollm2-135m", dtype=dtype, device="cpu"))
    try:
        choices = engine.encode_choices(["Pass", "Bet", "Bet twice"])
        prompts = [chat(engine, f"Card: {card}.") for card in CARDS]
        free = [Request(p, seed=i, max_tokens=12, temperature=0.8, top_p=0.9) for i, p in enumerate(prompts)]
        samples = drawn(engine, [*free, *(Request(p, seed=i, choices=choices) for i, p in enumerate(prompts))])
        found = ratios(engine, samples)
    finally:
        engine.close()
    assert (found - 1.0).abs().max() < off
    assert (found - 1.0).abs().mean() < off / 4
