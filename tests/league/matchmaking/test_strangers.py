"""Games of strangers: a player takes one seat of a team, others of the run sit beside it and are not rated."""

from collections import Counter
from dataclasses import replace

import msgspec
import pytest

import games
from arena import Player, players
from arena.players.bots.scripted import ScriptedPlayer
from games import InputError
from games.native.spy import spy
from league import run_tournament
from league.config.tournament import parse_tournament
from league.matchmaking import Pairing, PairingContext, expand, make
from league.matchmaking.planner import Planner
from league.matchmaking.seating import challenger_seatings, seatings, strangers_for
from league.outcomes import compared_seats, is_counted, sides
from league.ratings import CountTable, GameInfo, OnlineRatings
from league.records.matches import Result, SeatResult
from league.sprt import pairs
from league.store import Store
from tests.toys.team_games import Tug

SPY = "spy-v2(closed=True,players=4,rounds=1)"
INFO = GameInfo.of(games.make(SPY).spec)
TUG = msgspec.structs.replace(GameInfo.of(Tug.spec), strangers=True)


def match(index, players, spy_wins, *, forfeits="", pairing="p"):
    """One match of spy: `players` in seat order spy, civilian_0, civilian_1, civilian_2."""
    returns = [1.0, -1 / 3, -1 / 3, -1 / 3] if spy_wins else [-1.0, 1 / 3, 1 / 3, 1 / 3]
    seats = tuple(
        SeatResult(seat, seat.split("_")[0], player, score, seat == forfeits)
        for seat, player, score in zip(INFO.seats, players, returns, strict=True)
    )
    return Result(index, 0, pairing, f"m{index}", SPY, 1, "forfeit" if forfeits else "finished", "", seats, 0.1)


def test_each_player_is_the_spy_once_and_the_same_strangers_sit_beside_both():
    assert [list(s.values()) for s in seatings(INFO, "ab", "cd")] == [["a", "b", "c", "d"], ["b", "a", "c", "d"]]
    assert [list(s.values()) for s in seatings(INFO, "ab", "c")] == [["a", "b", "c", "c"], ["b", "a", "c", "c"]]
    assert [list(s.values()) for s in seatings(INFO, "ab")] == [["a", "b", "b", "b"], ["b", "a", "a", "a"]]


def test_no_stranger_sits_in_two_teams():
    assert seatings(TUG, "xy", "vw")[0] == {"a1": "x", "b1": "y", "a2": "v", "b2": "w"}
    assert seatings(TUG, "xy", "v")[0] == {"a1": "x", "b1": "y", "a2": "v", "b2": "y"}


def test_strangers_are_drawn_from_the_other_entrants():
    drawn = Counter(strangers_for(INFO, "ab", "abcde", seed) for seed in range(300))
    assert set(drawn) == {(x, y) for x in "cde" for y in "cde" if x != y}
    assert strangers_for(INFO, "ab", "ba", 0) == ()
    plain = msgspec.structs.replace(INFO, strangers=False)
    assert strangers_for(plain, "ab", "abcde", 0) == ()
    assert strangers_for(INFO, "ab", "edcba", 7) == strangers_for(INFO, "ab", "abcde", 7)


def test_a_planned_pairing_seats_strangers_on_one_seed():
    context = PairingContext(dict.fromkeys("abcde"), {SPY: INFO}, rounds=1, seed=3)
    pairings = make("round-robin").next(context, 0, ())
    plans = expand(pairings, context.games, run="r", seed=3, round=0, start=0, entrants=context.entrants)
    assert len(plans) == 20
    for first, second in zip(plans[::2], plans[1::2], strict=True):
        assert first.match.seed == second.match.seed
        assert len(set(first.match.seats.values())) == 4
        one, two = first.match.seats, second.match.seats
        assert (one["spy"], one["civilian_0"]) == (two["civilian_0"], two["spy"])
        assert (one["civilian_1"], one["civilian_2"]) == (two["civilian_1"], two["civilian_2"])
    without = expand(pairings, context.games, run="r", seed=3, round=0, start=0)
    assert [p.match.seed for p in without] == [p.match.seed for p in plans]
    assert all(len(set(p.match.seats.values())) == 2 for p in without)


def test_only_the_players_of_a_pairing_are_rated():
    results = [match(0, "abcd", True), match(1, "bacd", False)]
    [spy], [civilian] = sides(results[0], INFO)
    assert (spy.player, civilian.player, civilian.role, civilian.score) == ("a", "b", "civilian", -1 / 3)
    assert [s.player for s in compared_seats(results[0], INFO)] == ["a", "b"]
    table = CountTable({SPY: INFO})
    table.add(results)
    assert table.counts().n.sum() == 2
    online = OnlineRatings({SPY: INFO}, players="abcd")
    online.add(results)
    rows = {row.player: row for row in online.tables().overall}
    assert {p: (rows[p].wins, rows[p].losses, rows[p].games) for p in "abcd"} == {
        "a": (2, 0, 2),
        "b": (0, 2, 2),
        "c": (0, 0, 0),
        "d": (0, 0, 0),
    }
    assert rows["a"].rating > rows["c"].rating > rows["b"].rating
    assert rows["c"].rating == rows["d"].rating
    assert pairs(results, {SPY: INFO}, "a") == [4]


def test_a_player_that_fills_its_team_counts_once():
    result = match(0, "abbb", True)
    [spy], [civilian] = sides(result, INFO)
    assert (spy.player, civilian.player, civilian.turns) == ("a", "b", 0)
    assert is_counted(result, INFO)
    assert not is_counted(match(0, "aabb", True), INFO)


@pytest.mark.parametrize(
    ("seat", "counts"), [("spy", True), ("civilian_0", True), ("civilian_1", False), ("civilian_2", False)]
)
def test_what_a_stranger_forfeits_does_not_count(seat, counts):
    assert is_counted(match(0, "abcd", seat == "spy", forfeits=seat), INFO) is counts


def test_a_challenger_takes_one_seat_of_each_team():
    assert [list(s.values()) for s in challenger_seatings(INFO, "new", "old")] == [
        ["new", "old", "old", "old"],
        ["old", "new", "old", "old"],
    ]


TOML = {
    "name": "spies",
    "games": [SPY],
    "seed": 5,
    "rounds": 2,
    "players": [{"name": name, "player": "random"} for name in "abcd"],
}


def test_a_tournament_of_strangers_is_rated_and_resumes(tmp_path):
    config = parse_tournament(TOML | {"db": f"sqlite:///{tmp_path}/spy.db"})
    board = run_tournament(config, board="off").snapshot
    assert [row.games for row in board.standings] == [12, 12, 12, 12]
    with Store.open(config.db) as store:
        run = store.run()
        results = sorted(store.results(run), key=index)
        replanned = Planner(run.spec).extend(0, 0, ())
    assert len(results) == 24
    assert all(len({s.player for s in r.seats}) == 4 for r in results)
    assert [p.match.seats for p in replanned] == [{s.seat: s.player for s in r.seats} for r in results]


def index(result):
    return result.index


def test_two_players_are_told_that_nobody_sits_beside_them(tmp_path, capsys):
    config = parse_tournament(TOML | {"db": f"sqlite:///{tmp_path}/spy.db", "players": TOML["players"][:2]})
    run_tournament(config, board="plain")
    assert "only a, b play it: each fills its whole team" in "".join(capsys.readouterr())


def test_mixed_teams_of_a_matchmaker_stay_as_they_are():
    assert seatings(TUG, "wxyz", "v")[0] == {"a1": "w", "b1": "y", "a2": "x", "b2": "z"}
    with pytest.raises(InputError):
        expand([Pairing(SPY, ("a", "b", "c"))], {SPY: INFO}, run="r", seed=1, round=0, start=0)


@players.register("says")
def says(policy: str) -> Player:
    """A scripted player of spy: `honest` clues and votes, or the code of the shortcut suite."""
    suite = games.make("spy").shortcuts()
    assert suite is not None
    code = next(s for s in suite.shortcuts if s.name == "a code word beside other words").plays["civilian"]
    honest = suite.honest["spy"]
    return ScriptedPlayer(policy, {"honest": honest, "code": code}[policy])


@games.register("allies-v0")
class Allies(spy):
    """spy in which one player is all civilians."""

    def __init__(self):
        super().__init__()
        self.spec = replace(self.spec, strangers=False)


@pytest.mark.parametrize(("id", "wins"), [("allies-v0", True), ("spy-v2", False)])
def test_a_code_wins_a_league_of_allies_and_not_one_of_strangers(tmp_path, id, wins):
    field = [{"name": f"honest-{n}", "player": "says(policy=honest)"} for n in range(4)]
    field.append({"name": "coder", "player": "says(policy=code)"})
    more = {"db": f"sqlite:///{tmp_path}/spy.db", "games": [id], "players": field, "rounds": 8}
    board = run_tournament(parse_tournament(TOML | more), board="off").snapshot
    coder = next(row for row in board.standings if row.player == "coder")
    assert (coder.rank_high == 1) is wins, coder  # rank_high: the worst rank within its 95% interval
