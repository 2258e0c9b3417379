"""The panels of a training and their labels."""

import json
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest

import games
from games import plugins
from league.board.cells import cut
from league.board.panel_lines import panel_lines
from league.board.render import render
from league.board.state import BoardState
from league.config.training import load_training
from league.records.leaderboard import Leaderboard, MatchCounts
from league.records.metrics_file import read_metrics
from league.records.run_spec import RunSpec
from league.views import training_reader
from league.views.training_labels import CurveLabels, short_names
from league.views.training_panels import POINTS, MetricsHistory, alarms


def history(**columns):
    return MetricsHistory(
        [{"step": i, **{k: v[i] for k, v in columns.items()}} for i in range(len(next(iter(columns.values()))))]
    )


def test_every_alarm_fires_for_its_own_collapse_and_none_in_health():
    steady = [1.0] * 40
    falling = [1.0] * 20 + [0.0] * 20
    healthy = history(
        length=steady, entropy=steady, grad_norm=steady, illegal=[0.1] * 40, **{"seat_win/g/a": [0.6] * 40}
    )
    assert alarms(healthy) == []
    for column, word in (("length", "answers collapse"), ("entropy", "entropy"), ("grad_norm", "gradient")):
        (line,) = alarms(history(**{column: falling}))
        assert word in line
    rising = [0.0] * 20 + [0.5] * 20
    assert alarms(history(entropy=falling, **{"reward/g/solver": rising})) == []  # one answer is right
    (line,) = alarms(history(illegal=[0.0] * 20 + [0.5] * 20))
    assert "illegal answers jump: 50%" in line
    (line,) = alarms(history(**{"seat_win/openspiel/kuhn_poker/player_1": [0.5] * 20 + [1.0] * 20}))
    assert "kuhn_poker player_1 wins 100%" in line
    wins = {"seat_win/critic-v1/critic": [0.5] * 20 + [1.0] * 20, "truth/critic-v1/critic": [0.5] * 20 + [1.0] * 20}
    assert alarms(history(**wins)) == []  # it judges right, which the other side cannot help
    (line,) = alarms(history(**wins | {"truth/critic-v1/critic": [0.5] * 40}))
    assert "critic wins 100%" in line
    assert alarms(history(length=[1.0] * 10 + [0.0] * 10)) == []


def test_metrics_that_never_move_are_one_line():
    still = {"length": [2.0] * 4, "mismatch_kl": [0.0, 1e-15, 5e-16, 2e-16]}
    h = history(entropy=[0.7, 0.6, 0.5, 0.4], **still)
    (panel,) = h.panels(100, {})
    assert panel.lines[-1] == "unchanged: answer length (tokens) 2 · KL sampler-trainer 0"
    assert [curve.label for curve in panel.curves] == ["entropy (nats)"]


def test_the_board_shows_the_training():
    h = history(entropy=[0.7, 0.6, 0.5], **{"nash_conv/openspiel/kuhn_poker": [0.9, 0.5, 0.2]})
    shares = {"share/learn": 0.7, "share/keep": 0.05, "share/rollout": 0.25}
    *progress, panel = h.panels(100, {"matches_per_second": 512.4} | shares)
    assert [panel.lines[0] for panel in progress] == [
        "NashConv kuhn_poker: 0.9 before, 0.2 now (what best responses gain; 0 in an equilibrium)"
    ]
    state = BoardState(Leaderboard("t", (), {}, {}, MatchCounts()), panels=(panel,))
    text = render(state, 100).plain
    assert "step 2 of 100 · 512 matches/s\n25% rollout · 70% learn · 5% keep\n" in text
    (line,) = [x for x in text.splitlines() if x.startswith("NashConv")]
    *figures, curve, high = line.split()
    assert figures == ["NashConv", "kuhn_poker", "0.2", "0.2"], "the newest value, then the scale from 0.2 to 0.9"
    assert high == "0.9"
    assert re.fullmatch("█+▄+▁+", curve)
    assert len(line) > 95, "the curve takes the width that is left"
    (axis,) = [x for x in text.splitlines() if x.split()[:1] == ["now"]]
    assert axis.endswith("step 2 high")
    assert axis.index("first step") == line.index("█")


def test_a_long_curve_is_averaged_and_follows_the_newest_values():
    h = MetricsHistory()
    for step in range(5000):
        h.add({"step": step, "entropy": 5000.0 - step})
        if step % 100 == 0 or step > 4990:
            panel = h.panels(5000, {})[-1]
    (curve,) = panel.curves
    assert len(curve.values) == POINTS
    assert curve.value == "1"
    assert curve.values[-1] < 20
    assert list(curve.values) == sorted(curve.values, reverse=True)


@pytest.mark.parametrize("width", [20, 40, 60, 78])
def test_a_narrow_window_shows_every_value_and_leaves_out_curves(width):
    names = [
        "nash_conv/openspiel/kuhn_poker",
        "reward/openspiel/kuhn_poker/first",
        "entropy",
        "grad_norm",
        "mismatch_kl",
    ]
    end = "openspiel/kuhn_poker/a-checkpoint-of-long-ago-and-far-away/player_1"
    ends = {f"win_rate{end_}/{end}": [value] * 60 for end_, value in (("", 0.1), ("_low", 0.041), ("_high", 0.226))}
    h = history(**{key: [1.0] * 59 + [0.125 + i] for i, key in enumerate(names)} | ends)
    panels = h.panels(100, {})[-1:]
    state = BoardState(Leaderboard("t", (), {}, {}, MatchCounts()), panels=panels)
    lines = render(state, width).plain.splitlines()
    assert all(len(line) <= width for line in lines)
    for value in ("0.125", "1.125", "2.125", "3.125", "4.125", "10% [4%, 23%]"):
        (line,) = [x for x in lines if f" {value}" in x]
        assert line[0].isalpha()
    assert any("▁" in line for line in lines) == (width >= 40)


def test_a_small_window_shows_the_first_curves_whole_and_counts_the_others():
    values = {f"{key}": [i / 100 for i in range(100)] for key in ("entropy", "grad_norm", "length", "illegal", "ess")}
    h = history(**{"nash_conv/openspiel/kuhn_poker": [1 - i / 100 for i in range(100)]} | values)
    state = BoardState(Leaderboard("t", (), {}, {}, MatchCounts()), panels=h.panels(100, {})[-1:])
    lines = render(state, 80, 14).plain.splitlines()
    (curve,) = [x for x in lines if x.startswith("NashConv")]
    assert curve.endswith("▁ 1"), "the newest value and the scale are there, and nothing is cut off"
    assert any("lines more in a taller window" in x for x in lines)
    assert not any(x.startswith("effective") for x in lines)
    whole = render(state, 80, 40).plain
    assert "effective" in whole
    assert "taller" not in whole


def test_the_board_warns_when_messages_repeat_themselves():
    history = MetricsHistory()
    for step in range(40):
        history.add({"step": step, "messages/taboo-v0/attacker": 0.8 if step < 20 else 0.1})
    assert alarms(history) == ["messages repeat themselves: taboo-v0 attacker, 10% are different"]
    (_, panel) = history.panels(40, {})
    assert any(curve.label == "different messages taboo-v0 attacker" for curve in panel.curves)


@pytest.mark.parametrize("truth", [0.5, 1.0])
def test_the_board_warns_of_one_message_for_everything_unless_it_is_always_right(truth):
    history = MetricsHistory()
    for step in range(40):
        history.add({"step": step, "same/g/judge": 0.6 if step < 20 else 1.0, "truth/g/judge": truth})
    line = "one message for everything: g judge says it in 100%, it was 60%"
    assert alarms(history) == ([] if truth == 1.0 else [line])


def test_the_board_warns_when_tasks_repeat_themselves():
    history = MetricsHistory()
    for step in range(40):
        history.add({"step": step, "distinct/g": 0.9 if step < 20 else 0.3})
    assert alarms(history) == ["tasks repeat themselves: g, 30% are different"]


SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
FILES = sorted(p for p in SCRIPTS.glob("*.toml") if "\nsteps = " in (text := p.read_text()) and "[[arms]]" not in text)
TICTACTOE, CONNECT_FOUR = "openspiel/tic_tac_toe", "pettingzoo/connect_four_v3"


def rows(ids, anchors):
    """A row with every kind of metric that belongs to a game, all with the same value."""
    keys = []
    for id in ids:
        seats = games.make(id).spec.seats
        keys += [f"{figure}/{id}" for figure in ("nash_conv", "nash_conv_average", "valid", "distinct", "solve_rate")]
        keys += [f"{figure}/{id}" for figure in ("task_length", "controls", "agreement", "label_right", "pool_gain/3")]
        keys += [f"pool_gain/{band}/{id}" for band in (0, 3)]
        keys += [f"{figure}/{id}/{role}" for figure in ("reward", "baseline", "messages") for role in seats.values()]
        keys += [f"seat_win/{id}/{seat}" for seat in seats]
        for anchor in anchors:
            for seat in seats:
                keys += [f"win_rate{end}/{id}/{anchor}/{seat}" for end in ("", "_low", "_high")]
    return dict.fromkeys([*keys, "entropy", "pool", "pool_new"], 1.0)


def labels(ids, row):
    (panel,) = MetricsHistory([{"step": 0, **row}], ids).panels(9, {})
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
    for path in config.plugins:
        plugins.load_file(file.parent / path)
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
    (panel,) = MetricsHistory([{"step": 0, **row}], [TICTACTOE]).panels(9, {})
    (line,) = [text for text, _ in panel_lines(panel, 85)][-1:]
    assert re.fullmatch(r"wins as player_1 against random 10% \[4%, 23%\]  +0.1 ▁+ 0.1", line)


def test_a_policy_for_each_role_has_its_own_curves_and_alarms():
    history = MetricsHistory(games=["psj-v1"])
    for step in range(40):
        history.add({"step": step, "entropy/judge": 0.7 if step < 20 else 0.01, "entropy/solver": 0.7})
    (warnings, panel) = history.panels(40, {})
    assert warnings.lines == ("entropy collapses: entropy/judge is 0.01, it was 0.7 in the first steps",)
    assert [curve.label for curve in panel.curves] == ["entropy (nats) judge", "entropy (nats) solver"]


def test_alarms_name_a_place_by_what_tells_it_apart():
    history = MetricsHistory(games=["code-io-v1(kind=a,solvers=4)", "code-io-v1(kind=b,solvers=4)"])
    for step in range(40):
        history.add({"step": step, "distinct/code-io-v1(kind=b,solvers=4)": 0.8 if step < 20 else 0.1})
    assert alarms(history) == ["tasks repeat themselves: kind=b, 10% are different"]
    assert CurveLabels(["psj-v1"]).place("psj-v1") == "psj-v1"


def test_a_long_label_keeps_both_ends():
    names = [f"wins as player_{i} against a-checkpoint-of-long-ago-{j}" for i in range(2) for j in range(2)]
    short = [cut(name, 34) for name in names]
    assert all(len(label) == 34 for label in short)
    assert all(one != other for one, other in pairwise(sorted(short)))


def test_a_training_is_watched_through_its_files(tmp_path):
    reader = training_reader.TrainingReader(tmp_path)
    assert reader.panels(9) == ()
    metrics, timing = tmp_path / "metrics.jsonl", tmp_path / "timing.jsonl"
    timing.write_text(json.dumps({"step": 1, "matches_per_second": 80.0}) + "\n")
    metrics.write_text(json.dumps({"step": 1, "entropy": 0.5}) + '\n{"step": 2, "ent')
    (panel,) = reader.panels(9)
    assert panel.lines[0] == "step 1 of 9 · 80 matches/s"
    with metrics.open("a") as file:
        file.write('ropy": 0.25}\n')
    (panel,) = reader.panels(9)
    assert panel.lines[0].startswith("step 2 of 9")
    assert [(curve.label, curve.value) for curve in panel.curves] == [("entropy (nats)", "0.25")]
    metrics.write_text(json.dumps({"step": 1, "entropy": 0.5}) + "\n")  # cut back by a resume
    assert reader.panels(9)[0].lines[0].startswith("step 1 of 9")
    assert training_reader.panels_for(RunSpec(name="cup", games={}, plays={}, folder=str(tmp_path))) == ()


ROW = b'{"step": 1, "reward": 0.5, "alarms": ["x"]}\n'
DAMAGED = [
    b"[1]\n", b"null\n", b'{"reward": 1}\n', b'{"step": "x"}\n', b'{"step": -1}\n', b'{"step": 0.5}\n',
    b'{"step": true}\n', b'{"step": 1' + b"0" * 40 + b"}\n", b"[" * 100_000 + b"\n", b"\xff\x00\n",
    ROW.decode().encode("utf-16"), b'{"step": 2}',
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED, ids=range(len(DAMAGED)))
def test_a_line_that_no_training_writes_ends_its_metrics(tmp_path, damage):
    (tmp_path / "metrics.jsonl").write_bytes(ROW + damage + ROW)
    (tmp_path / "timing.jsonl").write_bytes(damage)
    assert [row["step"] for row in read_metrics(tmp_path)] == [1]
    reader = training_reader.TrainingReader(tmp_path)
    assert reader.panels(3)[-1].title == "training"
    assert reader.alarms() == ("x",)


def test_values_that_are_no_numbers_are_left_out_and_what_is_no_file_is_none(tmp_path):
    row = {"step": 1, "reward": 0.5, "whole": 10**400, "table": {}, "text": "x", "mixed": ["x", 1], "nothing": None}
    for name in ("metrics.jsonl", "timing.jsonl"):
        (tmp_path / name).write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert read_metrics(tmp_path) == [{"step": 1, "reward": 0.5}]
    assert training_reader.TrainingReader(tmp_path).panels(3)
    for make in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)):
        folder = tmp_path / make.__name__.strip("<>")
        folder.mkdir()
        make(folder / "metrics.jsonl")
        assert read_metrics(folder) == []
        assert training_reader.TrainingReader(folder).panels(3) == ()
