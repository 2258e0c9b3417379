"""Shares of an optimizer step: every sample once, the same number of micro-batches, about the same number of tokens."""

from collections import Counter

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.learner import TurnSample
from arena.learner.batch import offsets, pack
from arena.learner.sharding import chunk_of
from arena.learner.shares import shares
from tests.arena.learner.drawing import KEY, made_up


def read(samples, share):
    """The tokens that a process reads, without those that do not count."""
    starts = offsets(samples)
    return sum(len(pack(samples, each.groups, starts).ids) for each in share if each.counts)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(0, 5), st.integers(1, 200), st.integers(1, 6))
def test_every_sample_counts_once_and_all_processes_take_the_same_number_of_passes(count, seed, budget, world):
    samples = [s for s in made_up(count, seed) if s.decided()]
    if not samples:
        return
    found = shares(samples, range(len(samples)), budget, world)
    assert len(found) == world
    assert len({len(share) for share in found}) == 1
    met = Counter(i for share in found for each in share if each.counts for _, same in each.groups for i in same)
    assert met == Counter(range(len(samples)))
    assert all(each.groups for share in found for each in share)


def test_processes_read_about_the_same_number_of_tokens():
    samples = [
        TurnSample((i, *range(20)), tuple(range(30, 30 + n)), (-1.0,) * n, None, 1.0, 1.0, KEY)
        for i, n in enumerate([5, 90, 7, 40, 33, 12, 60, 8, 25, 70, 3, 44])
    ]
    tokens = [read(samples, share) for share in shares(samples, range(len(samples)), 1 << 20, 3)]
    assert sum(tokens) == sum(21 + len(s.completion_ids) - 1 for s in samples)
    assert max(tokens) - min(tokens) <= 110  # the longest sample


def test_a_process_without_samples_repeats_the_smallest():
    long, short = (TurnSample((1, 2), (3,) * n, (-1.0,) * n, None, 1.0, 1.0, KEY) for n in (50, 4))
    found = shares([long, short], [0, 1], 1 << 20, 4)
    idle = [share for share in found if not any(each.counts for each in share)]
    assert len(idle) >= 2
    assert all(share[0].groups[0][1] == [1] for share in idle)


@given(st.integers(1, 40), st.integers(1, 9))
def test_rows_are_divided_as_torch_divides_them(rows, parts):
    chunks = [chunk.tolist() for chunk in torch.arange(rows).chunk(parts)]
    expected = [*chunks, *[[]] * (parts - len(chunks))]
    assert [list(chunk_of(rows, parts, part)) for part in range(parts)] == expected
    assert chunk_of(7, 3, 2).start == 6  # of the only row of the last part
