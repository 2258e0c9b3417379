"""The guide of SGS, its scale over a batch, and diversity of texts."""

import math

import pytest

from roles.native.conjecture import min_max, sgs_guide
from roles.rewards.diversity import bleu, cluster_shares, clusters, distances, linked, repeated_shares


@pytest.mark.parametrize(
    ("relevance", "redundancy", "complexity", "score"),
    [(5, 0, 0, 8), (4, 1, 1, 5), (0, 1, 2, 0), (5, 0, 3, 0), (5, 0, 4, 0), (0, 0, 2, 1)],
)
def test_the_guide_of_sgs(relevance, redundancy, complexity, score):
    assert sgs_guide(relevance, redundancy, complexity) == score


def test_a_guide_outside_its_range_is_refused_not_clamped():
    with pytest.raises(ValueError, match="relevance must be a score from 0 to 5"):
        sgs_guide(95, 0, 0)


def test_min_max_brings_a_batch_to_one_scale():
    assert min_max([0.0, 5.25, 2.625]) == [0.0, 1.0, 0.5]
    assert min_max([3.0, 3.0]) == [0.0, 0.0]
    assert min_max([]) == []


CAT = "the cat sat on the mat"


def test_equal_sentences_have_bleu_one_and_strangers_none():
    assert bleu(CAT.split(), CAT.split()) == pytest.approx(1.0)
    assert bleu(CAT.split(), ["dogs", "bark"]) == 0.0
    assert bleu((), CAT.split()) == 0.0


def test_bleu_by_hand():
    # "the cat sat on a mat" against CAT: 5/6, 3/5, 2/4, 1/3 of the 1- to 4-grams are found, lengths are equal
    expected = (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25
    assert bleu(["the", "cat", "sat", "on", "a", "mat"], CAT.split()) == pytest.approx(expected)


def test_bleu_smooths_and_punishes_brevity():
    # two words of six: 2/2, 1/1, then nothing of length 3 or 4, each smoothed to 0.1 / 1; brevity exp(1 - 6/2)
    assert bleu(["the", "cat"], CAT.split()) == pytest.approx((1 * 1 * 0.1 * 0.1) ** 0.25 * math.exp(-2))


def test_distance_is_the_same_both_ways():
    table = distances([CAT, "the cat", "dogs bark"])
    assert table[0][1] == table[1][0]
    assert table[0][2] == 1.0
    assert [table[i][i] for i in range(3)] == [0.0] * 3


def test_near_duplicates_are_one_cluster_and_the_share_counts_all_of_them():
    batch = [CAT, "what is 3 + 4 ?", "the cat sat on the rug", CAT, "name a prime above one hundred"]
    assert clusters(batch) == [0, 1, 0, 0, 2]
    assert cluster_shares(batch) == [0.6, 0.2, 0.6, 0.6, 0.2]


def test_average_linkage_weighs_a_cluster_by_its_members():
    # a and b are joined first (distance 0.2); c is 0.4 from a and 0.7 from b: 0.55 on average, too far; with a counted
    # three times it is 0.475, near enough
    table = [[0.0, 0.2, 0.4], [0.2, 0.0, 0.7], [0.4, 0.7, 0.0]]
    assert linked(table, 0.5) == [0, 0, 1]
    thrice = [[table[i][j] for j in (0, 0, 0, 1, 2)] for i in (0, 0, 0, 1, 2)]
    assert linked(thrice, 0.5) == [0, 0, 0, 0, 0]


def test_clusters_at_the_limit_stay_apart():
    assert linked([[0.0, 0.5], [0.5, 0.0]], 0.5) == [0, 1]


def test_nothing_and_one():
    assert cluster_shares([]) == []
    assert cluster_shares(["alone"]) == [1.0]
    assert cluster_shares(["", ""]) == [1.0, 1.0]


def test_a_cluster_is_worth_one_text_and_terms_are_compared_in_any_order():
    one, same, new = "(+10 +20 -30 +40)", "(+41 -30 +20 +10)", "(+51 +52 -53 +54)"
    assert repeated_shares([one, same, one, new]) == pytest.approx([2 / 3, 2 / 3, 2 / 3, 0.0])
    assert repeated_shares(["+10 -20", "+10 -30"]) == [0.0, 0.0]
    assert repeated_shares(["", ""]) == [0.5, 0.5]
    assert repeated_shares([]) == []


def test_texts_of_one_template_with_one_free_number_are_worth_one():
    """n + (n + 1) + (n + 2) asks for one number; of two numbers many lie on a line by chance."""
    in_a_row = [f"(+{n} +{n + 1} -{n + 2})" for n in (12, 57, 31, 80)]
    in_turn = [f"(-{n} +{3 * n} +{2 * n})" for n in (17, 20, 33)]
    others = ["(+14 +85 -30)", "(+71 +26 +48)"]
    assert repeated_shares(in_a_row) == [0.75] * 4
    assert repeated_shares([*in_turn, *others]) == pytest.approx([2 / 3] * 3 + [0.0] * 2)
    assert repeated_shares(in_a_row[:2]) == [0.0, 0.0]
    assert repeated_shares(["+1 +2", "+3 +4", "+5 +6"]) == [0.0] * 3
    assert repeated_shares([f"(+{n} +157)" for n in (4023, 9127, 1711, 5086)]) == [0.75] * 4


@pytest.mark.parametrize("text", ["(+{0} +{1} +{2} +{3})", "(+4 -7 +{0} -{2})", "(+{0} -{1} +{2} +{3} +157)"])
def test_texts_of_one_template_with_two_free_numbers_are_worth_one(text):
    """n + (n + 1) + m + (m + 1) earned seven tenths of what a question of four numbers does."""
    of_two = [text.format(n, n + 1, m, m + 1) for n, m in ((12, 60), (35, 47), (80, 21), (54, 92), (73, 18))]
    others = ["(+14 +85 -30 +66)", "(+71 +26 +48 -19)"]
    assert repeated_shares([*of_two, *others]) == pytest.approx([0.8] * 5 + [0.0] * 2)
