"""The invariance gap: exact strength over wordings of one game."""

import random

import pytest

from arena.evaluation.wordings import gap_lines, gap_of, mean_of, measure_wordings
from games.errors import InputError
from tests.toys.players import first_listed


def test_a_player_that_does_not_read_has_no_gap():
    report = measure_wordings("random", "openspiel/kuhn_poker", 4)
    assert {report.nash_conv, *(wording.nash_conv for wording in report.wordings)} == {report.mean.value}
    assert (report.gap.value, report.gap.low, report.gap.high) == (0, 0, 0)


def test_a_player_that_reads_has_one():
    report = measure_wordings(first_listed(), "openspiel/kuhn_poker", 6, first=20)
    assert [wording.game for wording in report.wordings] == [f"veil-v1(words={n})" for n in range(20, 26)]
    assert sorted({round(wording.nash_conv, 6) for wording in report.wordings}) == [0.666667, 2.0]  # all Bet, all Pass
    assert report.gap.value > 0
    text = "\n".join(gap_lines(report))
    assert "mixing in openspiel/kuhn_poker and 6 wordings of it" in text
    assert f"{report.gap.value:.4f}  95% [{report.gap.low:.4f}, {report.gap.high:.4f}]" in text


def test_estimates_by_hand():
    assert mean_of([1.0, 2.0, 3.0]).value == 2.0
    assert mean_of([1.0, 2.0, 3.0]).high == pytest.approx(2 + 4.302653 / 3**0.5)
    gap = gap_of([0.0, 0.0, 3.0])  # without one value: 3, 3 and 0; the mean of 0, 3 and 3 is 2
    assert gap.value == 2.0
    assert gap.high == pytest.approx(2 + 4.302653 * (2 / 3 * (1 + 1 + 4)) ** 0.5)


def test_the_interval_of_the_gap_holds_the_gap():
    stream = random.Random(1)
    normal = [gap_of([stream.gauss(0, 1) for _ in range(10)]) for _ in range(200)]
    assert sum(e.low <= 2 / 3.141593**0.5 <= e.high for e in normal) >= 176  # 88% of 200; 92% in 1,000 trials


@pytest.mark.parametrize(
    ("player", "game", "count", "reason"),
    [
        ("mcts", "openspiel/kuhn_poker", 3, "does not reveal its policy"),
        ("random", "bargain", 3, "no game of OpenSpiel"),
        ("random", "openspiel/connect_four", 3, "more than 60,000 positions"),
        ("random", "openspiel/kuhn_poker", 2, "measure at least 3"),
    ],
)
def test_what_cannot_be_measured(player, game, count, reason):
    with pytest.raises(InputError, match=reason):
        measure_wordings(player, game, count)
