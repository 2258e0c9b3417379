import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.inference import sampling, trie
from games.randomness import RandomStream

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
