"""SEC, PCL, B-STaR, knapsack RL and MoPPS: values and choices by hand, and against all possibilities."""

import json
import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import InputError
from league.tasks.curricula import make
from league.tasks.curricula.b_star import BStar, balance
from league.tasks.curricula.knapsack import Knapsack, allocate, value
from league.tasks.curricula.mopps import Mopps
from league.tasks.curricula.pcl import Pcl, features_of
from league.tasks.curricula.sec import Sec, band
from tests.league.tasks.curricula.pools import GAME, chosen, observed, picks, shown, task


def test_values_and_probabilities_by_hand():
    tasks = [task(0, kind="add/easy"), task(1, kind="add/hard")]
    sec = Sec(rate=0.5, temperature=0.5)
    observed(sec, 0, shown(tasks[0], 0.5, gain=0.6), shown(tasks[0], 0.5, gain=1.0), shown(tasks[1], 0.0, gain=0.0))
    assert sec.values[GAME] == {"add/easy": 0.4, "add/hard": 0.0}  # 0.5 * mean(0.6, 1.0)
    shares = Counter(chosen(sec, tasks, 4000))
    assert shares[0] / 4000 == pytest.approx(0.69, abs=0.02)  # 1 / (1 + exp(-0.8))
    observed(sec, 1, shown(tasks[0], 1.0, gain=0.0))
    assert sec.values[GAME]["add/easy"] == 0.2


def test_tasks_set_in_the_match_and_matches_nobody_learned_from_do_not_count():
    one = task(0, kind="k")
    sec = observed(Sec(), 0, shown(one, 0.5, gain=0.9, pooled=False), shown(one, 0.5, gain=None))
    assert sec.values == {GAME: {}}


def test_tasks_without_a_kind_are_divided_by_their_solve_rate():
    sec = Sec()
    assert [sec.arm(task(0, rate)) for rate in (None, 0.0, 0.25, 0.3, 0.9, 1.0)] == ["-1", "0", "1", "2", "4", "5"]
    assert sec.arm(task(0, 0.3, kind="gcd/small")) == "gcd/small"
    assert Sec(arms="band").arm(task(0, 0.3, kind="gcd/small")) == "2"
    assert band(0.75) == 3


def test_a_gradient_step_by_hand():
    one, pcl = task(0, question="2"), Pcl(rate=2.0, epochs=1)
    assert len(features_of(" 2")) == 2  # the constant and the word
    assert pcl.predict(GAME, one) == 0.5
    observed(pcl, 0, shown(one, 1.0), shown(one, 0.5))  # the mean rate is 0.75
    weight = 2.0 * 2 * 0.25 * 0.25 / math.sqrt(2)  # rate * 2 (r - V) V (1 - V) * feature
    assert pcl.predict(GAME, one) == pytest.approx(1 / (1 + math.exp(-2 * weight / math.sqrt(2))))


def test_features_are_words_pairs_and_triples_without_repetition():
    assert len(features_of("1 + 1")) == 1 + 2 + 2 + 1  # constant; 1 and +; "1 +" and "+ 1"; "1 + 1"
    assert features_of("ONE") == features_of("one")
    assert features_of("") == (0,)


def test_it_predicts_tasks_that_were_never_tried():
    sums = [task(i, question=f"What is {i} + 1?") for i in range(20)]
    products = [task(20 + i, question=f"What is {i} * 77?") for i in range(20)]
    pcl = Pcl()
    for step in range(10):
        observed(pcl, step, *(shown(t, 1.0) for t in sums[:15]), *(shown(t, 0.0) for t in products[:15]))
    assert min(pcl.predict(GAME, t) for t in sums[15:]) > 0.7
    assert max(pcl.predict(GAME, t) for t in products[15:]) < 0.3


def test_the_candidates_nearest_to_the_target_are_played():
    tasks = [task(i, question=f"{'easy ' * (i < 10)}{'hard ' * (i >= 20)}") for i in range(30)]
    pcl = Pcl(candidates=1000)
    for step in range(30):
        observed(pcl, step, *(shown(t, 1.0 if t.index < 10 else 0.0 if t.index >= 20 else 0.5) for t in tasks))
    assert all(10 <= i < 20 for i in chosen(pcl, tasks, 4, matches=4))
    easy = make("pcl(target=1.0, candidates=1000)")
    easy.load_state_dict(pcl.state_dict())
    assert all(i < 10 for i in chosen(easy, tasks, 4, matches=4))
    few = [chosen(Pcl(candidates=1), tasks, 4, matches=4, seed=seed) for seed in range(3)]
    assert few[0] != few[1] != few[2]  # as many candidates as tasks: no choice


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
