"""Replayed answers and teachers in real training steps."""

import json
from dataclasses import replace

import pytest
import torch

from arena.learner import LossConfig, OptimizerConfig, ReplayConfig, Trainer, TrainerConfig, TurnSample, checkpoint
from arena.learner.replay import ReplayBuffer
from games import InputError
from tests.arena.learner.drawing import KEY, made_up


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


def answer(task, reward, *, match="m", score=None, turn=0, token=10):
    """One turn of an answer to a task."""
    group = ("game", "solver", "", "group of " + match, task)
    return TurnSample(
        (1, 2), (token,), (-1.0,), None, 0.0, 1.0, KEY, 0, reward, turn, group, (match, "seat"), score=score
    )  # fmt: skip


def test_temporal_keeps_the_worst_answer_of_a_task_at_first_and_its_best_one_of_the_last_step():
    buffer = ReplayBuffer(ReplayConfig(keep="temporal", size=8), seed=0)
    assert buffer.active
    assert buffer.needs_kind is None
    buffer.add([answer("a", 0.5, match="m1", token=1), answer("a", 0.1, match="m2", token=2)])
    buffer.add([answer("a", 0.0, match="m3", token=3), answer("a", 0.9, match="m4", token=4)])
    assert len(buffer) == 2
    asked = answer("a", 0.3, match="new")
    drawn = buffer.draw([asked, asked, answer("b", 0.3, match="new")], step=0)
    assert [(s.completion_ids, s.reward, s.trajectory) for s in drawn] == [
        ((2,), 0.1, ("replay", "first")),
        ((4,), 0.9, ("replay", "last")),
    ]
    assert all(s.replayed and s.group == asked.group for s in drawn)


def test_temporal_keeps_all_turns_of_an_answer():
    """One match of two turns, and a seat of another match in the same group."""
    buffer = ReplayBuffer(ReplayConfig(keep="temporal", size=8), seed=0)
    turns = [answer("a", 0.2, match="m", turn=n, token=n + 1) for n in range(2)]
    buffer.add([*turns, replace(answer("a", 0.8, match="m", token=9), trajectory=("m", "other"))])
    drawn = buffer.draw([answer("a", 0.0)], step=0)
    assert [s.completion_ids for s in drawn] == [(1,), (2,), (9,)]


def test_temporal_keeps_the_newest_tasks():
    buffer = ReplayBuffer(ReplayConfig(keep="temporal", size=2), seed=0)
    for task in ("a", "b"):
        buffer.add([answer(task, 0.5)])
    assert len(buffer) == 4  # two tasks, first and last
    buffer.add([answer("c", 0.5)])
    assert len(buffer) == 4

    def kept():
        return [
            [len(buffer.draw([answer(task, 0.0)], 0)) for task in "abc"],
            [s["group"][4] for s in buffer.state_dict()["last"]],
        ]

    assert kept() == [[0, 2, 2], ["b", "c"]]
    buffer.add([answer("b", 0.6)])
    buffer.add([answer("d", 0.6)])
    # of b the last answer is newer than that of c, and its first one is older
    assert kept() == [[0, 1, 1], ["b", "d"]]


def test_temporal_needs_a_task():
    buffer = ReplayBuffer(ReplayConfig(keep="temporal"), seed=0)
    buffer.add([answer("", 0.5), replace(answer("a", 0.5), group=("a", "group", "of", "another kind"))])
    assert len(buffer) == 0


def test_temporal_state_survives_json():
    buffer, again = (ReplayBuffer(ReplayConfig(keep="temporal"), seed=0) for _ in range(2))
    buffer.add([answer("a", 0.5, match="m1"), answer("a", 0.1, match="m2"), answer("b", 0.4)])
    again.load_state_dict(json.loads(json.dumps(buffer.state_dict())))
    asked = [answer("a", 0.0), answer("b", 0.0)]
    assert again.draw(asked, 0) == buffer.draw(asked, 0)
    assert again.state_dict() == buffer.state_dict()
    again.load_state_dict([])
    assert again.state_dict() == buffer.state_dict()


def test_answers_are_kept_from_more_than_a_draw_on():
    buffer = ReplayBuffer(ReplayConfig(share=4.0), seed=0)
    assert buffer.needs_kind == "verdict"
    buffer.add([answer("a", 0.0, score=score) for score in (None, 0.0, 0.5, 0.51, 1.0)])
    assert [s.score for s in buffer.draw([answer("a", 0.0)], step=0)] == [0.51, 1.0]
    off = ReplayBuffer(ReplayConfig(), seed=0)
    assert not off.active
    assert off.needs_kind is None


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
