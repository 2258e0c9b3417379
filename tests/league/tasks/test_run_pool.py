"""Trainings that use a task pool: an interrupted run gives the same as an uninterrupted one."""

import pytest

import games
from games import InputError, RandomStream
from games.native.code_io import tasks
from league import run_training
from league.config.training import TasksConfig
from league.records.metrics_file import read_metrics
from league.store import Store
from league.store.tasks import StoredTask
from league.tasks import RunTaskPool
from tests.games.verifiers import needs
from tests.league.training.kills import dying_after
from tests.league.training.runs import config

GAME = "psj-v1(solvers=2,size=1)"


def psj(folder, **more):
    settings = {
        "games": [GAME],
        "steps": 6,
        "matches_per_step": 12,
        "opponents": {"self": 1.0},
        "anchors": [],
        "snapshots": {"every": 6, "matches": 0},
        "evaluation": {"every": 6, "matches": 0, "exact": False},
        "tasks": {"share": 0.5, "curriculum": "sec(arms=band)"},
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
    row = read_metrics(c.place)[-1]
    assert row["pool"] == len(tasks)
    assert row[f"valid/{GAME}"] == 1.0
    assert any(name.startswith("pool_gain/") for name in row)


LETTERS = "psj-v1(solvers=2,votes=0,tasks='letters(families=code1,letters=2,length=2)',listed=True)"


@pytest.mark.parametrize(
    ("game", "tasks"),
    [
        (GAME, {"share": 0.5, "curriculum": "mopps(candidates=2)"}),
        (LETTERS, {"share": 0.5, "ladder": "frontier"}),
        pytest.param(LETTERS, {"ladder": "oracle"}, marks=pytest.mark.slow),
    ],
)
def test_stopped_in_the_middle_it_resumes_with_the_same_pool(tmp_path, game, tasks):
    more = {"games": [game], "tasks": tasks}
    whole, broken = psj(tmp_path / "whole", **more), psj(tmp_path / "broken", **more)
    run_training(whole, board="off")
    with dying_after(5):
        run_training(broken, board="off")
    if "ladder" not in tasks:  # it stores no tasks of its own
        assert max(step for _, step, _ in stored(broken)[1]) == 4  # the checkpoint is from 4 steps: step 4 is repeated
    assert run_training(broken, board="off").complete
    assert stored(broken)[:2] == stored(whole)[:2]
    assert read_metrics(broken.place) == read_metrics(whole.place)


def test_without_a_share_there_is_no_pool(tmp_path):
    c = psj(tmp_path, steps=2, tasks={})
    run_training(c, board="off")
    tasks, trials, planned = stored(c)
    assert tasks == trials == []
    assert not any(planned)


def test_a_role_is_credited_as_the_file_says(tmp_path):
    c = psj(tmp_path, steps=1, roles={"proposer": "proposer(difficulty='zero_at_zero(flat=-3)', duplicates=0)"})
    run_training(c, board="off")
    assert read_metrics(c.place)[-1][f"reward/{GAME}/proposer"] < 0.5


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"prover": "proposer"}, "no game here has a role 'prover'"),
        ({"proposer": "proposer(x=1)"}, "allowed:"),
        ({"proposer": "propser"}, "unknown role 'propser'; did you mean 'proposer'"),
    ],
)
def test_a_wrong_role_is_refused_before_any_match(tmp_path, roles, words):
    with pytest.raises(InputError, match=words):
        run_training(psj(tmp_path, roles=roles), board="off")


@needs.sandboxed
def test_proposers_are_shown_earlier_tasks_that_a_resumed_pool_gives_again(tmp_path):
    """Valid programs of the pool are in the plans of new matches, as parents in their facts and in the store."""
    game = "code-io-v1(kind=deduction,solvers=1)"
    programs = [f"def f(x):\n    return {value}" for value in ("x * 3 + 1", "x * 37 % 101", "x * x + 2")]
    texts = [tasks.Task("deduction", program, ("5",)).text() for program in programs]
    settings = TasksConfig(share=0.5, references=2)
    with Store.open(f"sqlite:///{tmp_path}/a.db") as store:
        run = store.start_run("r", {"seed": 0})
        new = [StoredTask(i, game, tasks.load(t).canonical(), t, "random", 0, f"m{i}", 0) for i, t in enumerate(texts)]
        store.add_tasks(run, new, [])
        first, again = RunTaskPool(settings, store, run, [game]), RunTaskPool(settings, store, run, [game])
        first.resume(1, {})
        again.resume(1, first.state_dict())
        text = first.sampler().references(game, RandomStream(1)).text
        assert again.sampler().references(game, RandomStream(1)).text == text
    shown = games.make(game)
    shown.load_task(text)
    shown.reset(3)
    parents = shown.facts()["parents"]
    assert parents
    assert set(parents) <= set(texts)
    program = tasks.load(parents[0]).program
    assert program in shown.observe("proposer").text
    copied = f"```python\n{program}\n```\n```input\n{tasks.load(parents[0]).inputs[0]}\n```"
    shown.apply({"proposer": copied})
    assert "is one of the earlier task" in shown.facts()["reason"]


def test_knapsack_plays_tasks_more_or_less_often_than_the_group(tmp_path):
    c = psj(tmp_path, group=2, advantage="grpo", tasks={"share": 0.8, "curriculum": "knapsack(low=1, high=6)"})
    run_training(c, board="off")
    with Store.open(c.db) as store:
        played = [episode for _, episode in store.episodes(store.run(f"{c.name}.training"))]
    sizes = {}
    for episode in played:
        if episode.task:
            pairing = (episode.seed, episode.task)
            sizes[pairing] = sizes.get(pairing, 0) + 1
    assert {1, 2} < set(sizes.values()) <= set(range(1, 7))
    assert max(sizes.values()) > 2
    credited = {name for e in played for name in e.seats.values()}
    assert "kuhn#2" in credited  # more copies than the group has


def test_b_star_sets_the_temperature_of_a_step(tmp_path):
    c = psj(tmp_path, tasks={"share": 0.5, "curriculum": 'b-star(temperatures="0.5+2.0", every=4)'})
    run_training(c, board="off")
    with Store.open(c.db) as store:
        played = [episode for _, episode in store.episodes(store.run(f"{c.name}.training"))]
    found = [{t.sample.temperature for e in played[n : n + 12] for t in e.turns} for n in range(0, 72, 12)]
    assert found[:2] == found[4:] == [{0.5}, {2.0}]
    assert found[2] == found[3]
    assert found[2] in ({0.5}, {2.0})
    row = read_metrics(c.place)[-1]
    assert row["pool_balance/0.5"] >= 0


def test_b_star_needs_rollouts_on_the_trainers_weights(tmp_path):
    with pytest.raises(InputError, match="leave out overlap = 1"):
        run_training(psj(tmp_path, overlap=1, tasks={"share": 0.5, "curriculum": "b-star"}), board="off")


@pytest.mark.parametrize(
    ("game", "more", "words"),
    [
        (GAME, {}, "no game of this training draws tasks of a source, so ladder = 'oracle' does nothing"),
        (LETTERS, {"policies": [{"name": "a"}, {"name": "b"}]}, r"measures one policy; leave out \[\[policies\]\]"),
    ],
)
def test_a_ladder_that_cannot_work_is_refused_before_any_match(tmp_path, game, more, words):
    with pytest.raises(InputError, match=words):
        run_training(psj(tmp_path, games=[game], tasks={"ladder": "oracle"}, **more), board="off")


def test_an_unknown_curriculum_is_refused_before_any_match(tmp_path):
    with pytest.raises(InputError, match=r"unknown curriculum .mops..*mopps"):
        run_training(psj(tmp_path, tasks={"share": 0.5, "curriculum": "mops"}), board="off")
