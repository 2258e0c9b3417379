import pytest

from roles.rewards import shaping


def test_one_guide_of_zero_leaves_nothing():
    assert shaping.guided(0.875, 6.0) == 5.25
    assert shaping.guided(0.875, 6.0, 0.0) == 0.0
    assert shaping.guided(0.875) == 0.875


@pytest.mark.parametrize(
    ("relevance", "redundancy", "complexity", "score"),
    [(5, 0, 0, 8), (4, 1, 1, 5), (0, 1, 2, 0), (5, 0, 3, 0), (5, 0, 4, 0), (0, 0, 2, 1)],
)
def test_the_guide_of_sgs(relevance, redundancy, complexity, score):
    assert shaping.sgs_guide(relevance, redundancy, complexity) == score


def test_a_guide_outside_its_range_is_refused_not_clamped():
    with pytest.raises(ValueError, match="relevance must be a score from 0 to 5"):
        shaping.sgs_guide(95, 0, 0)


def test_min_max_brings_a_batch_to_one_scale():
    assert shaping.min_max([0.0, 5.25, 2.625]) == [0.0, 1.0, 0.5]
    assert shaping.min_max([3.0, 3.0]) == [0.0, 0.0]
    assert shaping.min_max([]) == []


def test_penalties_are_taken_one_by_one():
    assert shaping.penalised([0.5, 0.3], [0.5, 0.25]) == [0.0, pytest.approx(0.05)]
    with pytest.raises(ValueError, match="zip"):
        shaping.penalised([0.5], [])
