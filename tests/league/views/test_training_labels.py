"""Labels of metrics on the board: all different, whatever a training plays."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

import games
from league.board.cells import cut
from league.board.panel_lines import panel_lines
from league.config.training import AlarmConfig, load_training
from league.views.training_labels import CurveLabels, short_names
from league.views.training_panels import MetricsHistory, alarms

SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
FILES = sorted(path for path in SCRIPTS.glob("*.toml") if "\nsteps = " in path.read_text())
TICTACTOE, CONNECT_FOUR = "openspiel/tic_tac_toe", "pettingzoo/connect_four_v3"


def rows(ids, anchors):
    """A row with every kind of metric that belongs to a game, all with the same value."""
    keys = []
    for id in ids:
        seats = games.make(id).spec.seats
        keys += [f"{figure}/{id}" for figure in ("nash_conv", "nash_conv_average", "valid", "distinct", "solve_rate")]
        keys += [f"{figure}/{id}" for figure in ("task_length", "agreement", "label_right", "pool_gain/3")]
        keys += [f"pool_gain/{band}/{id}" for band in (0, 3)]
        keys += [f"{figure}/{id}/{role}" for figure in ("reward", "baseline", "messages") for role in seats.values()]
        keys += [f"seat_win/{id}/{seat}" for seat in seats]
        for anchor in anchors:
            for seat in seats:
                keys += [f"win_rate{end}/{id}/{anchor}/{seat}" for end in ("", "_low", "_high")]
    return dict.fromkeys([*keys, "entropy", "pool", "pool_new"], 1.0)


def labels(ids, row):
    (panel,) = MetricsHistory([{"step": 0, **row}], ids).panels(9, AlarmConfig(), {})
    lines = [text for text, _ in panel_lines(panel, 79)]
    assert all(len(line) <= 79 for line in lines)
    return [re.sub(r" +(1|100% \[100%, 100%\])(  1)? ▁+( 1)?$", "", line) for line in lines[-len(panel.curves) :]]


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_metrics_of_every_shipped_training_have_different_labels(file):
    if file.stem == "efg_train":
        pytest.importorskip("pygambit")
    if file.stem == "starling_train":
        pytest.importorskip("textworld")
    if file.stem == "verifiers_train":
        pytest.importorskip("verifiers")
    config = load_training(file)
    ids = [games.make(game.id).spec.id for game in config.games]
    row = rows(ids, [anchor.name for anchor in config.anchors] or ["random", "solver"])
    found = labels(ids, row)
    assert len(found) == len(set(found)) == len([key for key in row if "_low" not in key and "_high" not in key])
    assert not any("…" in label for label in found)


def test_shipped_trainings_are_found():
    assert len(FILES) > 10


def test_several_games_have_different_labels():
    ids = [TICTACTOE, CONNECT_FOUR, "openspiel/mnk(k=2,m=3,n=2)", "openspiel/mnk(k=3,m=3,n=2)"]
    found = labels(ids, rows(ids, ["random", "mcts-100", "mcts-1000"]))
    assert len(found) == len(set(found))
    assert "wins in self-play player_1, connect_four_v3" in found
    assert "wins as player_0 against mcts-1000, connect_four_v3" in found
    assert "NashConv mnk k=2" in found


def test_names_of_games_say_what_differs():
    assert short_names([TICTACTOE, CONNECT_FOUR, "a/b(c=1)"]) == {
        TICTACTOE: "tic_tac_toe",
        CONNECT_FOUR: "connect_four_v3",
        "a/b(c=1)": "b",
    }
    assert short_names(["a/x", "b/x"]) == {"a/x": "a/x", "b/x": "b/x"}
    assert short_names(["m(k=1,n=2)", "m(k=1,n=3)", "o"]) == {"m(k=1,n=2)": "m n=2", "m(k=1,n=3)": "m n=3", "o": "o"}
    assert short_names(["m", "m(n=3)"]) == {"m": "m", "m(n=3)": "n=3"}


def test_a_win_rate_of_one_of_several_learners_begins_with_its_name():
    assert (
        CurveLabels([TICTACTOE]).win_rate(f"main/{TICTACTOE}/random/player_0") == "main wins as player_0 against random"
    )
    assert CurveLabels([TICTACTOE]).win_rate(f"{TICTACTOE}/random/player_0") == "wins as player_0 against random"


def test_a_win_rate_is_shown_with_its_interval():
    path = f"{TICTACTOE}/random/player_1"
    row = {f"win_rate/{path}": 0.1, f"win_rate_low/{path}": 0.041, f"win_rate_high/{path}": 0.226}
    (panel,) = MetricsHistory([{"step": 0, **row}], [TICTACTOE]).panels(9, AlarmConfig(), {})
    (line,) = [text for text, _ in panel_lines(panel, 85)][-1:]
    assert re.fullmatch(r"wins as player_1 against random 10% \[4%, 23%\]  +0.1 ▁+ 0.1", line)


def test_a_policy_for_each_role_has_its_own_curves_and_alarms():
    history = MetricsHistory(games=["psj-v1"])
    for step in range(40):
        history.add({"step": step, "entropy/judge": 0.7 if step < 20 else 0.01, "entropy/solver": 0.7})
    (warnings, panel) = history.panels(40, AlarmConfig(), {})
    assert warnings.lines == ("entropy collapses: entropy/judge is 0.01, it was 0.7 in the first steps",)
    assert [curve.label for curve in panel.curves] == ["entropy (nats) judge", "entropy (nats) solver"]


def test_alarms_name_a_place_by_what_tells_it_apart():
    history = MetricsHistory(games=["code-io-v1(kind=a,solvers=4)", "code-io-v1(kind=b,solvers=4)"])
    for step in range(40):
        history.add({"step": step, "distinct/code-io-v1(kind=b,solvers=4)": 0.8 if step < 20 else 0.1})
    assert alarms(history, AlarmConfig()) == ["tasks repeat themselves: kind=b, 10% are different"]
    assert CurveLabels(["psj-v1"]).place("psj-v1") == "psj-v1"


def test_a_long_label_keeps_both_ends():
    names = [f"wins as player_{i} against a-checkpoint-of-long-ago-{j}" for i in range(2) for j in range(2)]
    short = [cut(name, 34) for name in names]
    assert all(len(label) == 34 for label in short)
    assert all(one != other for one, other in pairwise(sorted(short)))
