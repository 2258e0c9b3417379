"""The policy improves with rewards, and converges with a magnet."""

import asyncio
import math
from dataclasses import replace

import pytest
import torch

from arena.inference import Request
from arena.inference.transformers.trainable import TrainableEngine
from arena.learner import Credit, LossConfig, OptimizerConfig, Trainer, TrainerConfig, TurnSample, estimator
from tests.arena.learner.drawing import KEY, chat, drawn


def rewarded(samples, rewards, rae):
    credits = [Credit(*KEY, "player_0", "live", str(i), "", r) for i, r in enumerate(rewards)]
    advantages = rae.advantages(credits)  # type: ignore[attr-defined]
    return [replace(s, advantage=float(a)) for s, a in zip(samples, advantages, strict=True)]


@pytest.mark.parametrize("loss", ["reinforce", "ppo"])
def test_a_bandit_through_the_real_engine(engine, loss):
    choices = engine.encode_choices(["Pass", "Bet", "Fold"])
    prompts = [chat(engine, "Card: Jack."), chat(engine, "Card: King.")]
    trainer = Trainer(
        engine.model, TrainerConfig(loss=LossConfig(name=loss), optimizer=OptimizerConfig(lr=5e-3, epochs=2))
    )
    rae = estimator("rae")

    def policy():
        return [asyncio.run(engine.policy(p, choices)) for p in prompts]

    before = policy()
    for step in range(12):
        requests = [Request(prompts[i % 2], seed=1000 * step + i, choices=choices) for i in range(32)]
        samples = drawn(engine, requests)
        assert {s.version for s in samples} == {step}
        # "Pass" is right with a Jack, "Bet" with a King
        rewards = [float(s.completion_ids == choices[i % 2]) for i, s in enumerate(samples)]
        with engine.updating(version=step + 1):
            stats = trainer.step(rewarded(samples, rewards, rae))
        assert stats.mismatch_kl < 1e-9  # the engine sampled with the weights of the last step
    after = policy()
    assert max(before[0][0], before[1][1]) < 0.7
    assert min(after[0][0], after[1][1]) > 0.9


def test_free_text_through_the_real_engine(engine):
    prompt = chat(engine, "Write.")
    trainer = Trainer(engine.model, TrainerConfig(optimizer=OptimizerConfig(lr=1e-2)))
    rae = estimator("rae")
    means = []
    for step in range(10):
        samples = drawn(
            engine, [Request(prompt, seed=100 * step + i, max_tokens=3, temperature=0.3, top_p=0.5) for i in range(32)]
        )
        rewards = [sum(t % 2 for t in s.completion_ids) / len(s.completion_ids) for s in samples]  # odd tokens
        means.append(sum(rewards) / len(rewards))
        with engine.updating():
            trainer.step(rewarded(samples, rewards, rae))
    assert means[0] < 0.6
    assert means[-1] > 0.95


def duel(loaded, tau, steps):
    """Distance from (1/3, 1/3, 1/3) after each step of self-play in rock-paper-scissors, from a biased start.

    Every step uses the exact policy gradient: each action is a sample whose advantage carries its probability.
    """
    engine = TrainableEngine(loaded)
    prompt, choices = chat(engine, "Your action?", "Rock paper scissors."), engine.encode_choices(["1", "2", "3"])
    beats = torch.tensor([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    tokens = tuple(sorted(c[0] for c in choices))
    loss = LossConfig(name="reinforce", tau=tau, magnet_rate=0.02)
    o = OptimizerConfig(lr=3e-3, betas=(0.0, 0.99), schedule="inverse_sqrt", horizon=20)
    trainer = Trainer(loaded.model, TrainerConfig(loss=loss, optimizer=o))
    away = []
    for step in range(steps):
        p = torch.tensor(asyncio.run(engine.policy(prompt, choices)))
        away.append(float((p - 1 / 3).norm()))
        value = beats @ p
        bias = torch.tensor([3.0, 0.0, -3.0]) if step < 3 else torch.zeros(3)
        advantages = 3 * p * (value - p @ value + bias)
        samples = [
            TurnSample(prompt, c[:1], (math.log(float(p[i])),), (tokens,), float(advantages[i]), 1.0, KEY)
            for i, c in enumerate(choices)
        ]
        with engine.updating():
            trainer.step(samples)
    engine.close()
    return away


def test_a_magnet_makes_the_last_iterate_converge(loaded):
    away = duel(loaded, tau=0.3, steps=140)
    assert away[3] > 0.25
    assert max(away[-20:]) < 0.15


def test_without_a_magnet_it_cycles(loaded):
    away = duel(loaded, tau=0.0, steps=140)
    assert max(away[-20:]) > 0.5
