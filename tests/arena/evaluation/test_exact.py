"""Exact evaluation, compared with values known from the rules or from OpenSpiel's own algorithms."""

import asyncio

import pytest

import games
from arena import players
from arena.evaluation import AveragePolicy, evaluate, read_table, tabulate
from games import InputError
from games.openspiel.tree import decisions
from tests.toys.players import Mixing, first_listed


def table_of(player, id):
    walked = tabulate(games.make(id))
    return walked, asyncio.run(read_table(player, walked))


def uniform(id):
    return table_of(players.make("random"), id)


@pytest.mark.parametrize(
    ("id", "nash_conv", "decisions"),
    [
        ("openspiel/kuhn_poker", 0.9166666667, 12),
        ("openspiel/leduc_poker", 4.7472222222, 936),
        ("openspiel/liars_dice(numdice=1,dice_sides=3)", 1.1111111111, 192),
    ],
)
def test_uniform_play_has_the_known_nash_conv(id, nash_conv, decisions):
    walked, table = uniform(id)
    exact = evaluate(games.make(id), table)
    assert exact.nash_conv == pytest.approx(nash_conv)
    assert exact.exploitability == pytest.approx(nash_conv / 2)
    assert exact.decisions == len(walked.decisions) == decisions


def test_the_solver_is_an_equilibrium_of_kuhn_poker_with_value_minus_an_eighteenth():
    exact = evaluate(games.make("openspiel/kuhn_poker"), table_of(players.make("solver"), "openspiel/kuhn_poker")[1])
    assert exact.nash_conv < 1e-3
    assert exact.values["player_0"] == pytest.approx(-1 / 18, abs=1e-3)


def test_perfect_play_of_tic_tac_toe_cannot_be_beaten_and_uniform_play_nearly_always():
    game = games.make("openspiel/tic_tac_toe")
    assert evaluate(game, table_of(players.make("solver"), "openspiel/tic_tac_toe")[1]).nash_conv == 0
    exact = evaluate(game, uniform("openspiel/tic_tac_toe")[1])
    # Uniform against uniform: X wins 0.585, O wins 0.288 of all matches.
    assert exact.values["player_0"] == pytest.approx(0.5849 - 0.2881, abs=1e-3)
    assert exact.best_responses["player_0"] == pytest.approx(0.9948, abs=1e-3)


def test_three_seats_are_summed_over():
    exact = evaluate(games.make("openspiel/kuhn_poker(players=3)"), uniform("openspiel/kuhn_poker(players=3)")[1])
    assert exact.nash_conv == pytest.approx(sum(exact.best_responses.values()) - sum(exact.values.values()))
    assert sum(exact.values.values()) == pytest.approx(0)


def test_a_player_is_asked_what_it_reads_in_play():
    """In an evaluation a player sees the same seats, observations and actions as in matches."""
    seen: dict[tuple[str, str], tuple[str, ...]] = {}

    def even(view):
        seen[view.seat, view.observation.text] = view.legal
        return dict.fromkeys(view.legal, 1 / len(view.legal))

    table_of(Mixing(even), "openspiel/kuhn_poker")
    assert len(seen) == 12
    game = games.make("openspiel/kuhn_poker")
    for seed in range(40):
        game.reset(seed)
        while game.acting:
            seat = game.acting[0]
            assert seen[seat, game.observe(seat).text] == game.legal(seat)
            game.apply({seat: game.legal(seat)[seed % 2]})


def test_a_player_whose_policy_cannot_be_read_gives_none():
    assert table_of(players.make("mcts(simulations=2)"), "openspiel/kuhn_poker")[1] is None


@pytest.mark.parametrize(
    ("id", "why"), [("openspiel/matrix_pd", "simultaneous"), ("bargain-v1", "not a game of OpenSpiel")]
)
def test_a_game_that_cannot_be_evaluated_says_why(id, why):
    with pytest.raises(InputError, match=why):
        tabulate(games.make(id))


def test_a_game_that_is_too_large_is_left_in_time():
    with pytest.raises(InputError, match="more than 100 positions"):
        decisions(games.make("openspiel/chess"), largest=100)


def test_a_reading_of_a_policy_counts_the_answered_positions():
    walked, counted = tabulate(games.make("openspiel/kuhn_poker")), []
    assert asyncio.run(read_table(first_listed(), walked, counted.append)) is not None
    assert counted == list(range(13))


def test_the_average_of_two_policies_earns_the_mean_of_what_they_earn():
    """Kuhn 1953: against any opponent the average policy earns the weighted mean of its parts' returns."""
    id = "openspiel/liars_dice(numdice=1,dice_sides=3)"
    game = games.make(id)
    walked, one = uniform(id)
    two = asyncio.run(read_table(first_listed(), walked))
    average = AveragePolicy(walked)
    average.add(one, 1.0)
    average.add(two, 3.0)
    mean = average.table()
    seat_of = {d.key: d.seat for d in walked.decisions}

    def value(first, second):
        mixed = {key: (first if seat_of[key] == "player_0" else second)[key] for key in one}
        return evaluate(game, mixed).values["player_0"]

    assert value(mean, one) == pytest.approx((value(one, one) + 3 * value(two, one)) / 4)
    assert value(one, mean) == pytest.approx((value(one, one) + 3 * value(one, two)) / 4)


def test_an_average_survives_json():
    import json

    walked, table = uniform("openspiel/kuhn_poker")
    average = AveragePolicy(walked)
    average.add(table, 2.5)
    other = AveragePolicy(walked)
    other.load_state_dict(json.loads(json.dumps(average.state_dict())))
    assert other.table() == average.table()
    assert other.state_dict() == average.state_dict()
