"""tax-v0: taxes and utilities to the digit, best responses, the linear optimum, the grid, a planner that finds it."""

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
import games
from arena import players
from games.native.tax import tax
from games.native.tax.economy import Economy, equality_times_productivity, gini, grid_optimum, linear_optimum
from games.native.tax.reference import economy_of, planner_reward, worker_reward
from games.native.tax.texts import changes, listed_changes
from tests import golden
from tests.games.native.matches import starter

started = starter(tax)

THREE = Economy((1.5, 3.0, 8.0), 0.5, 2)


def work(game, hours):
    game.apply(dict.fromkeys(game.acting, f"<answer>{hours}</answer>"))
    return game


def plan(game, text):
    game.apply({"planner": text})
    return game


def test_taxes_and_utilities_to_the_digit():
    """Income 300 pays 10% of the first 150 and 50% of the rest: 90. Effort of 100 hours at e = 1/2: 1000 / 3."""
    assert THREE.tax((10, 50), 300) == 90.0
    assert THREE.tax((10, 50), 120) == 12.0
    assert THREE.effort(100) == pytest.approx(1000 / 3)
    paid = THREE.utilities((10, 50), (0, 100, 0))
    assert paid == pytest.approx((30, 300 - 90 + 30 - 1000 / 3, 30))


def test_welfare_by_the_papers():
    assert equality_times_productivity([1, 2, 3, 4]) == pytest.approx(1.6667, abs=1e-4)
    assert gini([1, 2, 3, 4]) == pytest.approx(0.25)
    hours = (0, 100, 0)
    utilities = THREE.utilities((10, 50), hours)
    assert THREE.welfare("sum", (10, 50), hours) == pytest.approx(sum(utilities))
    assert THREE.welfare("inverse", (10, 50), hours) == pytest.approx(utilities[0] + utilities[1] / 300 + utilities[2])
    assert THREE.welfare("lowest", (10, 50), hours) == min(utilities)
    coins = (30, 240, 30)
    assert THREE.welfare("equality", (10, 50), hours) == pytest.approx(equality_times_productivity(coins))


@settings(max_examples=40, deadline=None)
@given(
    st.floats(1, 10),
    st.sampled_from([0.25, 0.5, 1.0]),
    st.lists(st.integers(0, 10), min_size=3, max_size=3),
    st.floats(0, 100),
)
def test_no_hours_beat_the_best_response(wage, elasticity, tens, hours):
    economy, rates = Economy((1.0,) * 3, elasticity, 3), [10 * t for t in tens]
    best = economy.best_hours(rates, wage)
    assert economy.own(rates, wage, best) >= economy.own(rates, wage, hours) - 1e-9


def test_without_taxes_hours_follow_the_formula():
    """(w / k)^e = 100 (w / 10)^e."""
    for e in (0.25, 0.5, 1.0):
        assert Economy((1.0, 1.0), e, 1).best_hours((0,), 4.0) == pytest.approx(100 * 0.4**e)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(1, 10), min_size=2, max_size=6), st.sampled_from([0.25, 0.5, 1.0]), st.data())
def test_the_linear_case_matches_the_formula(wages, elasticity, data):
    """Welfare sum g u under a flat tax is highest at the closed form, exactly: nothing near it is better."""
    weights = data.draw(
        st.lists(st.floats(0, 5), min_size=len(wages), max_size=len(wages)).filter(lambda g: sum(g) > 0.1)
    )
    economy = Economy(tuple(wages), elasticity, 1)

    def welfare(rate):
        hours = [economy.best_hours((100 * rate,), w) for w in wages]
        return sum(g * u for g, u in zip(weights, economy.utilities((100 * rate,), hours), strict=True))

    best = linear_optimum(wages, weights, elasticity, len(wages))
    if not 0.01 < best < 0.99:
        return
    top = welfare(best)
    assert all(welfare(other / 100) <= top + 1e-9 for other in range(101))
    for step in (1e-3, 1e-4):
        assert welfare(best - step) <= top >= welfare(best + step)


def test_the_formula_of_saez_is_the_limit_of_many_workers():
    """(1 - g') / (1 - g' + e): g' = 0 for e = 1/2 gives 2/3."""
    wages, weights = (1.0, 2.0, 9.0), (2.0, 0.8, 0.2)
    assert linear_optimum(wages, (1.0, 1.0, 1.0), 0.5) == pytest.approx(0.0, abs=1e-12)
    assert linear_optimum((1e-9, 5.0), (1.0, 0.0), 0.5) == pytest.approx(2 / 3)
    assert linear_optimum(wages, weights, 0.5, 10**6) == pytest.approx(linear_optimum(wages, weights, 0.5), abs=1e-5)


def test_the_grid_is_next_to_the_formula():
    """With `lowest` all weight is on the lowest wage, so the best flat rate of the grid rounds the closed form."""
    economy = Economy((1.5, 3.0, 8.0), 0.5, 1)
    exact = linear_optimum(economy.wages, (1.0, 0.0, 0.0), 0.5, 3)
    (found,) = grid_optimum(economy, "lowest").rates
    assert exact == pytest.approx(0.9517, abs=1e-4)
    assert abs(found - 100 * exact) < 20
    assert grid_optimum(economy, "sum").rates == (0,)


@pytest.mark.parametrize("welfare", ["equality", "inverse"])
def test_a_planner_comes_within_five_percent_of_the_grid(welfare):
    """With best-responding workers, in each of six economies."""
    for seed in range(6):
        game = games.make(f"tax(welfare={welfare},terms=1)")
        seats = dict.fromkeys(game.spec.seats, players.make("policy"))
        episode = arena.play(game.spec.id, seats, seed=seed)
        assert episode.facts["welfare"] >= 0.95 * episode.facts["best"]["welfare"]
        assert episode.returns["planner"] >= -0.5


def test_a_planner_earns_by_what_it_learns_of_the_economy():
    """No fixed rates earn half of what the best rates of each economy do, on average."""
    drawn = [economy_of(number, 3, 2)[0] for number in range(30)]

    def earned(*rates):
        return fmean(planner_reward(one, "equality", one.responded("equality", rates)) for one in drawn)

    fixed = max(earned(low, high) for low in range(0, 101, 20) for high in range(0, 101, 20))
    assert [planner_reward(one, "equality", 0.0) for one in drawn[:3]] == [-1.0] * 3
    best = fmean(planner_reward(one, "equality", grid_optimum(one, "equality").welfare) for one in drawn)
    assert best > max(0.5, 3 * fixed)


def test_two_time_scales():
    game = started(years=2, terms=3)
    order = []
    while game.acting:
        order.append(len(game.acting))
        plan(game, "<answer>0, 0</answer>") if game.acting == ("planner",) else work(game, 10)
    assert order == [1, 3, 3, 3, 1, 3, 3, 3]
    assert len(game.facts()["hours"]) == 6


@pytest.mark.parametrize(("text", "read"), golden.rows(__file__, "tax_how_changes_are_read"))
def test_how_changes_are_read(text, read):
    assert changes(text, 2) == read


def test_rates_stay_between_0_and_100():
    game = started()
    for _ in range(5):
        plan(game, "<answer>20, -20</answer>")
        for _ in range(2):
            work(game, 0)
    assert game.facts()["rates"][-1] == [100, 0]
    assert all(0 <= r <= 100 for rates in game.facts()["rates"] for r in rates)


def test_what_cannot_be_read_costs():
    game = started(years=2, terms=1)
    rates = game.data("planner")["rates"]
    plan(game, "Lower taxes for all!")
    assert game.data("planner")["rates"] == rates
    workers = game.acting
    game.apply(dict.fromkeys(workers, "a lot"))
    plan(game, "<answer>0, 0</answer>")
    economy = Economy(tuple(game.facts()["wages"]), game.facts()["elasticity"], 2)
    best = [f"<answer>{economy.best_hours(rates, wage):.3f}</answer>" for wage in economy.wages]
    game.apply(dict(zip(workers, best, strict=True)))
    assert game.facts()["hours"][0] == dict.fromkeys(workers, 0.0)
    assert len(game.outcomes()["planner"].unread) == len(game.outcomes()["worker_0"].unread) == 1
    paid = planner_reward(economy, "equality", game.facts()["welfare"])
    assert game.returns()["planner"] == pytest.approx(max(-1.0, paid - 0.5))
    worked = [
        (rates, hours["worker_0"]) for rates, hours in zip(game.facts()["rates"], game.facts()["hours"], strict=True)
    ]
    assert game.returns()["worker_0"] == worker_reward(economy, economy.wages[0], worked)
    assert game.returns()["worker_0"] == pytest.approx(0.5, abs=1e-3)


def test_a_worker_earns_by_its_look_at_the_brackets():
    """The best hours at the mean, the first or the higher rate earned three quarters of what the best hours do."""
    terms = [(20, 80), (80, 20)] * 3

    def earned(wage, seen):
        return worker_reward(THREE, wage, [(rates, THREE.best_hours(seen(rates), wage)) for rates in terms])

    low, high = 1.5, 8.0  # an income in the first bracket, and one in the second
    assert [earned(wage, lambda rates: rates) for wage in (low, high)] == [1.0, 1.0]
    assert [earned(wage, lambda rates: (50, 50)) for wage in (low, high)] == [0.0, 0.0]
    assert [earned(wage, lambda rates: (rates[0],) * 2) for wage in (low, high)] == [1.0, 0.0]
    assert [earned(wage, lambda rates: (max(rates),) * 2) for wage in (low, high)] == [0.5, 0.5]


def test_no_threshold_of_the_wage_tells_which_rate_counts():
    """Rates of 20% and 80%, in both orders: hours by one rate, chosen by the wage, earn little more than half."""
    drawn = [economy_of(number, 3, 2)[0] for number in range(60)]

    def earned(threshold):
        return fmean(
            worker_reward(one, wage, [(rates, one.best_hours((rates[wage >= threshold],) * 2, wage))])
            for one in drawn
            for wage in one.wages
            for rates in ((20, 80), (80, 20))
        )

    assert all(earned(threshold / 2) < 0.65 for threshold in range(2, 21))


def test_a_worker_that_chooses_from_a_list_earns_by_the_nearest_hours_of_it():
    assert worker_reward(THREE, 3.0, [((20, 80), hours) for hours in (40, 50)], step=10) == 0.5


def test_the_planner_reads_incomes_but_no_wages():
    game = plan(started(), "<answer>0, 0</answer>")
    for _ in range(2):
        work(game, 30)
    text = game.observe("planner").text
    assert "incomes" in text
    assert "wage" not in text
    assert "Your wage" in game.observe("worker_1").text


def test_a_closed_game_lists_changes_and_hours():
    game = started(closed=True, brackets=1, economies=3)
    assert game.legal("planner") == listed_changes(1) == ("-20", "-10", "0", "10", "20")
    plan(game, "-10")
    assert game.legal("worker_0")[-1] == "100"
    assert len({tuple(started(seed, economies=3).facts()["wages"]) for seed in range(20)}) == 3
