"""The plan of a step."""

from collections import Counter

import pytest

import games
from arena.match import Episode
from league.config.training import parse_training
from league.training.cast import Cast
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.participants.policy_id import PlayerNames
from league.training.schedule import plan_step, result_of
from tests.league.training.runs import KUHN, plans
from tests.toys.team_games import Tug

LIVE = "t"
NAMES = PlayerNames(["t"], copies=2)


def config(**more):
    return parse_training({"name": "t", "steps": 10, "games": [KUHN], "matches_per_step": 8} | more)


def planned(c, step=0, snapshots=(), anchors=(), start=0, frozen=()):
    plan, policy = plans(c)
    strangers = [game for game, spec in policy.specs.items() if spec.strangers]
    population = OpponentPool(c.opponents, c.snapshots, dict.fromkeys(policy.specs, anchors), strangers=strangers)
    for s in snapshots:
        population.add(s)
    cast = Cast(plan, policy, lambda policy, role, step: role not in frozen)
    return plan_step(cast, population, step, start)


def test_self_play_fills_every_seat_on_different_seeds():
    plan = planned(config())
    assert [set(p.match.seats.values()) for p in plan] == [{LIVE}] * 8
    assert len({p.match.seed for p in plan}) == 8


def test_a_step_is_planned_the_same_again_and_another_step_differently():
    c = config(opponents={"self": 0.5, "anchors": 0.5}, anchors=[{"name": "a", "player": "random"}])
    assert planned(c, 3, anchors=("a",)) == planned(c, 3, anchors=("a",))
    assert [p.match.seed for p in planned(c, 3)] != [p.match.seed for p in planned(c, 4)]
    assert [p.index for p in planned(c, start=100)] == list(range(100, 108))


def test_against_others_the_policy_takes_every_seat_on_one_seed():
    c = config(opponents={"self": 0, "snapshots": 1})
    plan = planned(c, snapshots=[Snapshot("s@0", 0, 0)])
    for first, second in zip(plan[::2], plan[1::2], strict=True):
        assert first.match.seed == second.match.seed
        assert first.pairing == second.pairing
        assert first.match.seats == {"player_0": LIVE, "player_1": "s@0"}
        assert second.match.seats == {"player_0": "s@0", "player_1": LIVE}


def test_a_group_shares_its_seed_and_plays_under_names_of_its_own():
    plan = planned(config(advantage="grpo", group=4))
    assert [p.match.seats["player_0"] for p in plan[:4]] == [LIVE, f"{LIVE}#1", f"{LIVE}#2", f"{LIVE}#3"]
    assert len({p.match.seed for p in plan}) == 2


def test_a_frozen_role_plays_on_and_does_not_learn():
    assert planned(config(), frozen=["first"])[0].match.seats == {"player_0": "t (frozen)", "player_1": LIVE}
    c = config(opponents={"self": 0, "snapshots": 1})
    seats = [p.match.seats for p in planned(c, snapshots=[Snapshot("s@0", 0, 0)], frozen=["first"])]
    assert seats == [{"player_0": "s@0", "player_1": LIVE}] * 8


def test_games_are_mixed_by_weight():
    c = config(games=[{"id": KUHN, "weight": 3}, {"id": "openspiel/tic_tac_toe"}], matches_per_step=2000)
    counts = Counter(p.match.game for p in planned(c))
    assert abs(counts[KUHN] / 2000 - 0.75) < 0.04


def test_the_result_against_an_opponent():
    def episode(seats, returns, status="finished"):
        return Episode("m", KUHN, 0, seats, {}, (), returns, status)

    assert result_of("t", NAMES, episode({"a": "t#1", "b": "x"}, {"a": 2.0, "b": -2.0})) == ("x", 1.0)
    assert result_of("t", NAMES, episode({"a": "x", "b": "t"}, {"a": 2.0, "b": -2.0})) == ("x", 0.0)
    assert result_of("t", NAMES, episode({"a": "x", "b": "t"}, {"a": 0.0, "b": 0.0})) == ("x", 0.5)
    assert result_of("t", NAMES, episode({"a": "t", "b": "t"}, {"a": 1.0, "b": -1.0})) is None
    assert result_of("t", NAMES, episode({"a": "t", "b": "x"}, {"a": 0.0, "b": 0.0}, "void")) is None


def test_against_others_the_policy_takes_every_team_whole():
    games.register("tug-v0")(Tug)
    c = config(games=["tug-v0"], opponents={"self": 0, "anchors": 1}, anchors=[{"name": "a", "player": "random"}])
    plan = planned(c, anchors=("a",))
    for one, two in zip(plan[::2], plan[1::2], strict=True):
        assert one.match.seats == {"a1": LIVE, "b1": "a", "a2": LIVE, "b2": "a"}
        assert two.match.seats == {"a1": "a", "b1": LIVE, "a2": "a", "b2": LIVE}
        assert one.match.seed == two.match.seed
    partly = planned(c, anchors=("a",), frozen=["lead"])
    assert partly[0].match.seats == {"a1": "t (frozen)", "b1": "a", "a2": LIVE, "b2": "a"}


def test_among_strangers_the_policy_takes_one_seat_of_a_team():
    id = "spy-v2(closed=True,players=4,rounds=1)"
    c = config(games=[id], opponents={"self": 0, "snapshots": 1})
    for one, two in zip(*[iter(planned(c, snapshots=[Snapshot("s@0", 0, 0)]))] * 2, strict=True):
        assert list(one.match.seats.values()) == [LIVE, "s@0", "s@0", "s@0"]
        assert list(two.match.seats.values()) == ["s@0", LIVE, "s@0", "s@0"]
    assert {*planned(config(games=[id], opponents={"self": 1}))[0].match.seats.values()} == {LIVE}

    def caught(seats):
        returns = {"spy": -1.0, "c0": 0.5, "c1": 0.5}
        return Episode("m", id, 0, dict(zip(returns, seats, strict=True)), {}, (), returns, "finished")

    teams = (("spy",), ("c0", "c1"))
    assert result_of("t", NAMES, caught(("x", "t", "x")), teams) == ("x", 1.0)
    assert result_of("t", NAMES, caught(("t", "x", "x")), teams) == ("x", 0.0)
    assert result_of("t", NAMES, caught(("t", "x", "t")), (("spy", "c0", "c1"),)) == ("x", 0.0)


@pytest.mark.parametrize("id", ["taboo-v2", "spy-v2", "search-v1"])
def test_in_a_game_of_strangers_a_policy_meets_its_first_snapshot_by_default(id):
    """No match has the live policy on two sides, so a code that it agrees on with itself is never heard."""
    snapshots = [Snapshot("s@0", 0, 0), Snapshot("s@9", 9, 1)]
    for match in planned(config(games=[id]), snapshots=snapshots):
        seats = [*match.match.seats.values()]
        assert (seats.count(LIVE), {*seats} - {LIVE}) == (1, {"s@0"})


def test_in_a_game_of_one_team_another_player_is_the_partner():
    c = config(games=["pragmatic-v1"], opponents={"self": 0, "snapshots": 1})
    plan = planned(c, snapshots=[Snapshot("s@0", 0, 0)])
    for one, two in zip(plan[::2], plan[1::2], strict=True):
        assert one.match.seats == {"speaker": LIVE, "listener": "s@0"}
        assert two.match.seats == {"speaker": "s@0", "listener": LIVE}
        assert one.match.seed == two.match.seed
    before = c.model_copy(update={"partners": False})
    for one in planned(before, snapshots=[Snapshot("s@0", 0, 0)]):
        assert one.match.seats == {"speaker": LIVE, "listener": LIVE}
