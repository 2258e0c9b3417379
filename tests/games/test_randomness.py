"""Seeded streams, isolated generators and chance moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.chance import has_chance, spec_with_chance
from games.isolated_rng import IsolatedGenerators
from games.randomness import STEP, RandomStream, choose, derive
from tests import golden
from tests.toys.faults import having
from tests.toys.small_games import Race


def test_splitmix64_reference_values():
    stream = RandomStream(1234567)  # the reference implementation's published first outputs for this seed
    assert [stream.bits() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_draws_are_uniform():
    stream, n = RandomStream(3), 60_000
    counts = [0] * 6
    for _ in range(n):
        counts[stream.below(6)] += 1
    chi2 = sum((c - n / 6) ** 2 / (n / 6) for c in counts)
    assert chi2 < 20.5  # 99.9% quantile of chi-square with 5 degrees of freedom
    assert abs(sum(stream.random() for _ in range(n)) / n - 0.5) < 0.01


def test_weighted_follows_the_weights_and_never_draws_zero():
    stream = RandomStream(5)
    drawn = [stream.weighted([0.0, 3.0, 1.0, 0.0]) for _ in range(20_000)]
    assert set(drawn) == {1, 2}
    assert abs(drawn.count(1) / len(drawn) - 0.75) < 0.02


def test_shuffled_is_a_permutation_and_leaves_its_input():
    items = list(range(20))
    assert sorted(RandomStream(1).shuffled(items)) == items == list(range(20))
    assert RandomStream(1).shuffled(items) != RandomStream(2).shuffled(items)


def test_derived_seeds_differ_by_every_label():
    seeds = {derive(s, a, b) for s in range(5) for a in ("x", "y") for b in range(5)}
    assert len(seeds) == 50
    assert derive(1, "ab", "c") != derive(1, "a", "bc")
    assert all(0 <= s < 1 << 63 for s in seeds)


@given(st.integers(-(2**70), 2**70), st.integers(1, 1000))
def test_a_single_draw_is_the_first_of_its_stream(seed, count):
    items = range(count)
    stream = RandomStream(seed)
    assert [choose(seed + n * STEP, items) for n in range(3)] == [stream.choice(items) for _ in range(3)]


@pytest.mark.parametrize(
    "change",
    [
        lambda: np.random.seed(7),
        lambda: np.random.seed([1, 2, 3]),  # starts with the same word and index as every other seed of several numbers
        lambda: np.random.rand(),
        lambda: np.random.standard_normal(),
        lambda: np.random.bytes(4 * 624),  # all words anew, the same index
    ],
)
@pytest.mark.parametrize("before", [lambda: None, lambda: np.random.seed([4, 5]), np.random.standard_normal])
def test_a_rewind_undoes_whatever_was_done_to_numpys_generator(before, change):
    own = IsolatedGenerators(1)
    with own.active():
        before()
    with own.tried() as rewind:
        rewind()
        expected = np.random.standard_normal(700).tolist()
        for _ in range(2):
            rewind()
            change()
            rewind()
            assert np.random.standard_normal(700).tolist() == expected


@pytest.mark.parametrize(("id", "chance"), golden.rows(__file__, "randomness_which_games_have_chance"))
def test_which_games_have_chance(id, chance):
    assert has_chance(games.make(id)) is chance


def test_a_game_that_declares_nothing_is_found_out():
    assert spec_with_chance(Race()).chance is True
    assert spec_with_chance(having(Race, reset=lambda game, seed: Race.reset(game, 0))()).chance is False


def test_a_game_that_fails_counts_as_one_with_chance():
    failing = having(Race, reset=lambda game, seed: Race.reset(game, 9 // (seed - 3)))
    assert has_chance(failing()) is True
