"""Ratings of a run: lineage of checkpoints, anchors, intervals, the methods of plugins."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from games import InputError, plugins
from league.config.tournament import RatingConfig, TournamentConfig
from league.records.leaderboard import MatchCounts
from league.records.player_ref import PlayerRef, lineage_of
from league.runs.ratings import ratings_for
from league.store import Store
from league.tournament.run import run_tournament
from league.trust import find_plugins
from tests import golden
from tests.league.ratings.factories import GAMES, ZERO, result
from tests.league.specs import spec


def given(players, **more):
    return spec(players, "t", rated={ZERO: msgspec.to_builtins(GAMES[ZERO])}, **more)


def table(spec, log):
    ratings = ratings_for(spec)
    ratings.add(log)
    return {row.player: row for row in ratings.final("t", MatchCounts()).standings}


def snapshots(*names):
    return {name: PlayerRef(name.partition("@")[0], frozen=True, step=int(name.partition("@")[2])) for name in names}


def trained(log):
    """The same results, whose players t@N are snapshots."""

    def seats(played):
        return tuple(
            replace(s, ref=snapshots(s.player)[s.player]) if s.player.startswith("t@") else s for s in played.seats
        )

    return [replace(played, seats=seats(played)) for played in log]


def test_a_snapshot_follows_the_one_before_it_of_its_own_policy():
    """A name alone is no snapshot, and learners of one training have lineages of their own."""
    refs = snapshots("t@200", "t@0", "t@50", "other@7", "t.main@1", "t.main@10", "t.main@9")
    assert {ref.text: ref for ref in refs.values()} == refs
    assert lineage_of(refs) == {"t@50": "t@0", "t@200": "t@50", "t.main@9": "t.main@1", "t.main@10": "t.main@9"}
    assert lineage_of({"live": PlayerRef("t"), "t@3": PlayerRef("t", step=3)}) == {}


def test_a_snapshot_is_expected_near_its_parent():
    names = ["t@0", "t@1", "t@2", "random"]
    log = [result(i, ("t@1", "random"), (1, -1)) for i in range(20)]
    log += [result(20 + i, ("t@0", "random"), (1, -1) if i % 2 else (-1, 1)) for i in range(20)]
    log += [result(40, ("t@2", "random"), (1, -1))]
    with_lineage = table(given(names, training={}), trained(log))["t@2"]
    without = table(given(names), log)["t@2"]
    by_hand = table(given(names, ratings={"lineage": {"t@1": "t@0", "t@2": "t@1"}}), log)["t@2"]
    assert with_lineage.bt_rating > without.bt_rating + 1.0
    assert by_hand.bt_rating == with_lineage.bt_rating


def test_anchors_hold_the_scale_of_the_batch_fit():
    log = [result(i, ("a", "b"), (1, -1) if i % 3 else (-1, 1)) for i in range(30)]
    found = table(given("ab", ratings={"anchors": [{"player": "b", "rating": 10.0}]}), log)
    assert found["b"].bt_rating == pytest.approx(10.0, abs=0.05)
    assert found["a"].bt_rating > 10.5


@pytest.mark.parametrize(
    "more",
    [
        {"ratings": {"anchors": [{"player": "t@1", "rating": 50.0}]}},
        {"ratings": {"lineage": {"t@1": "t@0"}}},
        {"training": {}},
    ],
)
def test_the_batch_fit_as_the_method_is_the_one_beside_it(more):
    log = [result(i, ("t@1", "t@0"), (1, -1) if i % 3 else (-1, 1)) for i in range(30)]
    log += [result(30 + i, ("t@2", "random"), (1, -1)) for i in range(3)]
    log += [result(33 + i, ("t@0", "random"), (1, -1) if i % 2 else (-1, 1)) for i in range(10)]
    ratings = {**more.get("ratings", {}), "method": "bradley-terry"}
    played = trained(log) if "training" in more else log
    found = table(given(["t@0", "t@1", "t@2", "random"], **{**more, "ratings": ratings}), played).values()
    assert [(r.rating, r.low, r.high) for r in found] == [(r.bt_rating, r.bt_low, r.bt_high) for r in found]
    plain = table(given(["t@0", "t@1", "t@2", "random"], ratings={"method": "bradley-terry"}), log)
    assert any(row.rating != plain[row.player].rating for row in found)


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry"])
def test_a_tournament_file_chooses_sandwich_intervals(method):
    """Matches of a pairing that cancel each other: the robust intervals are narrower, as they should be."""
    log = []
    for number in range(40):
        a, b = ("a", "b") if number % 2 else ("b", "c")
        log.append(result(2 * number, (a, b), (1, -1), pairing=f"p{number}"))
        log.append(result(2 * number + 1, (b, a), (1, -1), pairing=f"p{number}"))
    text = f'name = "t"\ngames = ["{ZERO}"]\nplayers = [{{ name = "a", player = "random" }}, {{ name = "b", player = '
    text += f'"random" }}]\n[ratings]\nmethod = "{method}"\nintervals = "sandwich"\n'
    config = TournamentConfig.model_validate(tomllib.loads(text))
    robust = table(replace(given("abc"), ratings=config.ratings), log)["b"]
    posterior = config.ratings.model_copy(update={"intervals": "posterior"})
    plain = table(replace(given("abc"), ratings=posterior), log)["b"]
    assert robust.rating == pytest.approx(plain.rating)
    assert robust.high - robust.low < 0.8 * (plain.high - plain.low)


def test_unknown_intervals_are_refused():
    with pytest.raises(ValueError, match="sandwich"):
        RatingConfig.model_validate({"intervals": "bootstrap"})


@pytest.mark.parametrize(
    ("ratings", "message"),
    [
        ({"lineage": {"a": "b", "b": "a"}}, "lineage of 'a' is a cycle"),
        ({"lineage": {"a": "c"}}, "ratings.lineage: no player is called 'c'"),
        ({"anchors": [{"player": "c", "rating": 1.0}]}, "ratings.anchors: no player is called 'c'"),
    ],
)
def test_bad_lineages_and_anchors_are_told(ratings, message):
    players = [{"name": n, "player": "random"} for n in "ab"]
    with pytest.raises((ValueError, InputError), match=message):
        TournamentConfig.model_validate({"name": "t", "games": [ZERO], "players": players, "ratings": ratings})


WINS = golden.text(__file__, "ratings_wins.py.txt")
READ = golden.text(__file__, "ratings_read.py.txt")


def test_a_run_rated_by_a_plugin_file_is_read_by_other_processes(tmp_path, monkeypatch):
    """DESIGN 4.5 and 4.6: its tables are made again from the log, wherever the reader was started."""
    plugins.forget()
    (tmp_path / "wins.py").write_text(WINS)
    (tmp_path / "elsewhere").mkdir()
    config = TournamentConfig.model_validate(
        {
            "name": "t",
            "db": f"sqlite:///{tmp_path}/t.db",
            "games": ["openspiel/kuhn_poker"],
            "rounds": 3,
            "plugins": ["wins.py"],
            "ratings": {"method": "wins(k=2)"},
            "players": [{"name": name, "player": "random"} for name in ("a", "b")],
        }
    )
    played = run_tournament(config, tmp_path / "t.toml", board="off").snapshot.standings
    command = [sys.executable, "-c", READ, str(config.db)]
    where = {"cwd": tmp_path / "elsewhere", "env": {**os.environ, "PYTHONPATH": str(Path.cwd())}}
    done = subprocess.run(command, capture_output=True, text=True, check=False, **where)
    assert done.returncode == 0, done.stderr
    first, *tables = done.stdout.splitlines()
    assert "identical to the cached ones" in first
    assert tables == [" ".join(str((row.player, row.rating)) for row in sorted(played, key=lambda r: r.player))] * 2
    assert sum(row.rating for row in played) == pytest.approx(100.0)


def test_a_rating_method_whose_plugin_is_gone_is_told(tmp_path):
    gone = given("ab", ratings={"method": "losses(k=2)"}, plugins=["/nowhere/losses.py"])
    with (
        Store.open(f"{tmp_path}/x.db") as store,
        pytest.raises(InputError, match=r"'losses', which is not known here; .* gone: /nowhere/losses.py; add"),
    ):
        find_plugins(store, gone)
    with pytest.raises(InputError, match="known: bradley-terry"):
        ratings_for(given("ab", ratings={"method": "losses"}))
