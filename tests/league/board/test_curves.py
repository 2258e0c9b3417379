import math

from league.board.panel_lines import chart, extent, resampled, sparkline


def test_sparklines():
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7], 8) == "▁▂▃▄▅▆▇█"
    assert sparkline([3, 3], 9) == "▁▁"
    assert sparkline([0, math.nan, 7], 9) == "▁ █"
    assert sparkline([], 9) == ""
    assert sparkline([math.nan] * 3, 9) == "   "
    assert len(sparkline(list(range(1000)), 32)) == 32
    assert sparkline(list(range(1000)), 32)[-1] == "█"


def test_few_values_are_repeated_and_many_averaged():
    assert resampled([1, 2], 4) == [1, 1, 2, 2]
    assert resampled([1, 3, 5, 7], 2) == [2, 6]
    assert resampled([math.nan, 4.0, 1.0, 3.0], 2) == [4, 2]
    assert resampled([], 5) == resampled([1.0], 0) == []


def test_a_chart_spans_its_extent():
    values = [math.nan, 0.0, 10.0, 20.0]
    assert extent(values) == (0, 20)
    lines = chart(values, 4, 3)
    assert [len(line) for line in lines] == [4, 4, 4]
    assert [line[3] for line in lines] == ["█", "█", "█"], "the largest value fills its column"
    assert [line[1] for line in lines] == [" ", " ", "▁"], "the smallest one is visible"
    assert {line[0] for line in lines} == {" "}, "nothing is known here"
    assert chart([2.0, 2.0], 2, 1) == ["▁▁"]
