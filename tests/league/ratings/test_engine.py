"""The batch fit on the board, and the rating methods by name."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from league.board.findings import findings
from league.board.printed import board_text, to_json
from league.board.standing_columns import points
from league.config.tournament import RatingConfig
from league.ratings import BradleyTerry, CountTable, GameInfo, OnlineRatings, make, refine
from league.ratings.engine import RatingEngine
from league.ratings.one_thread import one_thread
from league.ratings.points import reference_of
from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.records.matches import Result, SeatResult
from tests.league.ratings.factories import GAMES, NODRAW, PAIR, TEAM, ZERO, logs, result, voided


def games(n=60, seed=0):
    rng = random.Random(seed)
    out = []
    for index in range(n):
        a, b = rng.sample("abcd", 2)
        score = 1.0 if rng.random() < 0.5 + 0.15 * (ord(b) - ord(a)) else -1.0
        out.append(result(index, (a, b), (score, -score)))
    return out


TEAMS = {"duo": GameInfo("zero_sum", ("a1", "a2", "b1", "b2"), teams=(("a1", "a2"), ("b1", "b2")))}


def seated(index, who, lead):
    """A match of `duo`: who sits where, and by how much the first team won."""
    roles = ("giver", "guesser", "giver", "guesser")
    scores = (lead, lead, -lead, -lead)
    places = zip(TEAMS["duo"].seats, roles, who, scores, strict=True)
    seats = tuple(SeatResult(*place) for place in places)
    return Result(index, 0, f"p{index}", f"m{index}", "duo", 1, "finished", "", seats, 0.1, seq=index + 1)


def snapshot(log):
    ratings = OnlineRatings(GAMES, None, "abcde")
    ratings.add(log)
    return ratings.snapshot("run", MatchCounts())


def fit(log):
    table = CountTable(GAMES, "abcde")
    table.add(log)
    return BradleyTerry().fit(table.counts())


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry"])
def test_void_matches_are_booked_to_the_player_that_made_them_void_and_rate_nobody(method):
    """Their tokens and failed attempts are booked too; a void match of nobody is in no row."""
    log = games()
    void = [voided(60, "ab", "bid"), voided(61, "ba", ""), voided(62, "ba", "play")]
    late = msgspec.structs.replace(void[0].seats[1], prompt_tokens=9, faults={"timeout": 2})
    void[0] = msgspec.structs.replace(void[0], seats=(void[0].seats[0], late))
    without, engine = (RatingEngine(GAMES, RatingConfig(method=method), "abcde") for _ in range(2))
    without.add(log)
    engine.add([*log, *void])
    before, after = without.final("r", MatchCounts()), engine.final("r", MatchCounts())
    assert [(r.player, r.rating, r.games, r.wins) for r in before.standings] == [
        (r.player, r.rating, r.games, r.wins) for r in after.standings
    ]
    for tables in (after.standings, after.games[ZERO]):
        rows = {row.player: row for row in tables}
        assert [rows[name].voids for name in "abcd"] == [1, 1, 0, 0]
        assert (rows["b"].prompt_tokens, rows["b"].faults) == (9, {"timeout": 2})
    tokens = {row.player: row.tokens for row in before.standings}
    more = {row.player: row.tokens - tokens[row.player] for row in after.standings}
    assert more == {"a": 30, "b": 30, "c": 0, "d": 0, "e": 0}


def test_refine_orders_the_rows_and_keeps_the_online_ratings():
    before, found = snapshot(games()), fit(games())
    after = refine(before, found, {ZERO: found})
    assert [r.rank for r in after.standings] == [1, 2, 3, 4, None]  # nobody without a match has a rank
    online = {r.player: (r.rating, r.low, r.high) for r in before.standings}
    for row in after.standings[:4]:
        assert row.low < row.rating < row.high
        assert (row.rating, row.low, row.high) == (row.bt_rating, row.bt_low, row.bt_high)
        assert (row.online_rating, row.online_low, row.online_high) == online[row.player]
        assert 1 <= row.rank_low <= row.rank <= row.rank_high <= 4
    assert after.standings[4].player == "e"
    assert after.standings[4].bt_rating is None
    assert after.standings[3].above_next is None
    assert after.games[ZERO][0].bt_rating is not None


def test_another_methods_rows_keep_their_order_and_claim_nothing_of_it():
    before, found = snapshot(games()), fit(games())
    after = refine(before, found, {ZERO: found}, lead=False)
    assert [(r.player, r.rank, r.rating) for r in after.standings] == [
        (r.player, r.rank, r.rating) for r in before.standings
    ]
    assert all(r.bt_low < r.bt_rating < r.bt_high for r in after.standings[:4])
    assert all((r.rank_low, r.rank_high, r.above_next, r.online_rating) == (None,) * 4 for r in after.standings)


METHOD_NAMES = ["trueskill", "bradley-terry"]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(logs(), st.sampled_from(METHOD_NAMES), st.booleans())
def test_order_ranks_and_probabilities_never_contradict_each_other(log, method, live):
    """Audit M4, over random results of all kinds of games: the row order was that of another model than the ranges."""
    found = RatingEngine(GAMES, RatingConfig(method=method), list("abcde"))
    found.add(log)
    shown = found.snapshot("run", MatchCounts()) if live else found.final("run", MatchCounts())
    roles = [] if live else [rows for by_role in shown.roles.values() for rows in by_role.values()]
    for rows in (shown.standings, *shown.games.values(), *roles):
        fitted = [row for row in rows if row.bt_rating is not None]
        assert fitted == list(rows[: len(fitted)])
        ordered = [(a, b) for a, b in pairwise(fitted) if a.rank and b.rank and a.rank < b.rank]
        assert all(a.rating >= b.rating for a, b in ordered)
        assert all(r.low <= r.rating <= r.high for r in fitted)
        assert all(r.rank_low <= r.rank <= r.rank_high for r in fitted if r.rank is not None)
        assert all(r.above_next >= 0.5 for r in fitted if r.above_next is not None)


def test_a_game_whose_teams_are_filled_whole_and_mixed_has_all_its_role_tables():
    """A plugin's matchmaker may do both. Mixed teams compare no two players, so their roles have no fit."""
    found = RatingEngine(TEAMS, RatingConfig(), list("ABCD"))
    log = [("AABB", 1.0), ("BBAA", 1.0), ("ABCD", 1.0), ("CDAB", 1.0)]
    for index, (who, lead) in enumerate(log):
        found.add([seated(index, who, lead)])
    roles = found.final("run", MatchCounts()).roles["duo"]
    assert sorted(roles) == ["giver", "giver+guesser", "guesser"]
    assert all(row.bt_rating is not None for row in roles["giver+guesser"])
    assert [row.bt_rating for row in roles["giver"]] == [None, None]


def test_matches_of_mixed_teams_alone_order_their_players_by_trueskill_and_not_by_name():
    found = RatingEngine(TEAMS, RatingConfig(), list("ABCDEF"))
    for index, who in enumerate(["FEAB", "FDBC", "EDAC", "FEBA", "FDCA"] * 3):
        found.add([seated(index, who, 1.0)])
    for shown in (found.snapshot("run", MatchCounts()), found.final("run", MatchCounts())):
        for rows in (shown.standings, shown.games["duo"]):
            assert {r.player for r in rows[:3]} == {"D", "E", "F"}
            assert [r.rating for r in rows] == sorted((r.rating for r in rows), reverse=True)
            assert findings(rows) == ()


def test_a_player_that_changes_gives_no_rank_to_those_without_a_match():
    """Once a player drifted, everyone counted as played."""
    log = [result(k, ("a", "b"), (1, -1) if k > 60 else (-1, 1)) for k in range(120)]
    log += [result(120 + k, ("b", "c"), (1, -1) if k % 3 else (-1, 1)) for k in range(30)]
    found = RatingEngine(GAMES, RatingConfig(), list("abcd"))
    found.add(log)
    shown = found.final("run", MatchCounts())
    assert "does better in its late matches" in " ".join(shown.checks[ZERO])
    last = shown.standings[-1]
    assert (last.player, last.rank, last.rank_low, last.p_best, last.bt_rating) == ("d", None, None, None, None)
    assert sum(row.p_best for row in shown.standings[:3]) == pytest.approx(1.0)


def test_methods_by_name_depend_on_the_set_of_results_alone():
    log = games()
    one, other = (make("bradley-terry", GAMES, RatingConfig(), "abcde") for _ in range(2))
    one.add(log)
    for late in random.Random(1).sample(log, len(log)):
        other.add([late])
    board = one.snapshot("run", MatchCounts())
    assert board == other.snapshot("run", MatchCounts())
    rows = board.standings
    assert [r.player for r in rows[:4]] == list("abcd")
    assert all(r.low < r.rating < r.high and r.wins + r.draws + r.losses == r.games for r in rows)
    assert board.games[ZERO][0].rating == pytest.approx(rows[0].rating)


def test_groups_that_never_met_are_ranked_each_by_itself_in_every_table():
    """One match of two strangers took the ranks of all others away."""
    log = [result(i, pair, (1, -1)) for i, pair in enumerate([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")] * 3)]
    found = RatingEngine(GAMES, RatingConfig(), list("abcd"))
    found.add(log)
    shown = found.final("run", MatchCounts())
    pools = (("a", "b"), ("c", "d"))
    assert (shown.pools, shown.game_pools) == (pools, {ZERO: pools})
    roles = shown.roles[ZERO].values()
    assert len(roles) == 2
    for rows in (shown.standings, shown.games[ZERO], *roles):
        assert sorted((r.player, r.rank) for r in rows) == [("a", 1), ("b", 2), ("c", 1), ("d", 2)]
        assert [r.rank for r in rows] == [1, 2, 1, 2]
        assert all(1 <= r.rank_low <= r.rank <= r.rank_high <= 2 for r in rows)
        assert rows[0].p_best + rows[1].p_best == pytest.approx(1.0)
        assert [r.above_next is not None for r in rows] == [True, False, True, False]
        assert all(r.p_order is None for r in rows)
        said = " ".join(findings(rows))
        assert said
        assert not {row.player for row in rows[2:]} & set(re.findall(r"\w+", said))
    one = to_json(shown, ZERO)
    assert one["pools"] == [["a", "b"], ["c", "d"]]
    assert "never met" in board_text(shown, ZERO).plain
    found.add([result(len(log), ("a", "c"), (1, -1))])
    assert [r.rank for r in found.final("run", MatchCounts()).games[ZERO]] == [1, 2, 3, 4]


def test_a_lineage_links_the_players_in_it_and_no_others():
    """Checkpoints are comparable through their training; players beside them that never met anybody of it are not."""
    pairs = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("e", "f"), ("f", "e")] * 3
    found = RatingEngine(GAMES, RatingConfig(lineage={"c": "b"}), list("abcdef"))
    found.add([result(i, pair, (1, -1)) for i, pair in enumerate(pairs)])
    shown = found.final("run", MatchCounts())
    assert shown.pools == (("a", "b", "c", "d"), ("e", "f"))
    ranks = {player: [r.rank for r in shown.standings if r.player in player] for player in ("abcd", "ef")}
    assert ranks == {"abcd": [1, 2, 3, 4], "ef": [1, 2]}


def test_the_table_of_each_game_says_where_its_prior_decides():
    """Only the table over all games did, though those of the games come first."""
    log = [result(i, "ab" if i % 2 else "ba", (1, -1) if i % 2 else (-1, 1), ZERO) for i in range(12)]
    log += [result(12 + i, "bc" if i % 2 else "cb", (1, -1) if i % 3 else (-1, 1), ZERO) for i in range(12)]
    log += [result(24 + i, "bc" if i % 2 else "cb", (1, -1) if i % 3 else (-1, 1), NODRAW) for i in range(12)]
    found = RatingEngine(GAMES, RatingConfig(), list("abc"))
    found.add(log)
    shown = found.final("run", MatchCounts())
    assert list(shown.game_prior) == [ZERO]
    assert "a is above" in shown.game_prior[ZERO]
    assert to_json(shown, ZERO)["prior"] == shown.game_prior[ZERO]
    assert to_json(shown, NODRAW)["prior"] is None
    assert f"{ZERO}: {shown.game_prior[ZERO]}" in " ".join(board_text(shown, width=400).plain.split("\n"))


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_players_of_unrated_games_come_after_the_others_by_any_method(method):
    kinds = GAMES | {TEAM: GameInfo("zero_sum", PAIR, rated=False)}
    found = RatingEngine(kinds, RatingConfig(method=method), list("abcd"))
    found.add([result(i, "ab", (1, -1)) for i in range(6)] + [result(6, "cd", (1, -1), TEAM)])
    rows = to_json(found.final("run", MatchCounts()))["standings"]
    assert [row["player"] for row in rows] == ["a", "b", "c", "d"]
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] for row in rows[:2])


def threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_while_it_runs_and_as_many_as_before_afterwards():
    import scipy.linalg  # noqa: F401

    before = threads()
    seen = one_thread(threads)()
    assert seen
    assert set(seen) == {1}
    assert threads() == before


def board(rounds: int = 12, **settings: object) -> Leaderboard:
    """a beats b in most matches, b beats c in all."""
    engine = RatingEngine(GAMES, RatingConfig(**settings), ["a", "b", "c"])  # type: ignore[arg-type]
    pairs = [("a", "b", i % 4 > 0) for i in range(rounds)] + [("b", "c", True)] * rounds
    for i, (x, y, won) in enumerate(pairs):
        players, scores = ((x, y), (1, -1)) if i % 2 else ((y, x), (-1, 1))
        engine.add([result(i, players, scores if won else scores[::-1])])
    return engine.final("", MatchCounts())


def test_points_are_stated_against_the_first_player_or_the_one_that_is_named() -> None:
    rows = {row.player: row for row in board().standings}
    assert (rows["a"].points_low, rows["a"].points, rows["a"].points_high) == (50.0, 50.0, 50.0)
    named = {row.player: row for row in board(reference="b").games[ZERO]}
    assert points(named["b"]) == "reference"
    assert points(named["c"]).startswith("at most ")
    assert 50 < (named["a"].points or 0) < 90
    assert (named["a"].points_low or 0) < (named["a"].points or 0) < (named["a"].points_high or 0)


@pytest.mark.parametrize(
    ("name", "players", "reference"),
    [
        ("", ("a", "random"), "random"),
        ("", ("a", "b"), "a"),
        ("b", ("a", "b", "random"), "b"),
        ("gone", ("a", "b"), "a"),
    ],
)
def test_the_reference(name: str, players: tuple[str, ...], reference: str) -> None:
    rows = [Standing(player, 1, 25, 20, 30, 4, 2, 0, 2, 0) for player in players]
    assert reference_of(name, players, rows) == reference


def test_without_matches_there_is_no_reference() -> None:
    rows = [Standing("a", None, 25, 20, 30, 0, 0, 0, 0, 0)]
    assert reference_of("", ("a",), rows) == ""
