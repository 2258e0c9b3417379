"""Knapsack RL: values and the numbers of matches by hand and against all possibilities."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import InputError
from league.tasks.curricula import make
from league.tasks.curricula.knapsack import Knapsack, allocate, value
from tests.league.tasks.curricula.pools import GAME, observed, picks, shown, task


def test_values_by_hand():
    assert value(0.5, 2) == 0.0625  # (1 - 1/4 - 1/4) * 1/2 * 1/4
    assert value(0.5, 1) == value(0.5, 0) == value(0.0, 5) == value(1.0, 5) == 0.0


def test_an_allocation_by_hand():
    given_to = allocate([(0.1, 1), (0.5, 1), (0.9, 1)], 2, 8, 12)
    assert given_to == [5, 5, 2]
    worth = sum(value(p, n) for p, n in zip((0.1, 0.5, 0.9), given_to, strict=True))
    assert worth == pytest.approx(0.1520, abs=1e-4)


@given(
    st.lists(st.tuples(st.floats(0.05, 0.95), st.integers(1, 3)), min_size=1, max_size=4),
    st.integers(1, 2),
    st.integers(0, 3),
    st.integers(0, 16),
)
def test_no_other_allocation_is_worth_more(tasks, low, spread, budget):
    high = low + spread
    found = allocate(tasks, low, high, budget)
    total = min(max(budget, low * len(tasks)), high * len(tasks))
    assert sum(found) == total
    assert all(low <= n <= high for n in found)

    def worth(matches):
        return sum(value(p, n * k) for (p, k), n in zip(tasks, matches, strict=True))

    every = (m for m in product(range(low, high + 1), repeat=len(tasks)) if sum(m) == total)
    assert worth(found) >= max(map(worth, every)) - 1e-9


def test_a_step_spends_its_budget_on_tasks_between():
    tasks = [task(i) for i in range(4)]
    knapsack = Knapsack(low=2, high=16)
    rates = (0.0, 0.25, 0.9, 1.0)
    observed(knapsack, 0, *(shown(t, rate, answers=1) for t, rate in zip(tasks, rates, strict=True)))
    found = {p.task.index: p.matches for p in picks(knapsack, tasks, 4, matches=16, group=4)}
    assert sum(found.values()) == 16
    assert found == {0: 2, 1: 10, 2: 2, 3: 2}
    assert knapsack.predict(GAME, tasks[3]) == 0.95
    assert knapsack.predict(GAME, task(99)) == 0.5


def test_a_rate_is_that_of_all_answers_of_the_newest_step():
    one, knapsack = task(0), Knapsack()
    observed(knapsack, 0, shown(one, 0.25, answers=4), shown(one, 0.75, answers=4), shown(one, None))
    assert knapsack.predict(GAME, one) == 0.5
    observed(knapsack, 1, shown(one, 0.25, answers=4))
    assert knapsack.predict(GAME, one) == 0.25


def test_limits_that_exclude_each_other_are_refused():
    with pytest.raises(InputError, match="low must be at most high"):
        make("knapsack(low=5, high=4)")
