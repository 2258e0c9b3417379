"""A packed batch has the values and gradients of its samples one by one."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.learner import OptimizerConfig, Trainer, TrainerConfig, TurnSample
from arena.learner.attention import Tree, chunks, tree_attention
from arena.learner.batch import offsets, pack, split
from games import InputError
from tests.arena.learner.drawing import KEY, made_up, one_by_one, together


def packed(model, samples, size):
    """(K,) the same for all samples at once; `size` queries per attention chunk."""
    trainer = Trainer(model, TrainerConfig())
    batch = together(samples)
    out = torch.zeros(sum(len(s.decided()) for s in samples))
    with tree_attention(model):
        tree = Tree(chunks(batch.ends, size=size), [], None, batch.positions, int(batch.positions.max()) + 1)
        for rows, spread in zip(batch.rows, trainer.token_values(batch, tree), strict=True):
            out = out.index_put((rows.flat,), spread.logp)
    return out, batch


@pytest.mark.parametrize("size", [512, 16, 5])
def test_packed_equals_one_by_one(loaded, size):
    samples = made_up(40)
    alone = torch.stack([x for s in samples for x in one_by_one(loaded.model, s)])
    found, batch = packed(loaded.model, samples, size)
    assert (found - alone).abs().max() < 1e-5
    whole = sum(len(s.prompt_ids) + len(s.completion_ids) for s in samples)
    assert len(batch.ids) < whole / 3  # shared tokens are read once


def test_gradients_are_those_of_the_naive_loss(fresh):
    samples = made_up(30, seed=3)
    weights = torch.tensor([s.advantage for s in samples for _ in s.decided()])
    naive, tree = fresh().model, fresh().model
    naive.requires_grad_(True)
    (torch.stack([x for s in samples for x in one_by_one(naive, s)]) * weights).sum().backward()
    (packed(tree, samples, 7)[0] * weights).sum().backward()
    for (name, a), b in zip(naive.named_parameters(), tree.parameters(), strict=True):
        assert torch.allclose(a.grad, b.grad, rtol=1e-4, atol=1e-5 * float(a.grad.abs().max() + 1)), name


def test_micro_batches_sum_to_the_whole(fresh):
    samples = made_up(30, seed=4)
    moved = []
    for budget in (8192, 20):
        model = fresh().model
        stats = Trainer(model, TrainerConfig(optimizer=OptimizerConfig(token_budget=budget))).step(samples)
        moved.append((stats, [p.detach().clone() for p in model.parameters()]))
    (one, a), (many, b) = moved
    assert one.micro_batches == 1
    assert many.micro_batches > 3
    assert many.loss == pytest.approx(one.loss, abs=1e-5)
    assert many.entropy == pytest.approx(one.entropy, abs=1e-5)
    assert many.grad_norm == pytest.approx(one.grad_norm, rel=1e-4)
    assert all(torch.allclose(x, y, atol=2e-6) for x, y in zip(a, b, strict=True))


sequences = st.lists(
    st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.lists(st.integers(0, 2), min_size=1, max_size=4)),
    min_size=1,
    max_size=12,
)


@given(sequences, st.integers(1, 5))
@settings(max_examples=80, deadline=None)
def test_each_token_sees_its_own_past_and_nothing_else(pairs, size):
    samples = [TurnSample(tuple(p), tuple(c), (0.0,) * len(c), None, 1.0, 1.0, KEY) for p, c in pairs]
    batch = together(samples)
    n = len(batch.ids)
    visible = torch.zeros(n, n, dtype=torch.bool)
    place = torch.arange(n)
    for chunk in chunks(batch.ends, size=size):
        visible[place[chunk.queries][:, None], place[chunk.keys]] = chunk.mask
    for chunk in chunks(batch.ends, batch.keep, size):  # some of the queries see the same tokens
        some = torch.zeros(len(chunk.mask), n, dtype=torch.bool)
        some[:, place[chunk.keys]] = chunk.mask
        assert torch.equal(some, visible[chunk.queries])
    pasts = [tuple(batch.ids[visible[i]].tolist()) for i in range(n)]
    assert [len(past) - 1 for past in pasts] == batch.positions.tolist()
    wanted = {(*s.prompt_ids, *s.completion_ids)[:end] for s in samples for end in range(1, _length(s))}
    assert sorted(pasts) == sorted(wanted)  # every prefix exactly once
    (rows,) = batch.rows
    flat = [(s, t) for s in samples for t in s.decided()]
    for row, column, place in zip(rows.row.tolist(), rows.column.tolist(), rows.flat.tolist(), strict=True):
        sample, t = flat[place]
        at = row if rows.at is None else int(rows.at[row])
        assert pasts[int(batch.keep[at])] == (*sample.prompt_ids, *sample.completion_ids[:t])
        assert column == sample.completion_ids[t]


def _length(sample):
    return len(sample.prompt_ids) + len(sample.completion_ids)


@given(st.integers(1, 60), st.integers(1, 200), st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_micro_batches_keep_to_the_budget(count, budget, seed):
    samples = [s for s in made_up(count, seed) if s.decided()]
    parts = split(samples, range(len(samples)), budget)
    assert sorted(i for part in parts for _, same in part for i in same) == list(range(len(samples)))
    starts = offsets(samples)
    for part in parts:
        for read, same in part:
            for s in (samples[i] for i in same):
                assert read == s.prompt_ids + s.completion_ids[: s.decided()[-1]]
        assert len(part) == 1 or len(pack(samples, part, starts).ids) <= budget


def test_forced_tokens_are_neither_read_nor_trained_on():
    sample = TurnSample((1, 2), (7, 8, 9), (-0.7, 0.0, 0.0), ((6, 7), (8,), (9,)), 1.0, 1.0, KEY)
    assert sample.decided() == (0,)
    batch = together([sample])
    assert batch.ids.tolist() == [1, 2]
    assert batch.rows[0].flat.tolist() == [0]
    forced = replace(sample, allowed=((7,), (8,), (9,)), logprobs=(0.0, 0.0, 0.0))
    assert forced.decided() == ()


def test_a_token_outside_its_restriction_is_refused():
    sample = TurnSample((1, 2), (7,), (-0.7,), ((5, 6),), 1.0, 1.0, KEY)
    with pytest.raises(InputError, match="token 7, which is not among the 2 allowed tokens"):
        together([sample])


def test_a_micro_batch_may_have_exactly_its_budget():
    """Two sequences of 4 tokens that share 2 have 6; a third one is alone whatever its length."""
    samples = [
        TurnSample(prompt, (9,), (-1.0,), None, 1.0, 1.0, KEY) for prompt in ((1, 2, 3, 4), (1, 2, 5, 6), (7,) * 9)
    ]
    sizes = {budget: [len(part) for part in split(samples, range(3), budget)] for budget in (5, 6, 14, 15)}
    assert sizes == {5: [1, 1, 1], 6: [2, 1], 14: [2, 1], 15: [3]}
    two = replace(samples[1], completion_ids=(8, 9), logprobs=(-1.0, -1.0))
    assert offsets([samples[0], two, samples[2]]) == [0, 1, 3]
