"""The table is a function of the set of results: any order of arrival, any batches, bit for bit."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import InputError, UnknownName, plugins
from league.config.tournament import RatingConfig
from league.ratings import OnlineRatings, Rating, TrueSkill, check_game_names, draw_probability, ids, make
from league.ratings.online.draw_probability import DEFAULT
from league.records.leaderboard import MatchCounts
from tests.league.ratings.factories import DEAL, GAMES, NODRAW, TEAM, THREE, ZERO, logs, result

PRIOR = Rating(25.0, 25.0 / 3.0)


def rated(results=(), players=(), config=None):
    made = OnlineRatings(GAMES, config, players)
    made.add(results)
    return made


def everything(one):
    return one.snapshot("run", MatchCounts())


def row(one, player):
    return next(r for r in one.tables().overall if r.player == player)


@settings(max_examples=25, deadline=None)
@given(logs(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_table_of_the_sorted_fold_at_every_moment(log, rng):
    shuffled = rng.sample(log, len(log))
    live, taken = rated(), []
    while shuffled:
        size = rng.choice([1, 1, 2, 3])
        batch, shuffled = shuffled[:size], shuffled[size:]
        taken += batch
        live.add(batch)
        fresh = rated()
        for one in sorted(taken, key=lambda r: r.index):
            fresh.add([one])
        assert everything(live) == everything(fresh) == everything(rated(taken))


@settings(max_examples=60, deadline=None)
@given(logs())
def test_wins_draws_and_losses_add_up_to_games(log):
    one = rated(log)
    rows = [*one.tables().overall]
    for table in one.tables().games.values():
        rows += table
    for tables in one.tables().roles.values():
        for table in tables.values():
            rows += table
    for r in rows:
        assert r.wins + r.draws + r.losses == r.games
        assert r.low < r.rating < r.high
        assert r.high - r.rating == pytest.approx(1.96 * (r.high - r.low) / 3.92, rel=1e-3)
    for r in one.tables().overall:
        mine = [x for table in one.tables().games.values() for x in table if x.player == r.player]
        assert r.games == sum(x.games for x in mine)
        assert r.faults == {}


def test_a_long_run_out_of_order_equals_the_run_in_order():
    rng = random.Random(5)
    names = [f"p{i}" for i in range(12)]
    log = []
    for i in range(600):
        x, y = rng.sample(names, 2)
        score = rng.choice([1, 0, -1])
        log.append(result(i, (x, y), (score, -score), rng.choice([ZERO, DEAL]), pairing=f"p{i // 2}"))
    log = [
        r
        if i % 2 == 0
        else result(
            i, (log[i - 1].seats[1].player, log[i - 1].seats[0].player), (0.5, 0.2), log[i - 1].game, pairing=r.pairing
        )
        for i, r in enumerate(log)
    ]
    late = sorted(log, key=lambda r: r.index + rng.random() * 40)
    late.append(late.pop(3))  # one slow match holds the frontier back for the whole run
    live = rated()
    for one in late:
        live.add([one])
    assert everything(live) == everything(rated(log))


def test_self_meetings_change_exactly_nothing():
    base = [result(0, "xy", (1, -1)), result(1, "yx", (1, -1))]
    selves = [result(2 + i, "xx", (1, -1), pairing=f"s{i}") for i in range(200)]
    selves += [result(202 + i, "yy", (3, 1), DEAL, pairing=f"d{i // 2}") for i in range(200)]
    one = rated(base + selves)
    assert everything(one) == everything(rated(base))


def test_void_matches_change_exactly_nothing():
    base = [result(0, "xy", (1, -1))]
    voids = [result(1 + i, "xy", (0, 0), status="void", faults={"first": {"error": 1}}) for i in range(20)]
    assert everything(rated(base + voids)) == everything(rated(base))


def test_a_match_counts_once():
    one = rated([result(0, "xy", (1, -1)), result(2, "xy", (1, -1))])
    before = everything(one)
    for again in (0, 2):
        with pytest.raises(ValueError, match=f"match {again} was added before"):
            one.add([result(1, "xy", (1, -1)), result(again, "xy", (1, -1))])
    with pytest.raises(ValueError, match="match 5 was added before"):
        one.add([result(5, "xy", (1, -1)), result(5, "xy", (1, -1))])
    assert everything(one) == before
    one.add([result(1, "xy", (1, -1))])  # a refused batch left nothing behind
    assert row(one, "x").games == 3


def test_a_result_of_an_unknown_game_is_refused():
    with pytest.raises(ValueError, match="known: openspiel/tic_tac_toe"):
        OnlineRatings({ZERO: GAMES[ZERO]}).add([result(0, "xy", (1, -1), NODRAW)])


def test_one_match_moves_three_ratings_by_the_games_environment():
    env = TrueSkill(draw_probability=draw_probability(ZERO, RatingConfig()))
    winner, loser = env.rate(env.new(), env.new())
    one = rated([result(0, "xy", (1, -1))], players=["x", "y", "z"])
    for where in ((), (ZERO,), (ZERO, "first")):
        assert one.rating("x", *where) == pytest.approx(winner)
    assert one.rating("y", ZERO, "second") == pytest.approx(loser)
    assert one.rating("y", ZERO, "first") == one.rating("y", NODRAW) == one.rating("z") == PRIOR
    assert one.tables().roles[ZERO]["first"][0].player == "x"
    assert one.tables().games[NODRAW] == ()


def test_three_seats_move_by_the_package():
    env = TrueSkill(draw_probability=draw_probability(THREE, RatingConfig()))
    wanted = env.rate_ranks([env.new()] * 3, [1, 0, 2])
    one = rated([result(0, "xyz", (0, 5, -5), THREE)])
    assert [one.rating(p, THREE) for p in "xyz"] == [pytest.approx(r) for r in wanted]
    assert [(row(one, p).wins, row(one, p).losses) for p in "xyz"] == [(0, 1), (1, 0), (0, 1)]


def test_a_level_result_in_a_game_that_cannot_draw_brings_ratings_together():
    assert draw_probability(NODRAW, RatingConfig()) == 0.0
    log = [result(0, "xy", (1, -1), NODRAW), result(1, "xy", (0, 0), NODRAW, status="truncated")]
    before, after = rated(log[:1]), rated(log)
    assert before.rating("y").mu < after.rating("y").mu < after.rating("x").mu < before.rating("x").mu
    assert after.rating("x").sigma < before.rating("x").sigma
    assert row(after, "x").draws == 1
    three = rated([result(0, "xyz", (0, 0, 0), THREE, status="truncated")])
    assert [row(three, p).draws for p in "xyz"] == [1, 1, 1]


def test_a_general_sum_pairing_is_rated_when_all_of_it_ended():
    first = result(0, "xy", (50, 10), DEAL, pairing="d")
    second = result(1, "yx", (40, 20), DEAL, pairing="d")
    one = rated([second], players="xy")
    assert one.rating("x") == PRIOR
    assert row(one, "x").games == 0
    one.add([first])
    assert (row(one, "x").wins, row(one, "y").losses) == (2, 2)
    assert row(one, "x").score == 35.0
    env = TrueSkill(draw_probability=draw_probability(DEAL, RatingConfig()))
    winner, loser = env.rate(env.new(), env.new())
    assert one.rating("x", DEAL, "seller") == pytest.approx(winner)
    assert one.rating("y", DEAL, "buyer") == pytest.approx(loser)
    assert one.rating("x", DEAL) == pytest.approx(env.rate(winner, loser)[0])


def test_cooperative_matches_are_counted_and_not_rated():
    one = rated([result(0, "xy", (7, 7), TEAM)])
    assert one.rating("x") == PRIOR
    assert (row(one, "x").games, row(one, "x").draws, row(one, "x").score) == (1, 1, 7.0)


def test_rows_count_what_happened():
    log = [
        result(0, "xy", (-1, 1), forfeits=["first"], faults={"first": {"illegal": 3}}),
        result(1, "yx", (1, -1), faults={"second": {"illegal": 1, "empty": 2}}),
    ]
    one = row(rated(log), "x")
    assert (one.forfeits, one.turns, one.tokens, one.score) == (1, 4, 20, -1.0)
    assert one.faults == {"empty": 2, "illegal": 4}


def test_players_are_listed_by_rating_then_name_and_the_unplayed_last():
    one = rated([result(0, "xy", (1, -1))], players=["zoe", "amy", "x"])
    assert [(r.rank, r.player) for r in one.tables().overall] == [(1, "x"), (2, "y"), (None, "amy"), (None, "zoe")]


def test_the_order_of_matches_matters_so_plan_order_is_kept():
    log = [result(0, "xy", (1, -1)), result(1, "yz", (1, -1)), result(2, "zx", (1, -1))]
    other = [result(2, "xy", (1, -1)), result(1, "yz", (1, -1)), result(0, "zx", (1, -1))]
    assert rated(log).rating("x") != rated(other).rating("x")


def test_draw_probabilities():
    config = RatingConfig(draw_probability={NODRAW: 0.2, THREE: 0.3, "pettingzoo/connect_four_v3": 0.4})
    assert draw_probability(NODRAW, config) == 0.2
    assert draw_probability(THREE, config) == 0.3
    assert draw_probability("openspiel/hex(board_size=4)", config) == 0.2
    assert draw_probability("pettingzoo/connect_four_v3", config) == 0.4
    assert draw_probability("pettingzoo/connect_four_v3", RatingConfig()) == 0.01
    assert draw_probability("pettingzoo/tictactoe_v3", RatingConfig()) == 0.4
    assert draw_probability("nobody-v0", RatingConfig()) == DEFAULT


def test_draw_probabilities_by_a_name_alone_and_of_no_game():
    config = RatingConfig(draw_probability={"hex": 0.2, "openspiel/hex": 0.1, "connect_four": 0.3})
    assert draw_probability("openspiel/hex(board_size=4)", config) == 0.1
    assert draw_probability("nobody/hex", config) == 0.2
    assert draw_probability("pettingzoo/connect_four_v3", config) == 0.3
    check_game_names(config, ["openspiel/hex(board_size=4)", "nobody/hex", "pettingzoo/connect_four_v3"])
    with pytest.raises(InputError, match="'connect_four' is not a game of this file; its games: openspiel/hex"):
        check_game_names(config, ["openspiel/hex"])


def test_rating_methods_by_name():
    assert ids() == ["bradley-terry", "trueskill"]
    assert isinstance(make("trueskill", GAMES, RatingConfig(), ["x"]), OnlineRatings)
    with pytest.raises(UnknownName, match="did you mean 'trueskill'"):
        make("trueskil", GAMES)
    with pytest.raises(InputError, match="wrong parameters"):
        make("trueskill(nonsense=1)", GAMES)


def test_a_plugin_rating_method_must_keep_the_contract():
    plugins.forget()
    plugins.register("arena.ratings", "mine")(lambda games, config, players: object())
    with pytest.raises(InputError, match="made a object, not Ratings"):
        make("mine", GAMES)
