"""The curves and alarms of a training on the board."""

import re

import pytest

from league.board.render import render
from league.board.state import BoardState
from league.config.training import AlarmConfig
from league.records.leaderboard import Leaderboard, MatchCounts
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
    assert alarms(healthy, AlarmConfig()) == []
    for column, word in (("length", "answers collapse"), ("entropy", "entropy"), ("grad_norm", "gradient")):
        (line,) = alarms(history(**{column: falling}), AlarmConfig())
        assert word in line
    (line,) = alarms(history(illegal=[0.0] * 20 + [0.5] * 20), AlarmConfig())
    assert "illegal answers jump: 50%" in line
    (line,) = alarms(history(**{"seat_win/openspiel/kuhn_poker/player_1": [0.5] * 20 + [1.0] * 20}), AlarmConfig())
    assert "kuhn_poker player_1 wins 100%" in line
    assert alarms(history(length=[1.0] * 10 + [0.0] * 10), AlarmConfig()) == []


def test_the_board_shows_the_training():
    h = history(entropy=[0.7, 0.6, 0.5], **{"nash_conv/openspiel/kuhn_poker": [0.9, 0.5, 0.2]})
    shares = {"share/learn": 0.7, "share/keep": 0.05, "share/rollout": 0.25}
    panels = h.panels(100, AlarmConfig(), {"matches_per_second": 512.4} | shares)
    state = BoardState(Leaderboard("t", (), {}, {}, MatchCounts()), panels=panels)
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
            (panel,) = h.panels(5000, AlarmConfig(entropy=0.0), {})
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
    panels = h.panels(100, AlarmConfig(), {})
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
    state = BoardState(Leaderboard("t", (), {}, {}, MatchCounts()), panels=h.panels(100, AlarmConfig(), {}))
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
    assert alarms(history, AlarmConfig()) == ["messages repeat themselves: taboo-v0 attacker, 10% are different"]
    (_, panel) = history.panels(40, AlarmConfig(), {})
    assert any(curve.label == "different messages taboo-v0 attacker" for curve in panel.curves)


def test_the_board_warns_when_tasks_repeat_themselves():
    history = MetricsHistory()
    for step in range(40):
        history.add({"step": step, "distinct/g": 0.9 if step < 20 else 0.3})
    assert alarms(history, AlarmConfig()) == ["tasks repeat themselves: g, 30% are different"]
    assert alarms(history, AlarmConfig(distinct=0.2)) == []
