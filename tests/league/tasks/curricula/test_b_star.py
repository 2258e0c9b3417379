"""B-STaR: balance scores by hand, and the temperature that they choose."""

import pytest

from games import InputError
from league.tasks.curricula import make
from league.tasks.curricula.b_star import BStar, balance
from tests.league.tasks.curricula.pools import observed, shown, task


def test_balance_scores_by_hand():
    assert [balance(4, 8, 8), balance(8, 10, 8), balance(16, 32, 8)] == [0.25, 0.8, 0.5]
    assert balance(0, 8, 8) == balance(0, 0, 8) == 0.0


def test_each_temperature_is_measured_and_the_best_is_used():
    b_star = BStar("0.5+1.0", every=5, target=2)
    one, two = task(0), task(1)
    assert [b_star.temperature(step) for step in (0, 1)] == [0.5, 1.0]
    assert b_star.temperature(2) is None  # nothing was measured
    same, different = ("the sum is 4", "the  sum is 4"), ("2 and 2 make 4", "it is 4")
    observed(b_star, 0, shown(one, 1.0, 2, right=same), shown(two, 0.0, 2))
    observed(b_star, 1, shown(one, 1.0, 2, right=different), shown(two, 0.5, 2, right=("4",)))
    # one: 1/2 * 1/2 and then 1; two: 0, which counts, and then 1/2 * 1/2
    assert b_star.metrics() == {"pool_balance/0.5": 0.125, "pool_balance/1.0": 0.625}
    assert [b_star.temperature(step) for step in (2, 4, 5, 6)] == [1.0, 1.0, 0.5, 1.0]
    observed(b_star, 3, shown(one, 0.0, 2))
    assert b_star.temperature(4) == 1.0  # only the first steps measure


def test_matches_on_one_task_count_together():
    b_star = BStar("0.5+1.0", every=5, target=4)
    observed(b_star, 0, shown(task(0), 1.0, 2, right=("a", "b")), shown(task(0), 0.5, 2, right=("b",)))
    assert b_star.metrics() == {"pool_balance/0.5": 0.25}  # 2 different of 4 wanted, 2 of 4 answers


@pytest.mark.parametrize("text", ["", "a", "1+1", "0+1", "nan+1", "1+inf", "11", "1++2"])
def test_wrong_temperatures_are_refused(text):
    with pytest.raises(InputError, match="write different numbers above 0"):
        BStar(text)


def test_measuring_has_to_leave_steps():
    with pytest.raises(InputError, match="every must be above that"):
        make('b-star(temperatures="0.5+1.0", every=2)')
