"""What a training prints, and the time it takes."""

import io
import random
import re

from arena.inference.transformers.batcher import Batcher
from arena.inference.transformers.engine import TransformersEngine
from league.board.plain import PlainBoard
from league.store import Store
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
    (panel,) = history.panels(9, {})
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


GAME = "openspiel/mnk(m=4,n=4,k=3)"


def trained(folder):
    """The weights after two steps on a game whose actions part at several tokens, and all stored probabilities."""
    folder.mkdir()
    c = config(
        folder,
        steps=2,
        matches_per_step=5,
        games=[GAME],
        loss={"tau": 0.0},
        optimizer={"lr": 0.05},  # far from uniform after the first step, so that rounding shows
        opponents={"self": 1.0},
        anchors=[],
        snapshots={"every": 2, "matches": 0},
        evaluation={"every": 2, "exact": False},
        checkpoint={"every": 2},
    )
    run_training(c, board="off")
    with Store.open(c.db, read_only=True) as store:
        episodes = [episode for run in store.runs() for _, episode in store.episodes(run)]
    stored = [
        (turn.action, [a.sample.logprobs for a in turn.attempts if a.sample]) for e in episodes for turn in e.turns
    ]
    assert len(stored) > 50
    return (c.place / "checkpoints/step-00000002/weights.safetensors").read_bytes(), stored


def test_two_runs_with_different_timing_are_the_same_bit_for_bit(tmp_path, monkeypatch):
    calm = trained(tmp_path / "calm")
    rng, groups = random.Random(1), []
    turn, deliver = TransformersEngine.turn, Batcher._deliver

    def scattered(self, arrived):
        """What arrived, in another order and in small groups."""
        out, jobs = [], rng.sample(arrived, len(arrived))
        while jobs:
            groups.append(rng.randint(1, 3))
            out += turn(self, jobs[: groups[-1]])
            del jobs[: groups[-1]]
        return out

    def late(self, answers):
        """One answer after another, so that the matches run apart."""
        for answer in rng.sample(answers, len(answers)):
            deliver(self, [answer])

    monkeypatch.setattr(TransformersEngine, "turn", scattered)
    monkeypatch.setattr(Batcher, "_deliver", late)
    weights, stored = trained(tmp_path / "scattered")
    assert stored == calm[1]
    assert weights == calm[0]
    assert len(groups) > 30
