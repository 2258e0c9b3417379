"""Known faults of other leagues and rating libraries, tested here with every rating method that is shipped.

Where a part has its own tests of the same thing, they are beside it; these go through the whole path of a run.
"""

import json
import random

import msgspec
import pytest

from games import RandomStream
from league import matchmaking
from league.config.tournament import RatingConfig
from league.matchmaking import expand
from league.matchmaking.pfsp_weights import KINDS
from league.ratings import BradleyTerry, CountTable, OnlineRatings, RatingEngine, TrueSkill
from league.records.leaderboard import MatchCounts
from league.sprt import pairs
from league.training.opponent_pool import OpponentRecord, sample_by_rate
from tests.league.ratings.factories import GAMES, NODRAW, PAIR, ZERO, result

METHODS = ("trueskill", "bradley-terry")


def shown(method, log, players="abcd"):
    """The tables of a log by a method."""
    ratings = RatingEngine(GAMES, RatingConfig(method=method), players)
    ratings.add(log)
    return ratings.final("run", MatchCounts())


def ladder(rounds, seed=0):
    """Matches of four players of falling strength, who sits where drawn by lot."""
    rng, log = random.Random(seed), []
    for index in range(rounds):
        a, b = rng.sample("abcd", 2)
        first = rng.random() < (0.8 if a < b else 0.2)
        log.append(result(index, (a, b), (1, -1) if first else (-1, 1)))
    return log


def test_one_that_beats_everyone_still_draws_opponents_in_training():
    """The same, in the population of a training."""
    always = OpponentRecord()
    for _ in range(2000):
        always.add(1.0)
    stream = RandomStream(1)
    for kind in KINDS:
        assert {sample_by_rate("abc", [always.rate] * 3, kind, stream) for _ in range(99)} == set("abc")
        assert {sample_by_rate("ab", [1.0, 1.0], kind, stream) for _ in range(99)} == set("ab")


@pytest.mark.parametrize("method", METHODS)
def test_200_self_meetings_change_nothing(method):
    """UnstableBaselines: 200 matches against itself move an agent from 25.0 +- 8.3 to 34.1 +- 0.8."""
    log = ladder(40)
    mirrors = [result(40 + i, ("a", "a"), (1, -1)) for i in range(200)]
    assert shown(method, log + mirrors) == shown(method, log)


def test_200_self_meetings_say_nothing_to_pairing_decisions_and_meta_game(tmp_path):
    mirrors = [result(i, ("a", "a"), (1, -1), pairing=f"p{i // 2}") for i in range(200)]
    assert pairs(mirrors, GAMES, "a") == []
    table = CountTable(GAMES)
    table.add(mirrors)
    assert table.counts().n.sum() == 0


def test_a_draw_with_draw_probability_0_is_an_error_and_never_widens():
    """trueskill 0.4.5: sigma 8.00 becomes 9.25 without a word."""
    rules = TrueSkill(draw_probability=0.0)
    with pytest.raises(ValueError, match="draw_probability is 0"):
        rules.rate_teams([[rules.new()] * 2, [rules.new()] * 2], (0, 0))
    ratings = OnlineRatings(GAMES, RatingConfig(draw_probability={NODRAW: 0.0}))
    before = ratings.rating("a").sigma
    ratings.add([result(0, ("a", "b"), (0, 0), NODRAW, status="truncated")])
    assert ratings.rating("a").sigma < before


@pytest.mark.parametrize("method", METHODS)
def test_extreme_upsets_stay_finite(method):
    """trueskill raises FloatingPointError at a gap of 232; Elo-like fits run away from whoever wins everything."""
    log = [result(i, ("a", "b"), (1, -1)) for i in range(400)]
    log += [result(400 + i, ("a", "b"), (-1, 1)) for i in range(3)]
    rows = shown(method, log, "ab").standings
    text = json.dumps(msgspec.to_builtins(rows), allow_nan=False)
    assert '"rating"' in text
    assert all(row.low < row.rating < row.high and abs(row.rating) < 1000 for row in rows)


def test_seats_assigned_by_name_do_not_bias_ranks():
    """Equal players, the first seat wins three times in four, names in alphabetical order in the seats."""
    rng = random.Random(5)
    log, index = [], 0
    for _ in range(150):
        for i, a in enumerate("abcd"):
            for b in "abcd"[i + 1 :]:
                first = rng.random() < 0.75
                log.append(result(index, (a, b), (1, -1) if first else (-1, 1)))
                index += 1
    table = CountTable(GAMES)
    table.add(log)
    fit = BradleyTerry().fit(table.counts().only(ZERO))
    assert fit.seats[ZERO][0].advantage > 1.0
    assert max(fit.ratings) - min(fit.ratings) < 2.0  # of the 25 that a league usually spans
    online = OnlineRatings(GAMES)
    online.add(log)
    assert online.rating("a").mu - online.rating("d").mu > 4.0  # what the seat term takes out
    planned_ = expand([matchmaking.Pairing(ZERO, ("a", "b"))], {ZERO: GAMES[ZERO]}, run="r", seed=1, round=0, start=0)
    assert [tuple(m.match.seats) for m in planned_] == [PAIR, PAIR]
    assert [list(m.match.seats.values()) for m in planned_] == [["a", "b"], ["b", "a"]]


def test_draws_are_not_losses():
    """RLlib's league example counts every match that was not won as lost."""
    log = [result(i, ("a", "b"), (0, 0)) for i in range(20)]
    rows = {row.player: row for row in shown("trueskill", log, "ab").standings}
    assert [(row.wins, row.draws, row.losses) for row in rows.values()] == [(0, 20, 0)] * 2
    assert abs(rows["a"].rating - rows["b"].rating) < 1e-9


def test_the_packages_global_environment_is_not_ours():
    """DI-engine: constants given in the wrong order, and then the global environment rates."""
    from league.ratings.online.trueskill_package import trueskill

    trueskill.setup(mu=0.0, sigma=1.0, beta=0.1, tau=0.5)
    try:
        changed = shown("trueskill", ladder(20))
    finally:
        trueskill.setup()
    assert changed == shown("trueskill", ladder(20))
