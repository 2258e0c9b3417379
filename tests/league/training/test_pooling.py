"""Trainings on tasks of a pool: whole or stopped in the middle, the same; and what the board shows of the tasks."""

import pytest

from arena.match import Decision, Episode, Turn
from games import InputError
from league.store import Store
from league.training.config import AlarmConfig
from league.training.diversity import message_figures, task_figures
from league.training.loop import Training
from league.training.metrics import read
from league.training.panels import History, alarms
from league.training.run import run_training
from tests.league.training.runs import config

GAME = "psj-v0(solvers=2,size=1)"


def psj(folder, **more):
    settings = {
        "games": [GAME],
        "steps": 6,
        "matches_per_step": 12,
        "opponents": {"self": 1.0},
        "anchors": [],
        "snapshots": {"every": 6, "matches": 0},
        "evaluation": {"every": 6, "matches": 0, "exact": False},
        "tasks": {"share": 0.5, "curriculum": "frontier"},
    }
    return config(folder, **(settings | more))


def stored(c):
    with Store.open(c.db) as store:
        tasks, trials = store.tasks(store.run(c.name))
        planned = store.planned(store.run(f"{c.name}.training"))
        return [t.text for t in tasks], [(t.index, t.step, t.rate) for t in trials], [p.match.task for p in planned]


def test_matches_are_played_on_tasks_of_the_pool(tmp_path):
    c = psj(tmp_path)
    run_training(c, board="off")
    tasks, trials, planned = stored(c)
    assert 1 < len(tasks) <= 4
    assert len(set(tasks)) == len(tasks)
    assert {t for t in planned if t} <= set(tasks)
    assert planned[:12] == [""] * 12  # there was no task yet
    assert 15 <= sum(map(bool, planned)) <= 45
    assert max(step for _, step, _ in trials) == 5
    row = read(c.place)[-1]
    assert row["pool"] == len(tasks)
    assert row[f"valid/{GAME}"] == 1.0
    assert any(name.startswith("pool_gain/") for name in row)


def test_stopped_in_the_middle_it_goes_on_with_the_same_pool(tmp_path, monkeypatch):
    whole, broken = psj(tmp_path / "whole"), psj(tmp_path / "broken")
    run_training(whole, board="off")
    write = Training._write

    def failing(self, *rest):
        write(self, *rest)
        if self.step == 5:
            raise RuntimeError("the power went")

    with monkeypatch.context() as patch:
        patch.setattr(Training, "_write", failing)
        with pytest.raises(RuntimeError, match="the power went"):
            run_training(broken, board="off")
    assert max(step for _, step, _ in stored(broken)[1]) == 4  # the checkpoint is of 4 steps: step 4 is taken again
    assert run_training(broken, board="off").complete
    assert stored(broken)[:2] == stored(whole)[:2]
    assert read(broken.place) == read(whole.place)


def test_without_a_share_there_is_no_pool(tmp_path):
    c = psj(tmp_path, steps=2, tasks={})
    run_training(c, board="off")
    tasks, trials, planned = stored(c)
    assert tasks == trials == []
    assert not any(planned)


def test_a_role_is_credited_as_the_file_says(tmp_path):
    c = psj(tmp_path, steps=1, roles={"proposer": "proposer(difficulty='zero_at_zero(flat=-3)', duplicates=0)"})
    run_training(c, board="off")
    assert read(c.place)[-1][f"reward/{GAME}/proposer"] < 0.5


@pytest.mark.parametrize(
    ("roles", "words"),
    [({"prover": "proposer"}, "no game here has a role 'prover'"), ({"proposer": "proposer(x=1)"}, "allowed:")],
)
def test_a_wrong_role_is_told_before_anything_is_played(tmp_path, roles, words):
    with pytest.raises(InputError, match=words):
        run_training(psj(tmp_path, roles=roles), board="off")


def match(task, verdict="pass", rate=0.5, **facts):
    told = {"task": task, "verdict": verdict, "solve_rate": rate, **facts}
    return Episode("m", "g", 0, {"p": "live"}, {"p": "proposer"}, (), {"p": 0.0}, "finished", facts=told)


def test_figures_of_tasks():
    marks = [{"agrees": True}, {"agrees": False}, {"agrees": None}]
    episodes = [
        match("1 + 1", marks=marks),
        match("1  +  1", rate=1.0, label_right=True),
        match("2 + 2", rate=None),
        match("", "invalid", None),
        match("1 + 1", pooled=True, rate=0.0),
    ]
    assert task_figures(episodes) == pytest.approx(
        {
            "valid/g": 0.75,
            "distinct/g": 2 / 3,
            "task_length/g": (5 + 7 + 5) / 3,
            "solve_rate/g": 0.5,
            "agreement/g": 0.5,
            "label_right/g": 1.0,
        }
    )
    assert task_figures([Episode("m", "g", 0, {}, {}, (), {}, "finished")]) == {}


def said(role, *texts, player="live", **more):
    turns = tuple(Turn(role, role, "play", player, text, (Decision(text),), **more) for text in texts)
    return Episode("m", "taboo-v0", 0, {role: player}, {role: role}, turns, {}, "finished", facts={"how": "tie"})


def test_figures_of_messages():
    episodes = [
        said("attacker", "Hello.", "hello", "What is it?"),
        said("attacker", "Hello", player="live#1"),
        said("defender", "No.", "No."),
        said("defender", "drawn", substituted=True),
        said("defender", "of somebody else", player="random"),
        Episode("m", "openspiel/kuhn_poker", 0, {"a": "live"}, {"a": "a"}, said("a", "bet").turns, {}, "finished"),
    ]
    figures = message_figures(episodes, lambda player: player.startswith("live"))
    assert figures == {"messages/taboo-v0/attacker": 0.5, "messages/taboo-v0/defender": 0.5}


def test_the_board_warns_when_messages_repeat_themselves():
    history = History()
    for step in range(40):
        history.add({"step": step, "messages/taboo-v0/attacker": 0.8 if step < 20 else 0.1})
    assert alarms(history, AlarmConfig()) == ["messages repeat themselves: taboo-v0 attacker, 10% are different"]
    (_, panel) = history.panels(40, AlarmConfig(), {})
    assert any(line.startswith("different messages taboo-v0 attacker") for line in panel.lines)


def test_the_board_warns_when_tasks_repeat_themselves(tmp_path):
    history = History()
    for step in range(40):
        history.add({"step": step, "distinct/g": 0.9 if step < 20 else 0.3})
    assert alarms(history, AlarmConfig()) == ["tasks repeat themselves: g, 30% are different"]
    assert alarms(history, AlarmConfig(distinct=0.2)) == []
