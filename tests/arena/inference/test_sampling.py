"""Sampling of tokens, also restricted to listed actions by a trie."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.inference import sampling, trie
from arena.inference.sampling import log_softmax, sample_rows
from games.randomness import RandomStream

LOGITS = torch.log(torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]]))


def test_the_draw_inverts_the_distribution():
    for uniform, token in [(0.0, 0), (0.0999, 0), (0.1001, 1), (0.2999, 1), (0.3001, 2), (0.6001, 3), (1 - 2**-53, 3)]:
        (one, two) = sample_rows(LOGITS, [1.0, 1.0], [1.0, 1.0], [uniform, 0.0])
        assert (one.token, two.token) == (token, 0)
        assert one.logprob == pytest.approx(float(LOGITS[0, token]), abs=1e-6)
        assert one.allowed is None


def test_a_row_does_not_depend_on_other_rows():
    logits = torch.randn(16, 300, generator=torch.Generator().manual_seed(1)) * 3
    stream = RandomStream(5)
    uniforms = [stream.random() for _ in range(16)]
    temperatures = [0.0, 0.5, 1.0, 2.0] * 4
    top_ps = [1.0, 0.9, 0.5, 1.0] * 4
    together = sample_rows(logits, temperatures, top_ps, uniforms)
    alone = [
        sample_rows(logits[i : i + 1], temperatures[i : i + 1], top_ps[i : i + 1], uniforms[i : i + 1])[0]
        for i in range(16)
    ]
    assert together == alone


@pytest.mark.parametrize("top_p", [1.0, 0.8, 0.3])
@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
def test_probabilities_are_those_of_the_definition(temperature, top_p):
    logits = torch.randn(1, 50, generator=torch.Generator().manual_seed(2)) * 2
    expected = log_softmax(logits[0].tolist(), temperature, top_p)
    for uniform in (0.01, 0.3, 0.6, 0.99):
        (sampled,) = sample_rows(logits, [temperature], [top_p], [uniform])
        assert sampled.logprob == pytest.approx(expected[sampled.token], abs=1e-5)
        if top_p < 1.0 and temperature > 0.0:
            assert sampled.allowed == tuple(i for i, x in enumerate(expected) if x > -math.inf)


def test_no_token_of_probability_zero_is_ever_drawn():
    logits = torch.full((3, 10), -math.inf)
    logits[:, 4] = 0.0
    drawn = sample_rows(logits, [1.0] * 3, [1.0] * 3, [0.0, 0.5, 1 - 2**-53])
    assert [s.token for s in drawn] == [4, 4, 4]


END = 99


def walk(node, run):
    """All sequences below a node, each with its choice."""
    if isinstance(node, int):
        return {run: node}
    out = {}
    for token, forced, following in zip(node.tokens, node.runs, node.nexts, strict=True):
        out |= walk(following, (*run, token, *forced))
    return out


@settings(deadline=None)
@given(st.sets(st.lists(st.integers(0, 5), max_size=5).map(lambda ids: (*ids, END)), min_size=1, max_size=20))
def test_the_tree_contains_exactly_the_choices(sequences):
    choices = tuple(sorted(sequences, key=lambda s: (len(s), s)))
    tree = trie.build(choices)
    assert walk(tree.root, tree.run) == {choice: i for i, choice in enumerate(choices)}


@settings(deadline=None)
@given(st.sets(st.lists(st.integers(0, 3), max_size=4).map(lambda ids: (*ids, END)), min_size=2, max_size=12))
def test_branches_have_at_least_two_children(sequences):
    def check(node):
        if not isinstance(node, int):
            assert len(node.tokens) >= 2
            assert list(node.tokens) == sorted(set(node.tokens))
            for following in node.nexts:
                check(following)

    check(trie.build(tuple(sequences)).root)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ((), "no choices"),
        (((),), "no tokens"),
        (((1, 2), (1, 2)), "equal to or a prefix"),
        (((1,), (1, 2)), "equal to or a prefix"),
    ],
)
def test_invalid_choices_are_refused(choices, said):
    with pytest.raises(ValueError, match=said):
        trie.build(choices)


def test_log_softmax():
    logps = sampling.log_softmax([0.0, math.log(3.0)], temperature=1.0)
    assert logps == pytest.approx([math.log(0.25), math.log(0.75)])
    assert sampling.log_softmax([0.0, 1.0], temperature=0.5) == pytest.approx(sampling.log_softmax([0.0, 2.0], 1.0))
    assert sampling.log_softmax([1.0, 5.0, 5.0], temperature=0.0) == [-math.inf, 0.0, -math.inf]


def test_top_p_keeps_the_fewest_tokens_that_reach_it():
    logits = [math.log(p) for p in (0.1, 0.5, 0.15, 0.25)]
    assert sampling.log_softmax(logits, 1.0, top_p=0.7) == pytest.approx(
        [-math.inf, math.log(0.5 / 0.75), -math.inf, math.log(0.25 / 0.75)]
    )
    assert sampling.log_softmax(logits, 1.0, top_p=1e-9) == pytest.approx([-math.inf, 0.0, -math.inf, -math.inf])


@settings(deadline=None)
@given(st.lists(st.floats(-20, 20), min_size=1, max_size=8), st.floats(0, 1, exclude_max=True))
def test_the_draw_never_selects_a_removed_token(logits, uniform):
    logps = sampling.log_softmax(logits, 1.0, top_p=0.5)
    assert logps[sampling.draw(logps, uniform)] > -math.inf


def test_draws_follow_the_distribution():
    probabilities = [0.2, 0.0, 0.5, 0.3]
    logps = [math.log(p) if p else -math.inf for p in probabilities]
    stream = RandomStream(3)
    counts = [0] * 4
    for _ in range(20_000):
        counts[sampling.draw(logps, stream.random())] += 1
    assert counts[1] == 0
    for count, p in zip(counts, probabilities, strict=True):
        assert abs(count / 20_000 - p) < 0.015  # four standard deviations
