"""`arena runs` and `arena matches`: rows, filters, and who lost."""

import json

import msgspec
import pytest
from msgspec.structs import replace

from arena.match import Decision, Episode, MatchPlan, Turn
from games import UnknownName
from league.records.game_info import GameInfo
from league.records.matches import PlannedMatch, Result, SeatResult
from league.store import Store
from league.views.listing import MatchFilter, elsewhere, losers, match_rows
from tests import golden
from tests.arena.cli.command import run as arena
from tests.league.specs import KUHN, stored

BARGAIN = "bargain-v1(rounds=2)"
GAMES = {
    KUHN: {"payoff": "zero_sum", "seats": ["player_0", "player_1"]},
    BARGAIN: {"payoff": "general_sum", "seats": ["seller", "buyer"]},
}
TEAMS = GameInfo("zero_sum", ("a1", "a2", "b1", "b2"), teams=(("a1", "a2"), ("b1", "b2")))


def ended(index, game, seats, returns, turns, **more):
    plan = MatchPlan(f"cup-{index}", game, index, seats)
    roles = dict.fromkeys(seats, "") | dict(zip(seats, ("first", "second"), strict=True))
    acting = list(seats)
    played = tuple(
        Turn(acting[i % 2], "first", "play", seats[acting[i % 2]], "Bet", (Decision("Bet"),)) for i in range(turns)
    )
    fields = {"status": "finished"} | more
    episode = Episode(plan.id, game, index, seats, roles, played, dict(zip(seats, returns, strict=True)), **fields)
    return PlannedMatch(index, 0, f"p{index}", plan), episode


@pytest.fixture
def store(tmp_path):
    played = [
        ended(0, KUHN, {"player_0": "ann", "player_1": "bob"}, (1.0, -1.0), 2),
        ended(1, KUHN, {"player_0": "bob", "player_1": "ann"}, (2.0, -2.0), 3),
        ended(2, BARGAIN, {"seller": "ann", "buyer": "bob"}, (9.0, 1.0), 6),
        ended(3, BARGAIN, {"seller": "bob", "buyer": "ann"}, (0.0, 0.0), 1, status="forfeit", forfeited_by="buyer"),
        ended(4, KUHN, {"player_0": "ann", "player_1": "bob"}, (0.0, 0.0), 0, status="void", reason="engine gone"),
    ]
    with Store.open(f"sqlite:///{tmp_path}/c.db") as store:
        run = store.start_run("cup", stored(("ann", "bob"), rated=GAMES))
        store.plan(run, [plan for plan, _ in played])
        store.finish(played)
        yield store


def found(store, **wanted):
    return [row.index for row in match_rows(store, run_of(store), MatchFilter(**wanted))]


def run_of(store):
    return store.run("cup")


@pytest.mark.parametrize(("wanted", "indices"), golden.lists(__file__, "match_list_filters"))
def test_filters(store, wanted, indices):
    assert found(store, **wanted) == indices


@pytest.mark.parametrize("wanted", [{"player": "eve"}, {"loser": "eve"}, {"game": "go"}, {"role": "judge"}])
def test_a_name_that_the_run_lacks_is_refused(store, wanted):
    with pytest.raises(UnknownName, match="of cup"):
        found(store, **wanted)


def result(scores, status="finished"):
    seats = tuple(SeatResult(seat, "", player, score) for seat, (player, score) in scores.items())
    return Result(0, 0, "p", "m", "g", 0, status, "", seats, 0.0)


def test_a_team_loses_as_one_and_a_cut_off_match_has_no_loser():
    teams = result({"a1": ("ann", 1.0), "a2": ("ann", 0.0), "b1": ("bob", 0.0), "b2": ("cy", 0.5)})
    assert losers(teams, TEAMS) == ("bob", "cy")
    assert losers(msgspec.structs.replace(teams, status="truncated"), TEAMS) == ()
    solo = GameInfo("cooperative", ("a", "b"))
    assert losers(result({"a": ("ann", 1.0), "b": ("bob", 0.0)}), solo) == ()


def test_the_verbs_print_ids_for_replay(store, capsys):
    code, out, err = arena(capsys, "matches", "--db", store.url, "--loser", "ann", "--limit", "1")
    assert code == 0
    assert out.splitlines()[1].split() == ["cup-3", BARGAIN, "forfeit", "2", "bob", "+0", "·", "ann", "+0"]
    assert (
        err == "2 matches of cup, the last 1 shown; --limit 0 shows all; `arena replay MATCH` shows one turn by turn\n"
    )
    rows = json.loads(arena(capsys, "matches", "--db", store.url, "--json")[1])
    assert [row["match"] for row in rows] == [f"cup-{i}" for i in range(5)]
    assert rows[4]["reason"] == "engine gone"


def test_a_run_without_matches_names_the_one_that_has_them(store, capsys):
    store.start_run("learn", stored(("ann", "bob"), rated=GAMES))
    hint = "; cup has 5: add --run cup"
    assert elsewhere(store, store.run("learn")) == hint
    assert elsewhere(store, run_of(store)) == ""
    assert arena(capsys, "matches", "--db", store.url)[2].strip() == "0 matches of learn" + hint
    code, _, err = arena(capsys, "replay", "3", "--db", store.url)
    assert (code, err.strip()[-len(hint) :]) == (2, hint)


def test_a_training_without_rated_matches_names_its_own_record_first(store):
    """The record belongs to it by its column; a tournament by the name learn.cup does not."""
    learn = store.start_run("learn", stored(rated=GAMES, kind="training"))
    for name, more in (("record", {"kind": "record", "parent": "learn"}), ("learn.cup", {})):
        run = store.start_run(name, stored(rated=GAMES, **more))
        plan, episode = ended(0, KUHN, {"player_0": "a", "player_1": "b"}, (1.0, -1.0), 2)
        plan = replace(plan, match=replace(plan.match, id=f"{name}-0"))
        store.plan(run, [plan])
        store.finish([(plan, replace(episode, match=plan.match.id))])
    assert elsewhere(store, learn) == "; record has 1: add --run record"


def test_long_names_lose_their_middle_so_that_both_players_show(tmp_path, capsys):
    """The cell was cut at its end: of two long names only the start of the first one was left."""
    names = [f"an-organisation/a-model-with-a-long-name-step-{step}" for step in (100, 200)]
    with Store.open(f"sqlite:///{tmp_path}/l.db") as store:
        run = store.start_run("cup", stored(names, rated=GAMES))
        plan, episode = ended(0, KUHN, dict(zip(("player_0", "player_1"), names, strict=True)), (2.0, -2.0), 2)
        store.plan(run, [plan])
        store.finish([(plan, episode)])
    _, out, _ = arena(capsys, "matches", "--db", f"sqlite:///{tmp_path}/l.db")
    assert "step-100 +2 · " in out
    assert "step-200 -2" in out


def test_the_runs_of_a_store(store, capsys):
    store.start_run("later", stored(("ann", "bob")))
    rows = json.loads(arena(capsys, "runs", "--db", store.url, "--json")[1])
    assert [(r["name"], r["kind"], r["planned"], r["finished"], r["void"]) for r in rows] == [
        ("later", "tournament", 0, 0, 0),
        ("cup", "tournament", 5, 4, 1),
    ]
    lines = arena(capsys, "runs", "--db", store.url)[1].splitlines()
    assert lines[0].split()[:4] == ["run", "kind", "status", "matches"]
    assert lines[2].split()[:2] == ["cup", "tournament"]
