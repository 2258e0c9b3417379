"""Panels of a run, its event lines and its report."""

from contextlib import nullcontext

import msgspec
import pytest

from league.board import BoardState
from league.board.render import render
from league.ratings import OnlineRatings
from league.records.leaderboard import MatchCounts
from league.records.run_spec import RunSpec
from league.store import Event, Store
from league.views.follower import event_line
from league.views.report import read_board
from league.views.run_panels import RunPanels
from tests import golden
from tests.league.ratings.factories import GAMES, POKER, ZERO, result, voided
from tests.league.runs.workers import log
from tests.league.specs import stored
from tests.league.store.episodes import episode, plan_of

SPEC = RunSpec(name="cup", games=GAMES, plays=dict.fromkeys("abcd", tuple(GAMES)))


def snapshot(results):
    ratings = OnlineRatings(GAMES, players="abcd")
    ratings.add(results)
    return ratings.snapshot("run", MatchCounts(len(results), len(results)))


def test_a_deviating_worker_is_named():
    panels = RunPanels(SPEC, metagame=False)
    panels.add(log())
    (panel,) = panels.panels(())
    assert panel.title == "workers"
    assert panel.lines[0].startswith("w2: ")
    assert "its results differ from those of the other workers: a -" in panel.lines[1]
    assert panel.lines[1].endswith(" matches")
    verdicts = {w["worker"]: w["deviates"] for w in panels.to_json()["workers"]}
    assert verdicts == {"w0": False, "w1": False, "w2": True}


@pytest.mark.parametrize(("phase", "void", "alarm"), [("bid", 10, True), ("bid", 2, False), ("", 10, False)])
def test_many_void_matches_of_a_player_raise_an_alarm_with_their_phase(phase, void, alarm):
    """A player that fails when it loses never loses. Void matches that nobody caused raise none."""
    panels = RunPanels(SPEC, metagame=False)
    panels.add(voided(i, ("a", "b"), phase) for i in range(void))
    panels.add(result(i, ("a", "b"), (1.0, -1.0), ZERO) for i in range(void, 50))
    shown = [line for panel in panels.panels(()) if panel.warns for line in panel.lines]
    line = "a made 10 of its 50 matches void (20%; 10 in phase bid)"
    assert [text.partition(",")[0] for text in shown] == [line] * alarm
    report = panels.to_json()
    assert bool(report["alarms"]) is alarm
    assert report["void_phases"] == ({"a": {phase: void}} if phase else {})


def test_one_worker_alone_has_no_panel():
    panels = RunPanels(SPEC, metagame=False)
    panels.add([msgspec.structs.replace(r, worker="only") for r in log(20)])
    assert panels.panels(()) == ()


def test_the_heat_map_has_the_order_of_the_table():
    results = [msgspec.structs.replace(r, worker="only") for r in log(40)]
    panels = RunPanels(SPEC, metagame=True)
    panels.add(results)
    shown = snapshot(results)
    (heat,) = panels.panels(shown.standings)
    assert [line.split()[1] for line in heat.lines[1:]] == [row.player for row in shown.standings]
    assert heat.title == f"who beats whom in {ZERO}: points of 100, row against column"
    panels.add([])
    assert panels.panels(shown.standings)[0] is heat  # not made again


def test_games_are_not_pooled_in_a_heat_map():
    panels = RunPanels(SPEC, metagame=True)
    results = [result(k, ("a", "b"), (1.0, -1.0)) for k in range(6)]
    results += [
        result(k, (("a", "b"), ("b", "a"))[k % 2], (-1.0, 1.0)[:: 1 - 2 * (k % 2)], POKER) for k in range(6, 12)
    ]
    panels.add([msgspec.structs.replace(r, worker="w", pairing=f"q{r.index // 2}") for r in results])
    heat = {panel.title: panel.lines[1].split()[-1] for panel in panels.panels(snapshot(results).standings)}
    of = "who beats whom in {}: points of 100, row against column"
    assert heat[of.format(ZERO)].endswith("100")
    assert heat[of.format(POKER)].endswith("0")


def test_the_heat_map_comes_unasked_only_where_there_is_room():
    results = [msgspec.structs.replace(r, worker="only") for r in log(40)]
    shown = snapshot(results)

    def board(height, metagame):
        panels = RunPanels(SPEC, metagame=metagame)
        panels.add(results)
        return render(BoardState(shown, panels=panels.panels(shown.standings)), 80, height).plain

    assert "who beats whom" in board(40, None)
    assert "taller" not in board(12, None)
    assert "who beats whom" not in board(12, None)
    assert "who beats whom" not in board(40, False)
    assert "1 panel more in a taller window" in board(12, True)


def test_many_players_have_a_heat_map_only_when_asked():
    names = [f"p{i:02d}" for i in range(13)]
    spec = msgspec.structs.replace(SPEC, plays=dict.fromkeys(names, tuple(GAMES)))
    game = [msgspec.structs.replace(result(i, names[i : i + 2], (1, -1)), worker="w") for i in range(12)]
    for metagame, expected in ((None, 0), (True, 1)):
        panels = RunPanels(spec, metagame=metagame)
        panels.add(game)
        ratings = OnlineRatings(GAMES)
        ratings.add(game)
        assert len(panels.panels(ratings.tables().overall)) == expected


@pytest.mark.parametrize(("kind", "text", "line"), golden.rows(__file__, "event_lines_events_are_readable"))
def test_events_are_readable(kind, text, line):
    assert event_line(Event(1, 0.0, kind, text)) == line


TOURNAMENT = stored(name="cup", rounds=20)


@pytest.mark.parametrize(
    ("config", "status", "played", "shown"), golden.lists(__file__, "report_a_run_whose_planned_matches_are_all_played")
)
def test_a_run_whose_planned_matches_are_all_played(tmp_path, config, status, played, shown):
    url = f"sqlite:///{tmp_path}/arena.db"
    with Store.open(url) as store:
        run = store.start_run("t", config)
        matches = plan_of(4)
        store.plan(run, matches)
        store.finish([(planned, episode(planned)) for planned in matches])
        store.set_status(run, status)
        with store.exclusive(run) if played else nullcontext():
            assert read_board(url).status == shown


def test_a_tournament_that_was_killed_is_interrupted(tmp_path):
    url = f"sqlite:///{tmp_path}/arena.db"
    with Store.open(url) as store:
        store.plan(store.start_run("t", TOURNAMENT), plan_of(4))
    assert read_board(url).status == "interrupted"
