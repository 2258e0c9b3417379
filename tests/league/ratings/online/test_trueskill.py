"""The closed form against the `trueskill` package, against known values, and where the package fails."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.ratings import Rating, TrueSkill
from league.ratings.online import truncated_normal
from league.ratings.online.trueskill_package import trueskill

ENVIRONMENTS = [
    {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 0.0, "draw_probability": 0.1},
    {"mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6, "tau": 25 / 300, "draw_probability": 0.5},
    {"mu": 1500.0, "sigma": 350.0, "beta": 175.0, "tau": 3.0, "draw_probability": 0.01},
]
PACKAGE = [trueskill.TrueSkill(**constants, backend="scipy") for constants in ENVIRONMENTS]
OURS = [TrueSkill(**constants) for constants in ENVIRONMENTS]

skills = st.tuples(st.floats(-2.0, 2.0), st.floats(0.05, 1.5))


def scaled(skill, constants):
    """A drawn skill, in prior standard deviations, on the scale of an environment."""
    return Rating(constants["mu"] + skill[0] * constants["sigma"], skill[1] * constants["sigma"])


def package_two(env, a, b, drawn):
    return trueskill.rate_1vs1(env.create_rating(*a), env.create_rating(*b), drawn=drawn, env=env)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2), skills, skills, st.booleans())
def test_two_players_equal_the_package(which, a, b, drawn):
    a, b = scaled(a, ENVIRONMENTS[which]), scaled(b, ENVIRONMENTS[which])
    wanted = package_two(PACKAGE[which], a, b, drawn)
    for mine, theirs in zip(OURS[which].rate(a, b, drawn=drawn), wanted, strict=True):
        assert mine.mu == pytest.approx(theirs.mu, rel=1e-9, abs=1e-9)
        assert mine.sigma == pytest.approx(theirs.sigma, rel=1e-9, abs=1e-9)


def test_known_values_of_the_published_example():
    # Two new players, one wins; and a draw: the values of the package's documentation and of Moser's article.
    env = TrueSkill(tau=25 / 300)
    a, b = env.rate(env.new(), env.new())
    assert (round(a.mu, 3), round(a.sigma, 3)) == (29.396, 7.171)
    assert (round(b.mu, 3), round(b.sigma, 3)) == (20.604, 7.171)
    a, b = env.rate(env.new(), env.new(), drawn=True)
    assert (round(a.mu, 3), round(a.sigma, 3)) == (25.0, 6.458)
    assert env.quality(env.new(), env.new()) == pytest.approx(0.447, abs=5e-4)


# (x, v, 1 - w) to 25 digits of mpmath.
WIN_TAILS = [
    (6.0, 6.07588285581767645e-9, 0.999999963544702828),
    (0.5, 0.509160433837033486, 0.486175435696367103),
    (-3.0, 3.28309865493043651, 0.0705591867852681169),
    (-4.999, 5.18553666897418926, 0.0327072629260399141),
    (-5.0, 5.18650396712584212, 0.0326964346171122253),
    (-12.0, 12.0822141752542843, 0.00667072633584586433),
    (-40.0, 40.0249688472072637, 0.000622668378591388773),
    (-228.0, 228.00438579618563, 0.0000192344682665733993),
    (-10000.0, 10000.000099999998, 9.99999940000005e-9),
]
# (t, e, v, 1 - w)
DRAW_TAILS = [
    (0.5, 1e-07, -0.499999999999998333, 3.33333333333332692e-15),
    (0.5, 0.009, -0.49998650016402384, 0.0000269995990548503965),
    (0.5, 0.1, -0.498335831152088026, 0.00332723133690804332),
    (3.0, 0.3, -2.9154419616577745, 0.0254781379443917278),
    (4.9, 0.1, -4.88394307829850849, 0.00317529975469120696),
    (5.2, 0.1, -5.18299325205451025, 0.00315672020770136843),
    (12.0, 0.1, -11.9634209159226437, 0.00255372497381242182),
    (40.0, 1.0, -39.0256074199301085, 0.000654882770293284303),
    (300.0, 0.2, -299.803335482819734, 0.0000111251981034286483),
    (300.0, 0.0001, -299.999999000059996, 3.33273341459466139e-9),
]


@pytest.mark.parametrize(("x", "v", "u"), WIN_TAILS)
def test_the_tail_of_a_win(x, v, u):
    assert truncated_normal.win(x) == (pytest.approx(v, rel=1e-13), pytest.approx(u, rel=1e-10))


@pytest.mark.parametrize(("t", "e", "v", "u"), DRAW_TAILS)
def test_the_tail_of_a_draw(t, e, v, u):
    assert truncated_normal.draw(t, e) == (pytest.approx(v, rel=1e-11), pytest.approx(u, rel=1e-9))
    assert truncated_normal.draw(-t, e) == (pytest.approx(-v, rel=1e-11), pytest.approx(u, rel=1e-9))


@pytest.mark.parametrize("gap", [100.0, 228.0, 1e3, 1e6, 1e12, 1e150])
@pytest.mark.parametrize("drawn", [False, True])
def test_extreme_upsets_stay_finite(gap, drawn):
    env = TrueSkill(sigma=1.0, beta=1.0)
    a, b = env.rate(Rating(-gap, 1.0), Rating(gap, 1.0), drawn=drawn)
    assert all(math.isfinite(x) for x in (*a, *b))
    assert a.mu > -gap
    assert b.mu < gap
    assert 0.0 < a.sigma < 1.0
    assert 0.0 < b.sigma < 1.0


def test_the_package_fails_where_we_do_not():
    env = trueskill.TrueSkill(sigma=1.0, beta=0.5, tau=0.0, backend="scipy")
    with pytest.raises(FloatingPointError):
        trueskill.rate_1vs1(env.create_rating(-250.0, 1.0), env.create_rating(250.0, 1.0), env=env)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_ratings_that_are_not_numbers_are_refused(bad):
    env = TrueSkill()
    for drawn in (False, True):
        with pytest.raises(ValueError, match="finite"):
            env.rate(Rating(25.0, 8.0), Rating(bad, 8.0), drawn=drawn)


def test_a_draw_with_draw_probability_zero_is_an_error():
    env = TrueSkill(draw_probability=0.0)
    a = env.new()
    with pytest.raises(ValueError, match="draw_probability"):
        env.rate(a, a, drawn=True)
    with pytest.raises(ValueError, match="draw_probability"):
        env.rate_ranks([a, a, a], [0, 0, 1])
    assert env.rate(a, a)[0].mu > a.mu


@pytest.mark.parametrize("bad", [{"sigma": 0.0}, {"beta": -1.0}, {"tau": -0.1}, {"draw_probability": 1.0}])
def test_constants_outside_their_range_are_refused(bad):
    with pytest.raises(ValueError, match="must be"):
        TrueSkill(**bad)


@pytest.mark.parametrize("drawn", [False, True])
def test_no_update_widens_a_rating(drawn):
    env = TrueSkill()
    for gap in np.linspace(-60, 60, 41):
        a, b = env.rate(Rating(25 + gap, 3.0), Rating(25, 6.0), drawn=drawn)
        assert a.sigma <= 3.0
        assert b.sigma <= 6.0


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(skills, st.integers(0, 9)), min_size=3, max_size=5, unique_by=lambda seat: seat[1]))
def test_more_seats_equal_the_package(seats):
    constants, env = ENVIRONMENTS[0], PACKAGE[0]
    ratings = [scaled(skill, constants) for skill, _ in seats]
    ranks = [rank for _, rank in seats]
    wanted = env.rate([(env.create_rating(*r),) for r in ratings], ranks=ranks)
    for mine, (theirs,) in zip(OURS[0].rate_ranks(ratings, ranks), wanted, strict=True):
        assert mine.mu == pytest.approx(theirs.mu, abs=1e-9)
        assert mine.sigma == pytest.approx(theirs.sigma, abs=1e-9)


@settings(max_examples=8, deadline=None)
@given(st.lists(skills, min_size=3, max_size=3), st.sampled_from([(0, 0, 0), (0, 0, 1), (0, 1, 1)]))
def test_ties_are_the_mean_of_the_package_over_the_orders_of_listing(players, ranks):
    constants, env = ENVIRONMENTS[0], PACKAGE[0]
    ratings = [scaled(skill, constants) for skill in players]
    listings = list(permutations(range(3)))
    mu, variance = [0.0] * 3, [0.0] * 3
    for order in listings:
        teams = [(env.create_rating(*ratings[i]),) for i in order]
        for i, (rated,) in zip(order, env.rate(teams, ranks=[ranks[i] for i in order]), strict=True):
            mu[i] += rated.mu / len(listings)
            variance[i] += rated.sigma**2 / len(listings)
    for mine, m, v in zip(OURS[0].rate_ranks(ratings, ranks), mu, variance, strict=True):
        assert mine.mu == pytest.approx(m, abs=1e-6)
        assert mine.sigma == pytest.approx(v**0.5, abs=1e-6)


def test_more_seats_survive_extreme_upsets():
    env = TrueSkill()
    for ranks in permutations(range(3)):
        rated = env.rate_ranks([Rating(-1e4, 1.0), Rating(0.0, 1.0), Rating(1e4, 1.0)], ranks)
        assert all(math.isfinite(x) for r in rated for x in r)


def test_two_ranks_take_the_closed_form_and_teams_the_package():
    env, package = OURS[0], PACKAGE[0]
    a, b = Rating(20.0, 5.0), Rating(30.0, 4.0)
    assert env.rate_ranks([a, b], [1, 0]) == list(reversed(env.rate(b, a)))
    assert env.rate_ranks([a, b], [0, 0]) == list(env.rate(a, b, drawn=True))
    mine = env.rate_teams([[a, b], [b, a]], [0, 1])
    r = [package.create_rating(*a), package.create_rating(*b)]
    theirs = package.rate([(r[0], r[1]), (r[1], r[0])], ranks=[0, 1])
    for x, y in zip([*mine[0], *mine[1]], [*theirs[0], *theirs[1]], strict=True):
        assert (x.mu, x.sigma) == (pytest.approx(y.mu, abs=1e-9), pytest.approx(y.sigma, abs=1e-9))


def test_the_global_environment_is_never_touched():
    before = repr(trueskill.global_env())
    TrueSkill(mu=0.0, sigma=1.0, beta=0.5).rate_ranks([Rating(0.0, 1.0)] * 3, [0, 1, 2])
    assert repr(trueskill.global_env()) == before


def test_predictions():
    env, package = OURS[0], PACKAGE[0]
    a, b = Rating(28.0, 2.0), Rating(25.0, 4.0)
    win, draw, loss = env.probabilities(a, b)
    assert win + draw + loss == pytest.approx(1.0)
    assert env.probabilities(b, a) == pytest.approx((loss, draw, win))
    assert env.probabilities(a, a)[0] == pytest.approx(env.probabilities(a, a)[2])
    exact = TrueSkill(draw_probability=0.25)
    known = Rating(25.0, 1e-9)
    assert exact.probabilities(known, known)[1] == pytest.approx(0.25)  # what draw_probability means
    assert env.quality(a, b) == pytest.approx(
        trueskill.quality_1vs1(package.create_rating(*a), package.create_rating(*b), env=package)
    )
    table = env.qualities(np.array([28.0, 25.0]), np.array([2.0, 4.0]))
    assert table[0, 1] == table[1, 0] == pytest.approx(env.quality(a, b))
    assert table[0, 0] == pytest.approx(env.quality(a, a))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.0, 50.0), st.floats(0.5, 9.0)), min_size=3, max_size=6),
    st.data(),
)
def test_ties_do_not_depend_on_the_order_of_listing(players, data):
    """Audit: tied players moved by up to .11 points more or less by the order they were named in."""
    env = TrueSkill()
    ratings = [Rating(*p) for p in players]
    ranks = data.draw(st.lists(st.integers(0, 1), min_size=len(ratings), max_size=len(ratings)))
    moved = data.draw(st.permutations(range(len(ratings))))
    one = env.rate_ranks(ratings, ranks)
    other = env.rate_ranks([ratings[i] for i in moved], [ranks[i] for i in moved])
    for place, i in enumerate(moved):
        assert other[place] == pytest.approx(one[i], abs=1e-9)


def test_tied_players_of_equal_ratings_stay_equal():
    rated = TrueSkill().rate_ranks([Rating(25.0, 8.0)] * 5, [0, 0, 0, 0, 1])
    assert len(set(rated[:4])) == 1
    assert rated[0].mu > 25.0 > rated[4].mu
