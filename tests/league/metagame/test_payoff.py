"""Payoffs, cycles, surprises, and how they are shown and exported."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from games import InputError
from league.metagame import (
    PayoffMatrix,
    analyse,
    cyclic,
    export,
    from_points,
    heat_map_panel,
    surprises,
    to_csv,
    to_json,
    write_picture,
)
from league.metagame.report import text
from league.ratings.comparisons import CountTable
from league.store import Store
from tests.league.ratings.factories import GAMES, ZERO, logs, result
from tests.league.store.episodes import finished, plan_of


def league(n, games, spread, seed, cycle=0.0):
    """Transitive players, and with `cycle` log odds of rock, paper and scissors among the first three."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0, spread, n)
    odds = np.subtract.outer(skill, skill)
    for i in range(3):
        j = (i + 1) % 3
        odds[i, j], odds[j, i] = cycle + odds[i, j], odds[j, i] - cycle
    won = np.triu(rng.binomial(games, 1 / (1 + np.exp(-odds))), 1)
    points = won + np.tril(games - won.T, -1)
    return from_points([f"p{i:02d}" for i in range(n)], points * (1.0 - np.eye(n)))


def test_points_of_a_log():
    table = CountTable(GAMES, "abc")
    table.add(
        [
            result(0, "ab", (1, -1)),
            result(1, "ba", (0, 0)),
            result(2, "aa", (1, -1)),
            result(3, "ab", (1, -1), status="void"),
            result(4, "cb", (-1, 1)),
        ]
    )
    payoff = PayoffMatrix.of(table.counts().only(ZERO)).ordered("abc")
    assert payoff.points.tolist() == [[0, 1.5, 0], [0.5, 0, 1], [0, 0, 0]]
    assert payoff.games.tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert payoff.matrix().tolist() == [[0, 0.5, 0], [-0.5, 0, 1], [0, -1, 0]]
    assert np.isnan(payoff.share[0, 2])


@settings(max_examples=30, deadline=None)
@given(logs())
def test_every_point_is_somebodys(log):
    table = CountTable(GAMES, "uvwxyz")
    table.add(log)
    payoff = PayoffMatrix.of(table.counts())
    assert (payoff.games == payoff.games.T).all()
    assert payoff.points + payoff.points.T == pytest.approx(payoff.games)
    assert not np.diag(payoff.games).any()
    assert payoff.matrix() == pytest.approx(-payoff.matrix().T)
    low, high = payoff.interval()
    share = np.nan_to_num(payoff.share, nan=0.5)
    assert ((low <= share) & (share <= high)).all()


@pytest.mark.slow
def test_intervals_cover():
    rng = np.random.default_rng(0)
    inside = []
    for p in rng.uniform(0.05, 0.95, 4000):
        won = rng.binomial(20, p)
        low, high = from_points("ab", np.array([[0.0, won], [20.0 - won, 0.0]])).interval()
        inside.append(low[0, 1] <= p <= high[0, 1])
    assert 0.92 <= np.mean(inside) <= 0.97
    assert from_points("ab", np.zeros((2, 2))).interval()[1][0, 1] == 1.0


@pytest.mark.slow
def test_a_transitive_league_is_called_cyclic_as_seldom_as_agreed():
    for games in (4, 20):
        called = [cyclic(league(10, games, 1.0, seed)).p_value < 0.05 for seed in range(300)]
        assert np.mean(called) < 0.09


def test_cycles_are_found():
    found = cyclic(league(6, 60, 0.3, 1, cycle=1.5))
    assert found.p_value < 0.002
    assert found.share > 0.5 > found.by_chance
    exact = cyclic(from_points("rps", np.array([[0, 90, 10], [10, 0, 90], [90, 10, 0]])))
    assert exact.share == pytest.approx(1.0)
    assert exact.ranking == pytest.approx([0.0] * 3)


def test_a_ranking_has_no_cyclic_part():
    skill = np.array([1.0, 0.2, -0.4, -0.8])
    share = 1 / (1 + np.exp(-np.subtract.outer(skill, skill)))
    found = cyclic(from_points("abcd", 1e6 * share * (1 - np.eye(4))))
    assert found.share < 1e-9
    assert found.ranking == pytest.approx(skill, abs=1e-4)


def test_pools_that_never_met_are_ranked_each_for_itself():
    points = np.zeros((4, 4))
    points[0, 1] = points[2, 3] = 5.0
    found = cyclic(from_points("abcd", points))
    assert found.ranking[[0, 2]] == pytest.approx(-found.ranking[[1, 3]])
    assert (found.share, found.p_value) == (0.0, 1.0)  # no triangle, nothing to say


@pytest.mark.slow
def test_a_planted_surprise_is_found_and_chance_is_not():
    payoff = league(10, 20, 1.0, 4)
    weak, strong = np.argsort(payoff.points.sum(1))[[0, -1]]
    points = payoff.points.copy()
    points[weak, strong], points[strong, weak] = 16.0, 4.0
    (found,) = surprises(from_points(payoff.players, points))
    assert (found.player, found.opponent) == (payoff.players[weak], payoff.players[strong])
    assert found.points == 16.0
    assert found.expected < 0.3
    plain = -np.log10(2 * stats.binom.sf(15, 20, found.expected))
    assert 3 < found.log10 < plain  # what is expected is itself uncertain
    assert sum(bool(surprises(league(10, 20, 1.0, seed))) for seed in range(30)) <= 4


def test_two_players_explain_nothing_about_each_other():
    assert surprises(from_points("ab", np.array([[0.0, 30.0], [0.0, 0.0]]))) == []


def test_text_fits_and_says_what_is_there():
    meta = analyse(league(30, 20, 1.0, 2, cycle=3.0))
    shown = text(meta, 80)
    assert max(map(len, shown.splitlines())) <= 80
    assert "more players in a wider window" in shown
    for word in ("Nash mix: ", "alpha-rank: ", "cyclic share: ", "surprise: "):
        assert word in shown


def test_the_heat_map():
    points = np.array([[0, 19, 0], [1, 0, 10], [0, 10, 0]], float)
    panel = heat_map_panel(from_points(["alpha", "béta", "漢字"], points), 60)
    assert panel.lines == (
        "           1    2    3",
        "1 alpha    – █ 95    ·",
        "2 béta     5    – ▒ 50",
        "3 漢字     · ▒ 50    –",
    )
    assert len(heat_map_panel(from_points("abc", points), 1).lines) == 3  # however narrow: the first, and a note


def test_the_best_come_first_and_idle_players_are_left_out():
    points = np.zeros((4, 4))
    points[2, 0] = points[0, 1] = points[2, 1] = 9.0
    meta = analyse(from_points("abcd", points))
    assert meta.payoff.players == ("c", "a", "b")
    assert meta.support == [("c", pytest.approx(1.0))]
    assert meta.against_mix == pytest.approx([0.0, -1.0, -1.0])
    with pytest.raises(InputError, match="no rated match has two different players"):
        analyse(from_points("ab", np.zeros((2, 2))))


def test_exports():
    meta = analyse(league(6, 10, 1.0, 3))
    data = json.loads(json.dumps(to_json(meta), allow_nan=False))
    assert sum(row["nash"] for row in data["players"]) == pytest.approx(1.0)
    assert len(data["cells"]) == 30
    rows = list(csv.DictReader(io.StringIO(to_csv(meta.payoff))))
    assert len(rows) == 30
    assert all(float(r["low"]) <= float(r["share"]) <= float(r["high"]) for r in rows)


def test_a_picture_or_a_line_that_says_what_is_missing(tmp_path):
    payoff = league(6, 10, 1.0, 3)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        with pytest.raises(InputError, match=r"selfplay-arena\[plot\]"):
            write_picture(payoff, tmp_path / "payoff.png")
    else:
        write_picture(payoff, tmp_path / "payoff.png", "title")
        assert (tmp_path / "payoff.png").read_bytes().startswith(b"\x89PNG")
        write_picture(payoff, tmp_path / "payoff.svg", "two $signs$ are no formula")
        assert "<svg" in (tmp_path / "payoff.svg").read_text()
        with pytest.raises(InputError, match="cannot write"):
            write_picture(payoff, tmp_path / "nowhere" / "payoff.png")


def test_matches_that_rate_nobody_have_no_meta_game(tmp_path):
    game = "openspiel/kuhn_poker"
    rated = {game: {"payoff": "cooperative", "seats": ["player_0", "player_1"]}}
    config = {"ratings": {}, "rated": rated, "plays": {"alice": [game], "bob": [game]}}
    with Store.open(str(tmp_path / "x.db")) as store:
        run = store.start_run("cup", config)
        store.plan(run, plan_of(4))
        store.finish([finished(m) for m in plan_of(4)])
        with pytest.raises(InputError, match=r"^no rated match in cup has two different players yet"):
            export.of_run(store, run)
        with pytest.raises(InputError, match=r"^no rated match of openspiel/kuhn_poker in cup has two"):
            export.of_run(store, run, game)
        with pytest.raises(InputError, match="unknown game 'kuhn'; did you mean 'openspiel/kuhn_poker'"):
            export.of_run(store, run, "kuhn")


def test_bad_points():
    with pytest.raises(ValueError, match="2 by 2"):
        from_points("ab", np.zeros((3, 3)))
    with pytest.raises(ValueError, match="not negative"):
        from_points("ab", np.array([[0, -1], [0, 0]]))


def test_files_are_written_in_the_format_they_name(tmp_path):
    meta = analyse(league(4, 10, 1.0, 3))
    export.write(meta, tmp_path / "m.json")
    assert json.loads((tmp_path / "m.json").read_text()) == to_json(meta)
    export.write(meta, tmp_path / "m.csv")
    assert (tmp_path / "m.csv").read_text() == to_csv(meta.payoff)
    with pytest.raises(InputError, match=r"has no known suffix; use .json, .csv, .png or .svg"):
        export.write(meta, tmp_path / "m.gif")
    with pytest.raises(InputError, match="cannot write"):
        export.write(meta, tmp_path / "nowhere" / "m.csv")
