"""Prompts that repeat earlier ones arrive complete, whatever they share."""

from itertools import islice

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match import Decision, Episode, Sample, Turn
from arena.runner.ray.played_batch import Packing, PlayedBatch, decode_batch, encode_batch
from arena.runner.ray.shared_prompts import shorten
from arena.runner.ray.token_arrays import TokenArrays
from league.store.guard import pack_episode

PROMPTS = st.lists(st.sampled_from([1, 2, 70_000, 1 << 21, 1 << 40, -1]), max_size=9).map(tuple)


def episode(match, prompts, forfeit=False):
    """Turns of two seats in turn; None: a turn without a sample. `forfeit`: the last prompt is of a forfeited turn."""
    attempts = [Decision("a", sample=None if p is None else Sample(p, (5,), (-0.5,))) for p in prompts]
    seats, roles = {"p0": "x", "p1": "y"}, {"p0": "first", "p1": "second"}
    played, failure = (attempts[:-1], tuple(attempts[-1:])) if forfeit else (attempts, ())
    turns = [Turn(f"p{i % 2}", roles[f"p{i % 2}"], "play", "x", "a", (each,)) for i, each in enumerate(played)]
    by, status = ("p1", "forfeit") if failure else ("", "finished")
    returns = {"p0": 0.0, "p1": 0.0}
    return Episode(match, "g", 1, seats, roles, tuple(turns), returns, status, failure=failure, forfeited_by=by)


def samples(episodes):
    attempts = [a for e in episodes for group in (*(t.attempts for t in e.turns), e.failure) for a in group]
    return [a.sample for a in attempts if a.sample is not None]


def test_rules_and_dialogue_are_sent_once():
    rules, said = (7,) * 6, (8, 9)
    one = episode("1", [rules, (*rules, 1), rules + said, rules + said + (3,)])
    two = episode("2", [(*rules, 4), rules, (*rules, 4, 4)], forfeit=True)
    short, shared, arrays = shorten([one, two])
    left = [a.sample for e in short for t in e.turns for a in t.attempts if a.sample]
    assert {(s.prompt_ids, s.completion_ids, s.logprobs) for s in [*left, *samples(short)]} == {((), (), ())}
    ids = iter(np.frombuffer(arrays.ids, "<u4").tolist())
    sent = [tuple(islice(ids, prompt + completion))[:prompt] for prompt, completion in arrays.lengths]
    assert sent == [rules, (*rules, 1), said, (*said, 3), (4,), (), (4, 4)]
    assert shared == [(0, 0), (0, 0), (0, 6), (1, 6), (0, 6), (1, 6), (5, 6)]


@given(st.lists(st.tuples(st.lists(st.none() | PROMPTS, min_size=1, max_size=5), st.booleans()), max_size=4))
def test_what_arrives_is_what_was_sent(matches):
    sent = [episode(str(i), prompts, forfeit) for i, (prompts, forfeit) in enumerate(matches)]
    before = msgspec.json.encode(sent)
    assert decode_batch(encode_batch(sent, 1.0)).episodes == sent
    packed = decode_batch(encode_batch(sent, 1.0, "paused", Packing(pack_episode, keep=True)))
    assert [each.kept for each in packed.packed] == sent
    assert [each.packed for each in packed.packed] == [pack_episode(each) for each in sent]
    assert packed.paused == "paused"
    assert all(
        m.episode is None for m in decode_batch(encode_batch(sent, 1.0, "", Packing(pack_episode, False))).packed
    )
    assert msgspec.json.encode(sent) == before  # the worker's own episodes stay as they were


@pytest.mark.parametrize("shared", [[(0, 0), (0, 3)], [(0, 0), (1, 1)], [(0, 0), (-1, 1)], [(0, 0)]])
def test_a_reference_to_what_was_not_sent_is_refused(shared):
    batch = PlayedBatch([episode("1", [(1, 2), (3,)])], 1.0, "", [], shared, TokenArrays(lengths=[(-1, -1)] * 2))
    with pytest.raises(ValueError, match=r"repeats|shorter"):
        decode_batch(msgspec.msgpack.encode(batch))


@pytest.mark.parametrize(
    "arrays",
    [
        TokenArrays(b"", b"", [(1, 0)]),
        TokenArrays(b"\1\0\0\0", b"", [(0, 0)]),
        TokenArrays(b"\1\0\0\0", b"\0" * 8, [(1, 0)]),
        TokenArrays(b"\1\0\0\0", b"", [(0, 1)]),
        TokenArrays(b"\1\0\0\0", b"", [(2, -1)]),
        TokenArrays(b"\1\0\0", b"", [(1, 0)]),
        TokenArrays(b"", b"", []),
    ],
)
def test_numbers_that_are_missing_or_of_no_sample_are_refused(arrays):
    batch = PlayedBatch([episode("1", [(1,)])], 1.0, "", [], [(0, 0)], arrays)
    with pytest.raises(ValueError, match=r"tokens|shorter|multiple"):
        decode_batch(msgspec.msgpack.encode(batch))


def test_equal_tokens_are_one_int():
    sent = [episode(str(i), [(70_000, 70_001)]) for i in range(2)]
    one, two = samples(decode_batch(encode_batch(sent, 1.0)).episodes)
    assert one.prompt_ids[1] is two.prompt_ids[1]
