"""The two-minute smoke test: a language model learns to play poker on the CPU.

Counted in steps, so that a slow machine takes longer and nothing else. Uniform play has a NashConv of 0.917, always
passing or always betting 0.667, so that a policy below 0.45 tells its cards apart and bets by them.
"""

from statistics import mean

import pytest

from league.records.metrics_file import read_metrics
from league.training.run import run_training
from tests.league.training.runs import KUHN, config


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nash_conv_of_the_tiny_model_falls_on_kuhn_poker(tmp_path):
    c = config(
        tmp_path,
        steps=200,
        matches_per_step=128,
        policy={"model": "tiny(layers=2, hidden=64)"},
        loss={"tau": 0.3, "magnet_rate": 0.005},
        optimizer={"lr": 1e-3, "schedule": "linear"},
        opponents={"self": 1.0},
        anchors=[],
        snapshots={"every": 200, "matches": 0},
        evaluation={"every": 5},
        checkpoint={"every": 200},
        record=False,
    )
    run_training(c, board="off")
    rows = read_metrics(c.place)
    last = [row[f"nash_conv/{KUHN}"] for row in rows if f"nash_conv/{KUHN}" in row]
    average = [row[f"nash_conv_average/{KUHN}"] for row in rows if f"nash_conv_average/{KUHN}" in row]
    assert last[0] > 0.65
    assert mean(last[-5:]) < 0.45
    assert average[-1] < 0.5
    assert all(row["ess"] > 0.999 for row in rows if "ess" in row)  # what was sampled is what was trained on
