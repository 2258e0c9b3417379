"""A worker's matches are excluded from the standings and included again; nothing is deleted."""

import msgspec
import pytest

from games import InputError
from league.board import Board
from league.runs.exclude import exclude_worker
from league.runs.excluded_workers import excluded_workers
from league.runs.ratings import ratings_for
from league.runs.rebuild import read_snapshot, rebuild
from league.store import Store
from league.views.follower import Follower
from league.views.report import read_board
from tests.league.store.episodes import episode, planned

GAME = "openspiel/kuhn_poker"
CONFIG = {
    "name": "cup",
    "pairing": "round-robin",
    "rounds": 20,
    "seed": 0,
    "ratings": {},
    "rated": {GAME: {"payoff": "zero_sum", "seats": ["player_0", "player_1"]}},
    "plays": {"alice": [GAME], "bob": [GAME]},
}


@pytest.fixture
def db(tmp_path):
    """Forty matches, one in four by the worker `bad`, on which alice always loses."""
    url = f"sqlite:///{tmp_path}/s.db"
    with Store.open(url) as store:
        run = store.start_run("cup", CONFIG)
        store.plan(run, [planned(i) for i in range(40)])
        entries = []
        for i in range(40):
            bad = i % 4 == 0
            returns = {"player_0": -1.0, "player_1": 1.0} if bad else {"player_0": 1.0, "player_1": -1.0}
            ended = msgspec.structs.replace(episode(planned(i)), returns=returns, worker="bad" if bad else "good")
            entries.append((planned(i), ended))
        store.finish(entries)
    return url


def table(snapshot):
    return msgspec.json.encode((snapshot.standings, snapshot.games, snapshot.roles))


def test_a_strike_leaves_the_matches_out_and_undoing_it_brings_them_back(db):
    before = read_snapshot(db)
    assert before.standings[0].games == 40
    assert exclude_worker(db, None, "bad", reason="wrong weights") == (
        "cup: the 10 matches of bad are excluded; standings rebuilt"
    )
    without = read_snapshot(db)
    assert (without.standings[0].player, without.standings[0].games, without.standings[0].losses) == ("alice", 30, 0)
    assert without.matches.finished == 40
    assert "identical to the cached ones" in rebuild(db)
    shown = read_board(db)
    assert any("bad: 10 matches" in line and "EXCLUDED" in line for line in shown.panels.panels(())[-1].lines)
    assert [w["struck"] for w in shown.panels.to_json()["workers"]] == [True, False]
    assert exclude_worker(db, None, "bad", undo=True).startswith("cup: the 10 matches of bad count again")
    assert table(read_snapshot(db)) == table(before)
    with Store.open(db, read_only=True) as store:
        assert len(store.results(store.run())) == 40
        assert [e.kind for e in store.events(store.run())] == ["strike", "unstrike"]
        assert "wrong weights" in store.events(store.run())[0].text


def test_a_run_without_a_worker_is_rated_as_one_in_which_those_matches_are_void(db):
    exclude_worker(db, None, "bad")
    with Store.open(db, read_only=True) as store:
        run = store.run()
        expected = ratings_for(run.spec)
        expected.add(r for r in store.results(run) if r.worker != "bad")
        assert table(read_snapshot(db)) == table(expected.final("cup", store.counts(run)))


def test_watching_follows_a_strike(db):
    with Store.open(db) as store:
        follower = Follower(store, store.run(), ratings_for)
        board = Board()
        assert follower.poll(board).snapshot.standings[0].games == 40
        exclude_worker(db, None, "bad")
        assert follower.poll(board).snapshot.standings[0].games == 30
        exclude_worker(db, None, "bad", undo=True)
        assert follower.poll(board).snapshot.standings[0].games == 40


def test_a_worker_that_cannot_be_excluded_is_refused(db):
    with pytest.raises(InputError, match="unknown worker of run 'cup' 'goof'; did you mean 'good'"):
        exclude_worker(db, None, "goof")
    with pytest.raises(InputError, match="'bad' of run 'cup' is not excluded"):
        exclude_worker(db, None, "bad", undo=True)
    exclude_worker(db, None, "bad")
    with pytest.raises(InputError, match="is excluded already"):
        exclude_worker(db, None, "bad")
    with Store.open(db, read_only=True) as store:
        assert excluded_workers(store, store.run()) == {"bad"}
