import math

import pytest

from roles.rewards.diversity import bleu, cluster_shares, clusters, distances, linked

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
