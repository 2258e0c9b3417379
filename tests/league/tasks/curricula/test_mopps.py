"""MoPPS: the posterior by hand, and what its draws prefer."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.tasks.curricula import make
from league.tasks.curricula.mopps import Mopps
from tests.league.tasks.curricula.pools import GAME, chosen, observed, shown, task


def test_the_posterior_by_hand():
    mopps, one = Mopps(discount=0.5), task(0)
    assert mopps.predict(GAME, one) == 0.5
    observed(mopps, 0, shown(one, 0.25, answers=8))
    assert mopps.posterior.of(0) == (3.0, 7.0)  # 1/2 + 1/2 + 2, 1/2 + 1/2 + 6
    observed(mopps, 1, shown(one, 0.5, answers=8))
    assert mopps.posterior.of(0) == (6.0, 8.0)
    assert mopps.predict(GAME, one) == pytest.approx(6 / 14)


def test_the_matches_of_a_step_are_one_update_and_a_single_answer_counts():
    mopps, one = Mopps(discount=0.5), task(0)
    observed(mopps, 0, shown(one, 1.0, answers=1))
    assert mopps.posterior.of(0) == (2.0, 1.0)
    observed(mopps, 1, shown(one, 1.0, answers=1), shown(one, 0.0, answers=1))
    assert mopps.posterior.of(0) == (2.5, 2.0)


def test_a_match_without_a_rate_changes_nothing():
    mopps = observed(Mopps(), 0, shown(task(0), None))
    assert mopps.posterior.counts == {}


def test_tasks_near_the_target_come_first():
    tasks = [task(i) for i in range(5)]
    mopps = Mopps(target=0.5, discount=1.0)
    observed(mopps, 0, *(shown(t, rate, answers=400) for t, rate in zip(tasks, (0.0, 0.2, 0.5, 0.8, 1.0), strict=True)))
    order = chosen(mopps, tasks, 5)
    assert order[0] == 2
    assert set(order[1:3]) == {1, 3}
    assert chosen(Mopps(target=0.5), tasks, 5) != chosen(Mopps(target=0.5), tasks, 5, seed=4)
    easy = make("mopps(target=0.8, discount=1.0)")
    easy.load_state_dict(json.loads(json.dumps(mopps.state_dict())))
    assert chosen(easy, tasks, 1) == [3]


def test_a_step_plays_no_task_twice_before_all_were_played():
    tasks = [task(i) for i in range(6)]
    assert sorted(chosen(Mopps(), tasks, 6)) == list(range(6))
    assert Counter(chosen(Mopps(), tasks, 12)) == dict.fromkeys(range(6), 2)


def test_candidates_limit_the_choice():
    tasks = [task(i) for i in range(30)]
    mopps = Mopps(discount=1.0, candidates=2)
    observed(mopps, 0, shown(tasks[7], 0.5, answers=10_000))
    first = [chosen(mopps, tasks, 1, matches=2, seed=seed)[0] for seed in range(60)]
    assert 3 <= first.count(7) < 30  # it is one of 4 candidates of 30 in about 8 of 60 steps


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 16), st.integers(0, 16)), max_size=30), st.floats(0, 1))
def test_a_posterior_never_falls_below_its_prior_nor_forgets_what_a_restart_keeps(steps, discount):
    mopps, again = Mopps(discount=discount), Mopps(discount=discount)
    for step, (index, answers, right) in enumerate(steps):
        result = shown(task(index), min(right, answers) / answers, answers)
        observed(mopps, step, result)
        again.load_state_dict(json.loads(json.dumps(again.state_dict())))
        observed(again, step, result)
        a, b = mopps.posterior.of(index)
        assert a >= 1 - 1e-12
        assert b >= 1 - 1e-12
        assert a + b <= 2 + sum(n for i, n, _ in steps[: step + 1] if i == index) + 1e-9
    assert again.posterior.counts == mopps.posterior.counts
