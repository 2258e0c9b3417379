"""Replayed answers and teachers in real training steps."""

import json
from dataclasses import replace

import pytest
import torch

from arena.learner import LossConfig, OptimizerConfig, ReplayConfig, Trainer, TrainerConfig, checkpoint
from arena.learner.replay import ReplayBuffer
from games import InputError
from tests.arena.learner.drawing import made_up


def test_the_buffer_keeps_the_newest_good_answers_and_draws_by_its_seed():
    buffer = ReplayBuffer(ReplayConfig(share=0.5, size=5), seed=3)
    assert buffer.draw(made_up(10), step=0) == []
    samples = [s for s in made_up(20) if s.decided()]
    buffer.add(samples)
    good = [s for s in samples if s.score == 1.0][-5:]
    drawn = buffer.draw(made_up(6), step=1)
    assert len(buffer) == 5
    assert len(drawn) == 3
    assert all(s.replayed and replace(s, replayed=False) in good for s in drawn)
    assert drawn == buffer.draw(made_up(6), step=1)
    assert len(buffer.draw(made_up(100), step=2)) == 5  # no sample twice
    assert any(buffer.draw(made_up(6), step=n) != drawn for n in range(2, 6))
    again = ReplayBuffer(ReplayConfig(share=0.5, size=5), seed=3)
    again.load_state_dict(json.loads(json.dumps(buffer.state_dict())))
    assert again.draw(made_up(6), step=1) == drawn
    off = ReplayBuffer(ReplayConfig(), seed=3)
    off.add(samples)
    assert len(off) == 0


CONFIG = TrainerConfig(
    loss=LossConfig(name="chord(peak=0.5, valley=0.5)"),
    optimizer=OptimizerConfig(lr=1e-3),
    replay=ReplayConfig(share=0.5, size=16),
)


def test_a_training_with_replay_resumes_bit_for_bit(fresh, tmp_path):
    batches = [made_up(12, seed) for seed in range(4)]
    whole, first = (Trainer(fresh().model, CONFIG) for _ in range(2))
    expected = [whole.step(b).metrics() for b in batches]
    assert expected[0]["mismatch_kl"] > 0
    for batch in batches[:2]:
        first.step(batch)
    checkpoint.save(tmp_path, 2, write=first.write, state={"trainer": first.state_dict()})
    second = Trainer(fresh().model, CONFIG)
    second.load(checkpoint.load(tmp_path / "step-00000002"))
    assert [second.step(b).metrics() for b in batches[2:]] == expected[2:]


def test_replay_raises_the_probability_of_good_answers(fresh):
    """New answers without an advantage: only imitation moves the policy."""
    good = [replace(s, score=1.0, advantage=0.0, allowed=None) for s in made_up(6)]
    trainer = Trainer(fresh().model, CONFIG)
    before = mean_logp(trainer, good)
    for _ in range(6):
        trainer.step(good)
    assert mean_logp(trainer, good) > before + 0.01


def mean_logp(trainer, samples):
    total, count = 0.0, 0
    for s in samples:
        ids = torch.tensor([s.prompt_ids + s.completion_ids])
        with torch.no_grad():
            logits = trainer.model(input_ids=ids).logits[0, len(s.prompt_ids) - 1 : -1]
        total += float(torch.log_softmax(logits, -1).gather(1, torch.tensor(s.completion_ids)[:, None]).sum())
        count += len(s.completion_ids)
    return total / count


def test_distillation_approaches_the_teacher(fresh):
    """The samples stay the same, so the policy comes to give them the teacher's probabilities."""
    teacher = fresh().model
    with torch.no_grad():
        for param in teacher.parameters():
            param.add_(torch.randn(param.shape, generator=torch.Generator().manual_seed(2)) * 0.05)
    config = TrainerConfig(loss=LossConfig(name="distill"), optimizer=OptimizerConfig(lr=3e-3, token_budget=40))
    trainer, samples = Trainer(fresh().model, config, teacher), [replace(s, allowed=None) for s in made_up(8)]
    other = Trainer(teacher, TrainerConfig())

    def gap():
        return abs(mean_logp(trainer, samples) - mean_logp(other, samples))

    start = gap()
    for _ in range(15):
        trainer.step(samples)
    assert gap() < 0.6 * start


def test_a_teacher_is_required_and_must_know_the_tokens(fresh):
    config = TrainerConfig(loss=LossConfig(name="distill"))
    with pytest.raises(InputError, match=r'set teacher = "MODEL" under \[loss\]'):
        Trainer(fresh().model, config)
    small = fresh().model
    small.resize_token_embeddings(100)
    with pytest.raises(InputError, match="the teacher has 100 token ids"):
        Trainer(fresh().model, config, small)
