import pytest

from games import InputError
from roles.rewards import difficulty
from tests import golden

CASES = golden.rows(__file__, "difficulty_cases")


@pytest.mark.parametrize(("row", "rate", "reward"), CASES)
def test_rows_give_the_published_figures(row, rate, reward):
    assert difficulty.make(row)(rate) == pytest.approx(reward, abs=1e-15)


def test_r_zeros_paper_and_code_are_the_same_up_to_a_factor_of_two():
    paper, code = difficulty.make("tent(scale=2)"), difficulty.make("tent")
    for tenths in range(11):
        rate = tenths / 10
        assert paper(rate) == pytest.approx(1 - 2 * abs(rate - 0.5), abs=1e-15)
        assert paper(rate) == 2 * code(rate)


def test_percentile_keeps_the_solved_tasks_of_the_hardest_seventy_percent():
    rates = [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0, 1.0]
    row = difficulty.make("percentile")
    assert [row(p, rates) for p in rates] == [0.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.0, 0.0, 0.0]


def test_percentile_takes_ties_together_and_needs_its_batch():
    row = difficulty.make("percentile(share=0.5)")
    assert [row(p, [0.5, 0.5, 0.5, 1.0]) for p in (0.5, 1.0)] == [0.5, 0.0]
    with pytest.raises(ValueError, match="compares the tasks of a batch"):
        row(0.5)


def test_every_row_has_a_source_and_stays_finite():
    for name in difficulty.TABLE:
        row = difficulty.make(name)
        assert row.source
        assert row.name == name
        for rate in (0.0, 0.3, 1.0):
            assert -1.0 <= row(rate, [0.0, 0.3, 1.0]) <= 1.0


def test_a_rate_that_is_none_is_no_difficulty():
    with pytest.raises(ValueError, match="must be from 0 to 1"):
        difficulty.make("tent")(1.5)
    with pytest.raises(ValueError, match="must be from 0 to 1"):
        difficulty.make("tent")(float("nan"))


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("tents", "did you mean 'tent'"),
        ("barely(tau=much)", "tau must be a number"),
        ("barely(rate=1)", "allowed: tau"),
        ("one_minus(x=1)", "it takes none"),
    ],
)
def test_a_wrong_name_or_parameter_is_one_line(bad, words):
    with pytest.raises(InputError) as error:
        difficulty.make(bad)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
