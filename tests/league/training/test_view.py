"""A training on the plain board (SLURM, CI, a log file): its headline, rate and remaining time."""

import io
import re

from league.board.plain import PlainBoard
from league.config.training import AlarmConfig
from league.training import evaluate
from league.training.run import run_training
from league.training.view import TrainingView
from league.views.training_panels import MetricsHistory
from tests.league.board.states import Clock
from tests.league.training.runs import KUHN, config, plans


def updating(add):
    """`TrainingView.add`, which also updates the board: the timed updates may miss a short step."""

    def wrapped(view, *arguments):
        add(view, *arguments)
        view.update("running")

    return wrapped


def test_a_plain_line_tells_the_step_the_reward_the_loss_nash_conv_and_the_time_left(tmp_path, monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr("league.training.run.open_board", lambda *_, **__: PlainBoard(out, interval=0.0, first=0.0))
    monkeypatch.setattr(TrainingView, "add", updating(TrainingView.add))
    run_training(config(tmp_path))
    lines = [line for line in out.getvalue().splitlines() if "step 4 of 6" in line]
    assert lines
    number = r"-?[\d.]+(e-\d+)?"
    assert re.search(rf"reward first {number}, second {number} · loss {number} · NashConv {number}", lines[-1])
    assert re.search(rf"NashConv of the average {number} · [\d,]+ of [\d,]+ matches", lines[-1])
    assert re.search(r"\d+:\d\d to go", lines[-1])


def test_a_plain_line_counts_the_positions_that_are_read_before_the_first_step(tmp_path, monkeypatch):
    out, views = io.StringIO(), []
    create, read = TrainingView.__init__, evaluate.read_table

    def remembering(view, *arguments):
        views.append(view)
        create(view, *arguments)

    def updating_read(player, tabulated, progress):
        return read(player, tabulated, lambda answered: (progress(answered), views[0].update("running")))

    monkeypatch.setattr("league.training.run.open_board", lambda *_, **__: PlainBoard(out, interval=0.0, first=0.0))
    monkeypatch.setattr(TrainingView, "__init__", remembering)
    monkeypatch.setattr(evaluate, "read_table", updating_read)
    run_training(config(tmp_path, steps=1))
    assert "running: step 0 of 1 · measuring NashConv, 5 of 12 positions · 0 of " in out.getvalue()
    assert "measuring" not in out.getvalue().splitlines()[-1]


def test_several_games_are_named_in_the_line():
    games = [KUHN, "openspiel/leduc_poker"]
    history = MetricsHistory([{"step": 3, **{f"reward/{game}/first": 0.5 for game in games}, "grad_norm": 1.0}], games)
    (panel,) = history.panels(9, AlarmConfig(), {})
    assert panel.headline == ("step 3 of 9", "reward first, kuhn_poker 0.5, first, leduc_poker 0.5")


def test_the_match_rate_covers_many_steps(tmp_path, monkeypatch):
    """Matches end in bursts: a rate over half a minute jumps between zero and a burst."""
    from league.board.state import Progress
    from league.records.leaderboard import Leaderboard, MatchCounts

    clock = Clock()
    monkeypatch.setattr("league.training.view.Progress", lambda *a, **k: Progress(*a, clock=clock, **k))
    league = type("League", (), {"games": [KUHN]})
    view = TrainingView(plans(config(tmp_path))[0], None, league, (), None, None, [])
    rates = []
    for second in range(1, 601):
        clock.now += 1
        done = second // 60 * 64
        counts = MatchCounts(done, done, 0, 0, 64 * 100)
        rates.append(view._progress.state(Leaderboard("x", (), {}, {}, counts)).matches_per_second)
    late = rates[300:]
    assert min(late) > 0.8
    assert max(late) < 1.1
