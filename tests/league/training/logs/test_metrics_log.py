"""Metrics on disk and in trackers; every second of a training counts once."""

import json
import math

from league.records.metrics_file import METRICS, TIMING, read_metrics
from league.training.logs.metrics_log import MetricsLog, StepTimer


class Collector:
    def __init__(self):
        self.rows, self.closed = [], False

    def write(self, step, values):
        self.rows.append((step, values))

    def close(self):
        self.closed = True


def test_rows_are_written_and_handed_on(tmp_path):
    tracker = Collector()
    metrics = MetricsLog(tmp_path, 0, [tracker])
    metrics.write(1, {"loss": 0.5, "bad": math.nan}, {"seconds": 2.0})
    metrics.close()
    assert json.loads((tmp_path / METRICS).read_text())["loss"] == 0.5
    assert json.loads((tmp_path / TIMING).read_text()) == {"step": 1, "seconds": 2.0}
    assert tracker.rows == [(1, {"loss": 0.5, "seconds": 2.0})]
    assert tracker.closed


def test_rows_after_the_checkpoint_and_half_a_row_are_dropped(tmp_path):
    lines = [json.dumps({"step": s, "loss": s}) + "\n" for s in range(1, 6)]
    (tmp_path / METRICS).write_text("".join(lines) + '{"step": 6, "lo')
    assert [row["step"] for row in read_metrics(tmp_path)] == [1, 2, 3, 4, 5]
    metrics = MetricsLog(tmp_path, 3)
    metrics.write(4, {"loss": 40}, {})
    metrics.close()
    assert [row["loss"] for row in read_metrics(tmp_path)] == [1, 2, 3, 40]


class FakeClock:
    """A clock that shows the time it is set to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_seconds_shares_and_rates():
    time = FakeClock()
    timer = StepTimer(time)
    with timer.timed("rollout"):
        time.now += 6.0
        with timer.timed("publish"):  # a replica loads the weights first
            time.now += 1.0
    with timer.timed("learn"):
        time.now += 2.0
        timer.add("publish", 0.5)
        timer.add("learn/forward", 1.25)
    time.now += 1.0
    row = timer.row({"matches": 40})
    assert row == {
        "seconds": 10.0,
        "rollout": 6.0,
        "publish": 1.5,
        "learn": 1.5,
        "learn/forward": 1.25,
        "matches_per_second": 4.0,
        "share/rollout": 0.6,
        "share/publish": 0.15,
        "share/learn": 0.15,
    }
    with timer.timed("keep"):
        time.now += 10.0
    row = timer.row({})
    assert row == {"seconds": 10.0, "keep": 10.0} | {
        "share/rollout": 0.3,
        "share/publish": 0.075,
        "share/learn": 0.075,
        "share/keep": 0.5,
    }
