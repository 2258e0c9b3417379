"""What is ranked against what: zero-sum matches, duplicate general-sum seats, forfeits, voids, self-meetings."""

import numpy as np
import pytest
from hypothesis import given, settings

from games import GameSpec
from league.outcomes.arrays import HashTable
from league.ratings import GameInfo
from tests.league.outcomes.units import pairing_outcomes
from tests.league.ratings.factories import DEAL, GAMES, POKER, TEAM, THREE, logs, result


def of(results, payoff, stakes=False):
    """The outcomes of one pairing; its seats are those of its first match."""
    seats = tuple(s.seat for s in results[0].seats) if results else ("first", "second")
    return pairing_outcomes(results, GameInfo(payoff, seats, stakes))


def shown(results, payoff, stakes=False):
    """Each outcome as ({player: rank}, rated)."""
    return [
        ({e.player: r for e, r in zip(o.entries, o.ranks, strict=True)}, o.rated) for o in of(results, payoff, stakes)
    ]


def deal(index, seller, buyer, scores, **kwargs):
    return result(index, (seller, buyer), scores, DEAL, pairing="deal", **kwargs)


@pytest.mark.parametrize(("scores", "ranks"), [((1, -1), (0, 1)), ((-1, 1), (1, 0)), ((0, 0), (0, 0))])
@pytest.mark.parametrize("payoff", ["zero_sum", "constant_sum"])
def test_a_zero_sum_match_ranks_its_seats(scores, ranks, payoff):
    [outcome] = of([result(0, "xy", scores)], payoff)
    assert (outcome.ranks, outcome.rated) == (ranks, True)


def test_scores_that_differ_in_their_last_bits_are_level():
    noise = 0.1 + 0.2 - 0.3
    assert noise != 0.0
    assert shown([result(0, "xy", (noise, -noise))], "zero_sum") == [({"x": 0, "y": 0}, True)]


def test_a_forfeit_ranks_last_whatever_the_score():
    assert shown([result(0, "xy", (5, -5), forfeits=["first"])], "zero_sum") == [({"x": 1, "y": 0}, True)]
    three = result(0, "xyz", (9, 1, 2), THREE, forfeits=["a"])
    assert shown([three], "zero_sum") == [({"x": 2, "y": 1, "z": 0}, True)]


def test_more_seats_rank_by_score_with_ties():
    assert shown([result(0, "xyz", (1, 1, -2), THREE)], "zero_sum") == [({"x": 0, "y": 0, "z": 2}, True)]


def test_a_truncated_match_is_level():
    cut = result(0, "xy", (3, -3), status="truncated")
    assert shown([cut], "zero_sum") == [({"x": 0, "y": 0}, True)]


def test_void_matches_and_self_meetings_have_no_outcome():
    for payoff, game in (("zero_sum", "openspiel/tic_tac_toe"), ("general_sum", DEAL), ("cooperative", TEAM)):
        void = result(0, "xy", (1, -1), game, status="void")
        self_ = result(1, "xx", (1, -1), game)
        assert of([void, self_], payoff) == []
    assert of([result(0, "xyx", (1, 0, -1), THREE)], "zero_sum") == []


def test_general_sum_compares_seller_with_seller_and_buyer_with_buyer():
    # The seller's seat is worth far more than the buyer's: within each match the seller earns more.
    log = [deal(0, "x", "y", (50, 10)), deal(1, "y", "x", (40, 20))]
    assert shown(log, "general_sum") == [({"x": 0, "y": 1}, True), ({"y": 1, "x": 0}, True)]
    # x made more of both seats: two wins, though it earned less than y in the second match.
    [seller, buyer] = of(log, "general_sum")
    assert [e.seat for e in seller.entries] == ["seller", "seller"]
    assert [e.seat for e in buyer.entries] == ["buyer", "buyer"]


def test_general_sum_may_split_or_draw():
    assert shown([deal(0, "x", "y", (50, 10)), deal(1, "y", "x", (50, 20))], "general_sum") == [
        ({"x": 0, "y": 0}, True),
        ({"y": 1, "x": 0}, True),
    ]


def test_nobody_loses_by_a_forfeit_opposite():
    # x forfeits as seller. y sold fairly; as buyer y never got its chance, and is not below x's fair 20.
    log = [deal(0, "x", "y", (0, -9), forfeits=["seller"]), deal(1, "y", "x", (40, 20))]
    assert shown(log, "general_sum") == [({"x": 1, "y": 0}, True), ({"y": 0, "x": 0}, True)]
    # x forfeits in both seats and loses both.
    log = [deal(0, "x", "y", (0, 0), forfeits=["seller"]), deal(1, "y", "x", (0, 9), forfeits=["buyer"])]
    assert shown(log, "general_sum") == [({"x": 1, "y": 0}, True), ({"y": 0, "x": 1}, True)]
    # Each forfeits as seller: both buyers were spoiled, both sellers forfeited: all level.
    log = [deal(0, "x", "y", (0, 3), forfeits=["seller"]), deal(1, "y", "x", (0, 9), forfeits=["seller"])]
    assert shown(log, "general_sum") == [({"x": 0, "y": 0}, True), ({"y": 0, "x": 0}, True)]


def test_general_sum_with_nobody_to_compare_with_is_not_rated():
    log = [deal(0, "x", "y", (50, 10)), deal(1, "y", "x", (0, 0), status="void")]
    assert shown(log, "general_sum") == [({"x": 0}, False), ({"y": 0}, False)]


def test_cooperative_matches_are_level_and_not_rated():
    assert shown([result(0, "xy", (3, 3), TEAM)], "cooperative") == [({"x": 0, "y": 0}, False)]


@settings(max_examples=60, deadline=None)
@given(logs())
def test_every_counted_seat_is_in_exactly_one_outcome(log):
    for pairing in {r.pairing for r in log}:
        matches = [r for r in log if r.pairing == pairing]
        payoff = GAMES[matches[0].game].payoff
        found = [id(e) for o in of(matches[::-1], payoff) for e in o.entries]
        counted = [
            id(s)
            for r in matches
            if r.status != "void" and len({s.player for s in r.seats}) == len(r.seats)
            for s in r.seats
        ]
        assert sorted(found) == sorted(counted)


def test_game_info_of_a_spec():
    spec = GameSpec("g-v0", {"s0": "seller", "s1": "buyer"}, "general_sum", "", 4)
    assert GameInfo.of(spec) == GameInfo("general_sum", ("s0", "s1"))


def hand(index, players, chips, **kwargs):
    return result(index, players, (chips, -chips), POKER, pairing="hand", **kwargs)


def test_games_with_stakes_are_told_by_the_size_of_their_returns():
    def info(low, high, payoff="zero_sum", total=0.0):
        return GameInfo.of(GameSpec("g", {"a": "x", "b": "y"}, payoff, "r", 9, total, returns_range=(low, high)))

    assert info(-2, 2).stakes
    assert info(0, 5, "constant_sum", 5.0).stakes
    assert not info(-1, 1).stakes
    assert not info(0, 1, "constant_sum", 1.0).stakes
    assert not info(-9, 9, "general_sum").stakes
    assert GameInfo.of(GameSpec("g", {"a": "x", "b": "y"}, "general_sum", "r", 9)).by_pairing


def test_with_stakes_the_sum_over_the_pairing_decides_both_its_matches():
    # x loses one chip in the first match and wins three, from the other seat with the same cards, in the second.
    log = [hand(0, "xy", -1), hand(1, "yx", -3)]
    assert shown(log, "zero_sum", stakes=True) == [({"x": 0, "y": 1}, True), ({"y": 1, "x": 0}, True)]
    first, second = of(log, "zero_sum", stakes=True)
    assert (first.roles_only, second.roles_only) == (False, True)
    level = [hand(0, "xy", 2), hand(1, "yx", 2)]
    assert shown(level, "zero_sum", stakes=True) == [({"x": 0, "y": 0}, True), ({"y": 0, "x": 0}, True)]


def test_with_stakes_a_forfeit_loses_the_pairing_whatever_the_chips():
    log = [hand(0, "xy", 5), hand(1, "yx", 1, forfeits=["second"])]
    assert shown(log, "zero_sum", stakes=True) == [({"x": 1, "y": 0}, True), ({"y": 0, "x": 1}, True)]


def test_half_a_pairing_with_stakes_is_not_rated():
    log = [hand(0, "xy", 5), hand(1, "yx", 1, status="void")]
    assert shown(log, "zero_sum", stakes=True) == [({"x": 0, "y": 0}, False)]


@pytest.mark.parametrize("spread", [1, 1 << 10, (1 << 61) // 5000])
def test_names_have_the_numbers_that_a_dictionary_gives(spread):
    """With a spread of 1,024 all names want one place of the first table."""
    rng, names, numbers = np.random.default_rng(3), HashTable(), {}
    for _ in range(40):
        some = rng.choice(5000, 300, replace=False) * spread
        before = len(numbers)
        out, new = names.numbers(some, before)
        listed = some.tolist()
        assert [listed[place] for place in new] == [name for name in listed if name not in numbers]
        assert out.tolist() == [numbers.setdefault(name, len(numbers)) for name in listed]
    assert len(numbers) > 4000
    assert names.numbers(np.zeros(0, np.int64), 9)[0].shape == (0,)


@pytest.mark.parametrize("names", [[5, 9, 5], [3, -1]])
def test_names_that_no_arena_wrote_are_refused(names):
    with pytest.raises(ValueError, match="a name"):
        HashTable().numbers(np.array(names), 0)
