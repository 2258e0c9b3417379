"""Teams: who stands on which side, what one player that fills a team counts for, how a mixed team shares a result."""

import msgspec
import pytest

from games import InputError
from league.config.tournament import RatingConfig
from league.matchmaking import Pairing, PairingContext, expand, make
from league.matchmaking.match_plans import seatings
from league.outcomes import is_counted, sides
from league.ratings import CountTable, GameInfo, OnlineRatings, Rating, RatingEngine, TrueSkill
from league.ratings import make as make_ratings
from league.ratings.online.trueskill_package import trueskill
from league.records.leaderboard import MatchCounts
from league.records.matches import Result, SeatResult
from tests.league.outcomes.units import pairing_outcomes
from tests.toys.team_games import Quiz, Tug

TUG, QUIZ = GameInfo.of(Tug.spec), GameInfo.of(Quiz.spec)
A, B = TUG.teams


def match(index, players, a_wins, *, forfeits=(), pairing="p", status="finished", game="tug-v0"):
    """One match of tug: `players` in seat order a1, b1, a2, b2."""
    won = {seat: 1.0 if (seat in A) == a_wins else -1.0 for seat in TUG.seats}
    seats = tuple(
        SeatResult(s, Tug.spec.seats[s], p, won[s], s in forfeits, turns=1, tokens=5, faults={"illegal": 1})
        for s, p in zip(TUG.seats, players, strict=True)
    )
    return Result(index, 0, pairing, f"m{index}", game, 1, "forfeit" if forfeits else status, "", seats, 0.1)


def quiz(index, players, scores):
    seats = tuple(SeatResult(s, Quiz.spec.seats[s], p, x) for s, p, x in zip(QUIZ.seats, players, scores, strict=True))
    return Result(index, 0, f"p{index}", f"q{index}", "quiz-v0", 1, "finished", "", seats, 0.1)


def test_one_player_in_all_seats_of_a_team_counts_once():
    [x], [y] = sides(match(0, "xyxy", True), TUG)
    assert (x.player, x.role, x.score, x.turns, x.tokens, x.faults) == ("x", "lead+anchor", 1.0, 2, 10, {"illegal": 2})
    assert y.player == "y"
    [outcome] = pairing_outcomes([match(0, "xyxy", True)], TUG)
    assert (outcome.ranks, outcome.groups) == ((0, 1), ())
    ratings = OnlineRatings({"tug-v0": TUG})
    ratings.add([match(0, "xyxy", True)])
    [first, second] = ratings.tables().overall
    assert (first.player, first.games, first.wins, second.losses) == ("x", 1, 1, 1)
    assert list(ratings.tables().roles["tug-v0"]) == ["lead+anchor"]
    one = TrueSkill().rate(Rating(25.0, 25 / 3), Rating(25.0, 25 / 3))
    assert ratings.rating("x") == pytest.approx(one[0], abs=1e-9)


def test_a_forfeit_of_one_seat_loses_the_match_for_its_team():
    [outcome] = pairing_outcomes([match(0, "xyxy", True, forfeits=["a2"])], TUG)
    assert {e.player: r for e, r in zip(outcome.entries, outcome.ranks, strict=True)} == {"x": 1, "y": 0}


def test_a_player_on_both_sides_says_nothing_and_one_twice_on_a_side_does():
    assert not is_counted(match(0, "xxyy", True), TUG)
    assert is_counted(match(0, "xyxy", True), TUG)
    assert is_counted(match(0, "wyxz", True), TUG)


def test_a_mixed_team_is_rated_by_the_team_update():
    ratings = OnlineRatings({"tug-v0": TUG}, RatingConfig(draw_probability={"tug-v0": 0.1}))
    ratings.add([match(0, "wyxz", True)])  # w and x against y and z
    env = trueskill.TrueSkill(draw_probability=0.1, tau=0.0, backend="scipy")
    (win, _), (loss, _) = env.rate([(env.create_rating(),) * 2, (env.create_rating(),) * 2], ranks=[0, 1])
    for player, expected in (("w", win), ("x", win), ("y", loss), ("z", loss)):
        assert ratings.rating(player) == pytest.approx((expected.mu, expected.sigma), abs=1e-9)
    rows = {row.player: row for row in ratings.tables().overall}
    assert [(rows[p].wins, rows[p].draws, rows[p].losses) for p in "wxyz"] == [(1, 0, 0)] * 2 + [(0, 0, 1)] * 2


@pytest.mark.parametrize("ranks", [(0, 1), (1, 0), (0, 0)])
@pytest.mark.parametrize("sizes", [(1, 2), (2, 2), (3, 1), (3, 3)])
def test_two_teams_in_closed_form_equal_the_package(sizes, ranks):
    ours = TrueSkill(tau=0.1, draw_probability=0.2)
    env = trueskill.TrueSkill(tau=0.1, draw_probability=0.2, backend="scipy")
    teams = [[Rating(20.0 + 3 * i + t, 2.0 + i) for i in range(n)] for t, n in enumerate(sizes)]
    expected = env.rate([tuple(env.create_rating(*r) for r in team) for team in teams], ranks=list(ranks))
    for team, others in zip(ours.rate_teams(teams, ranks), expected, strict=True):
        for rating, other in zip(team, others, strict=True):
            assert rating == pytest.approx((other.mu, other.sigma), abs=1e-9)


def test_extreme_upsets_between_teams_stay_finite():
    strong, weak = [Rating(500.0, 1.0)] * 2, [Rating(-500.0, 1.0)] * 2
    [lost, won] = TrueSkill().rate_teams([strong, weak], (1, 0))
    assert all(r.sigma > 0.0 and abs(r.mu) < 1e4 for r in (*lost, *won))


def test_the_batch_fit_counts_a_filled_team_as_its_player_and_a_mixed_one_not_at_all():
    table = CountTable({"tug-v0": TUG})
    table.add([match(0, "xyxy", True), match(1, "yxyx", False)])
    found = table.counts()
    assert (found.players, found.n.sum(), found.columns[7].tolist()) == (("x", "y"), 2, [2, 2])
    mixed = CountTable({"tug-v0": TUG})
    mixed.add([match(0, "wyxz", True), match(1, "ywzx", False)])
    assert mixed.counts().n.sum() == 0


def test_stakes_sum_over_the_pairing_side_by_side():
    info = msgspec.structs.replace(TUG, stakes=True)
    decided = pairing_outcomes([match(0, "xyxy", True), match(1, "yxyx", False)], info)  # x won both
    ranks = [{e.player: r for e, r in zip(o.entries, o.ranks, strict=True)} for o in decided]
    assert ranks == [{"x": 0, "y": 1}] * 2
    assert [o.roles_only for o in decided] == [False, True]


def test_general_sum_teams_are_compared_with_who_had_their_seats():
    info = msgspec.structs.replace(TUG, payoff="general_sum")
    first, second = pairing_outcomes([match(0, "xyxy", True), match(1, "yxyx", False)], info)
    assert [(e.player, e.seat) for e in first.entries] == [("x", "a1"), ("y", "a1")]
    assert [(e.player, e.seat) for e in second.entries] == [("y", "b1"), ("x", "b1")]
    assert (first.ranks, second.ranks, first.rated) == ((0, 1), (1, 0), True)


def test_whole_teams_are_rotated_on_one_seed():
    planned = expand([Pairing("tug-v0", ("x", "y"))], {"tug-v0": TUG}, run="r", seed=1, round=0, start=0)
    assert [list(p.match.seats.items()) for p in planned] == [
        [("a1", "x"), ("b1", "y"), ("a2", "x"), ("b2", "y")],
        [("a1", "y"), ("b1", "x"), ("a2", "y"), ("b2", "x")],
    ]
    assert len({p.match.seed for p in planned}) == 1


def test_one_player_per_seat_makes_mixed_teams_that_rotate_as_they_are():
    assert seatings(TUG, "wxyz") == [
        {"a1": "w", "b1": "y", "a2": "x", "b2": "z"},
        {"a1": "y", "b1": "w", "a2": "z", "b2": "x"},
    ]
    with pytest.raises(InputError, match="3 players for 2 sides of 2, 2 seats"):
        seatings(TUG, "xyz")
    uneven = GameInfo("zero_sum", ("a", "b", "c"), teams=(("a",), ("b", "c")))
    assert seatings(uneven, "xy") == [{"a": "x", "b": "y", "c": "y"}, {"a": "y", "b": "x", "c": "x"}]
    with pytest.raises(InputError, match="one per seat if all teams have the same size"):
        seatings(uneven, "xyz")


@pytest.mark.parametrize("id", ["round-robin", "swiss", "random", "rank-all"])
def test_a_game_of_two_teams_is_paired_as_one_of_two_seats(id):
    field = PairingContext(dict.fromkeys("abcd"), {"tug-v0": TUG}, 1, 5)
    pairings = make(id).next(field, 0, ())
    assert pairings
    assert all(len(set(p.players)) == 2 for p in pairings)
    log = [match(i, (a, b, a, b), a < b, pairing=str(i)) for i, (a, b) in enumerate(p.players for p in pairings)]
    assert make(id).next(PairingContext(dict.fromkeys("abcd"), {"tug-v0": TUG}, 2, 5), 1, log) is not None


def test_too_few_players_for_the_teams_is_told():
    with pytest.raises(InputError, match="has 2 teams and 1 of the players play it"):
        PairingContext({"a": None}, {"tug-v0": TUG})


@pytest.mark.parametrize("score", [2.0, 0.1])  # 0.1: the sums of its squares round
def test_equal_returns_have_no_interval(score):
    ratings = RatingEngine({"quiz-v0": QUIZ}, RatingConfig(), "xyz")
    ratings.add([quiz(i, "xyz", (score, 1, i % 2)) for i in range(40)])
    rows = {row.player: row for row in ratings.final("r", MatchCounts()).standings}
    assert rows["x"].score == pytest.approx(score)
    assert (rows["x"].score_low, rows["x"].score_high, rows["y"].score_low) == (None, None, None)
    assert rows["z"].score_low < 0.5 < rows["z"].score_high


def test_unrated_matches_move_nothing_and_show_mean_returns():
    games = {"quiz-v0": QUIZ, "tug-v0": TUG}
    log = [quiz(0, "xyz", (0.5, 1, 0)), quiz(1, "yzx", (0, 1, 1)), quiz(2, "xyz", (1, 0, 0))]
    ratings = RatingEngine(games, RatingConfig(), "xyz")
    ratings.add(log)
    shown = ratings.final("r", MatchCounts())
    assert {(row.rating, row.rated, row.bt_rating) for row in shown.standings} == {(25.0, False, None)}
    asked = {row.player: row for row in shown.roles["quiz-v0"]["proposer"]}
    assert (asked["x"].score, asked["x"].games) == (0.75, 2)
    assert asked["x"].score_high - 0.75 == pytest.approx(12.7062047 * 0.25, rel=1e-6)  # t(1), s / sqrt 2 = 0.25
    assert asked["y"].score_low is None  # one match
    assert shown.games["quiz-v0"][0].score >= shown.games["quiz-v0"][-1].score
    ratings.add([match(3, "xyxy", True)])
    rows = {row.player: row for row in ratings.final("r", MatchCounts()).standings}
    assert [rows[p].rated for p in "xyz"] == [True, True, False]
    assert (rows["x"].games, rows["x"].wins, rows["x"].draws) == (4, 1, 3)


def test_mean_returns_do_not_depend_on_the_order_of_the_log():
    log = [quiz(i, ("xyz", "yzx", "zxy")[i % 3], (0.1 * i, 0.3, 1 / (i + 1))) for i in range(9)]
    forward, backward = OnlineRatings({"quiz-v0": QUIZ}), OnlineRatings({"quiz-v0": QUIZ})
    forward.add(log)
    for one in reversed(log):
        backward.add([one])
    assert forward.tables().roles == backward.tables().roles


def test_bradley_terry_takes_teams():
    filled = make_ratings("bradley-terry", {"tug-v0": TUG})
    filled.add([match(i, "xyxy" if i % 2 else "yxyx", bool(i % 2), pairing=str(i // 2)) for i in range(12)])
    assert [row.player for row in filled.snapshot("", MatchCounts()).standings] == ["x", "y"]
    mixed = make_ratings("bradley-terry", {"tug-v0": TUG})
    mixed.add([match(i, "wyxz", True, pairing=str(i)) for i in range(12)])
    rows = {row.player: row for row in mixed.snapshot("", MatchCounts()).standings}
    assert {(rows[p].wins, rows[p].losses) for p in "wx"} == {(12, 0)}
