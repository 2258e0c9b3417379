"""The pool of tasks, their parents and targets."""

import json
from collections import Counter
from itertools import islice

import pytest

from arena.match import Decision, Episode, Turn
from games.native.evolve.texts import EVOLVE
from games.randomness import RandomStream
from games.tasks.canonical import canonical_question
from league.config.training import TasksConfig
from league.records.metrics_file import read_metrics
from league.store import Store
from league.tasks import ProvedTargets
from league.tasks.curricula import StepBudget
from league.tasks.curricula.sec import band
from league.tasks.pool import TaskPool, draw_parent
from league.training.run import run_training
from tests.league.tasks.curricula.pools import task
from tests.league.training.runs import config

GAME = "psj-v1"


def played(task, rate, *, match="m0", verdict="pass", pooled=False, game=GAME, status="finished", **more):
    turn = Turn("proposer", "proposer", "propose", "live", task, (Decision(task),))
    facts = {"task": task, "verdict": verdict, "solve_rate": rate, "pooled": pooled}
    seats = {"proposer": "live"}
    facts |= more
    return Episode(match, game, 0, seats, {"proposer": "proposer"}, (turn,), {"proposer": 0.0}, status, facts=facts)


def filled(rates, **rules):
    pool = TaskPool(TasksConfig(**rules))
    for i, rate in enumerate(rates):
        pool.add([played(f"task {i}", rate, match=f"m{i}")], step=i)
    return pool


def sampled(pool, n=2000):
    order = pool.order(GAME, StepBudget(8, 1), RandomStream(5))
    found = [pick.task.task.text for pick in islice(order, n)]
    return {text: found.count(text) / n for text in set(found)}


def test_valid_tasks_are_added_with_their_origin():
    pool = TaskPool(TasksConfig())
    new, trials, _ = pool.add([played("What is 1 + 1?", 0.5, match="m7")], step=3)
    (task,), (trial,) = new, trials
    assert (task.index, task.text, task.player, task.match, task.step) == (0, "What is 1 + 1?", "live", "m7", 3)
    assert (trial.index, trial.match, trial.step, trial.rate) == (0, "m7", 3, 0.5)
    assert sampled(pool, 1) == {"What is 1 + 1?": 1.0}


@pytest.mark.parametrize(
    "episode",
    [
        played("t", None),
        played("t", 0.5, verdict="invalid"),
        played("t", 0.5, verdict="fail"),
        played("t", 0.5, status="void"),
        played("unknown here", 0.5, pooled=True),
    ],
)
def test_tasks_that_are_not_valid_or_not_tried_are_not_added(episode):
    pool = TaskPool(TasksConfig())
    assert pool.add([episode], 0) == ([], [], {})
    assert sampled(pool, 1) == {}


def test_only_tasks_within_the_limits_are_added():
    pool = TaskPool(TasksConfig(low=0.3, high=0.8))
    new, trials, _ = pool.add([played(f"t{r}", r, match=str(r)) for r in (0.2, 0.3, 0.5, 0.8, 0.9)], 0)
    assert [t.text for t in new] == ["t0.3", "t0.5", "t0.8"]
    assert len(trials) == 3


def test_the_same_again_is_a_trial_not_a_task():
    pool = TaskPool(TasksConfig())
    again = "what  IS 1 + 1"
    new, trials, _ = pool.add([played("What is 1 + 1?", 0.5, match="a"), played(again, 1.0, match="b")], 0)
    assert len(new) == 1
    assert [t.rate for t in trials] == [0.5, 1.0]
    assert band(pool.find(GAME, "What is 1 + 1?").rate) == 5
    assert pool.add([played(again, 0.25, match="c", game="math-duel-v1")], 1)[0][0].index == 1  # another game's pool


def test_a_task_with_the_canonical_text_of_another_is_a_trial_of_it():
    pool = TaskPool(TasksConfig())
    for text, match in (("3 + 4", "a"), ("(4) +3", "b")):
        pool.add([played(text, 0.5, match=match, canonical=canonical_question(text))], 0)
    assert len(pool) == 1
    pool.add([played("5 + 2", 0.5, match="c", canonical=canonical_question("5 + 2"))], 1)
    assert len(pool) == 2


def test_outgrown_tasks_are_neither_played_nor_shown_until_they_are_failed_again():
    pool = filled([0.25, 0.5, 1.0], outgrown=0.5, parents="uniform")
    assert sampled(pool, 50) == {"task 0": 1.0}
    assert pool.references(GAME, 6, RandomStream(1)) == ["task 0"]
    pool.add([played("task 0", 0.75, match="n0", pooled=True)], step=4)
    assert sampled(pool, 50) == {}
    pool.add([played("task 2", 0.0, match="n1", pooled=True)], step=5)
    assert sampled(pool, 50) == {"task 2": 1.0}


def test_uniform_and_newest():
    assert set(sampled(filled([0.5] * 10))) == {f"task {i}" for i in range(10)}
    assert set(sampled(filled([0.5] * 10, size=4))) == {f"task {i}" for i in range(6, 10)}
    assert set(sampled(filled([0.5] * 10, curriculum="newest(tasks=3)"))) == {"task 7", "task 8", "task 9"}


def test_a_task_moves_to_another_band():
    pool = filled([0.4], curriculum="sec(arms=band)")
    pool.add([played("task 0", 1.0, match="later", pooled=True)], 9, {"later": 0.4})
    assert pool.state_dict() == {GAME: {"2": 0.2}}  # the band that it was sampled from
    pool.add([played("task 0", 1.0, match="last", pooled=True)], 10, {"last": 0.2})
    assert pool.state_dict() == {GAME: {"2": 0.2, "5": 0.1}}
    assert pool.find(GAME, "never seen") is None


def test_the_store_gives_back_the_same_pool(tmp_path):
    rules = TasksConfig(curriculum="sec(arms=band)")
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run = store.start_run("r", {"seed": 0})
        pool = TaskPool(rules)
        for step in range(12):
            episodes = [played(f"task {step % 5}", step / 11, match=f"m{step}"), played("same", 0.5, match=f"s{step}")]
            change = pool.add(episodes, step, {f"m{step}": 0.5})
            store.add_tasks(run, change.new, change.trials)
        again = TaskPool(rules, *store.tasks(run))
        again.load_state_dict(pool.state_dict())
        assert len(again) == len(pool) == 6
        assert sampled(again, 200) == sampled(pool, 200)


def test_what_came_after_a_checkpoint_is_deleted(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run, other = store.start_run("r", {"seed": 0}), store.start_run("other", {"seed": 0})
        for target in (run, other):
            pool = TaskPool(TasksConfig())
            for step in range(4):
                store.add_tasks(target, *pool.add([played(f"task {step}", 0.5, match=f"m{step}")], step)[:2])
        assert store.forget_tasks(run, 1) == 2
        tasks, trials = store.tasks(run)
        assert [t.text for t in tasks] == ["task 0", "task 1"]
        assert [t.step for t in trials] == [0, 1]
        assert len(store.tasks(other)[0]) == 4


def test_a_task_keeps_its_kind_its_question_and_its_parents(tmp_path):
    facts = {"kind": "add/1x1", "question": "What is 1 + 1?", "answers": {"solver_0": "2", "solver_1": None}}
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run, pool = store.start_run("r", {"seed": 0}), TaskPool(TasksConfig())
        for i, parents in enumerate(((), ("task 0",), ("Task 1", "nobody knows this", "task 0"))):
            change = pool.add([played(f"task {i}", 0.5, match=f"m{i}", parents=parents, **facts)], i)
            store.add_tasks(run, change.new, change.trials)
        tasks, trials = store.tasks(run)
    assert [t.parents for t in tasks] == [(), (0,), (1, 0)]
    assert {(t.kind, t.question) for t in tasks} == {("add/1x1", "What is 1 + 1?")}
    assert [t.answers for t in trials] == [2, 2, 2]


RATES = (None, 0.0, 0.25, 0.75, 1.0)


@pytest.mark.parametrize(
    ("rule", "shares"),
    [
        ("uniform", (0, 0.25, 0.25, 0.25, 0.25)),
        ("eva", (0, 0, 0.5, 0.5, 0)),
        ("failures", (0, 1, 0, 0, 0)),
        ("socratic", (0, 0.5, 0.375, 0.125, 0)),
    ],
)
def test_shares_by_hand(rule, shares):
    tasks, stream = [task(i, rate) for i, rate in enumerate(RATES)], RandomStream(1)
    found = Counter(draw_parent(rule, tasks, stream).index for _ in range(4000))
    assert [found[i] / 4000 for i in range(5)] == pytest.approx(shares, abs=0.03)


def test_without_a_task_that_fits_all_tried_tasks_do():
    tasks, stream = [task(0), task(1, 1.0), task(2, 1.0)], RandomStream(1)
    assert {draw_parent("failures", tasks, stream).index for _ in range(50)} == {1, 2}
    assert draw_parent("eva", [task(0)], stream) is None


def evolving(folder, **more):
    settings = {
        "games": ["evolve(solvers=2,size=2)"],
        "steps": 5,
        "matches_per_step": 6,
        "opponents": {"self": 1.0},
        "anchors": [],
        "snapshots": {"every": 5, "matches": 0},
        "evaluation": {"every": 5, "matches": 0, "exact": False},
        "tasks": {"share": 0.3, "curriculum": "mopps", "parents": "socratic"},
    }
    return config(folder, **(settings | more))


def test_a_training_makes_variants_of_pooled_tasks_and_keeps_their_parents(tmp_path):
    c = evolving(tmp_path)
    run_training(c, board="off")
    with Store.open(c.db) as store:
        tasks, trials = store.tasks(store.run(c.name))
        played = [episode for _, episode in store.episodes(store.run(f"{c.name}.training"))]
    by_index = {t.index: t for t in tasks}
    made = [t for t in tasks if t.parents]
    assert {parent < t.index for t in made for parent in t.parents} == {True}
    for one in made:
        (parent,) = (by_index[i].text.split(" + ") for i in one.parents)
        assert sum(a != b for a, b in zip(parent, one.text.split(" + "), strict=True)) == 1
    varied = [e for e in played if e.task.startswith(EVOLVE)]
    assert varied
    assert all(e.facts["parents"] == [e.task.removeprefix(EVOLVE)] for e in varied)
    assert all(e.task == "" for e in played[:6])  # nothing was tried yet
    assert {trial.answers for trial in trials} == {2}
    assert any("pool_generation" in row for row in read_metrics(c.place))


GAME_TARGETS = "conjecture-v1(provers=3)"


def match(target, *kinds, players=("live", "live", "live"), status="finished"):
    seats = {f"prover_{i}": player for i, player in enumerate(players)}
    tried = {seat: {"kind": kind} for seat, kind in zip(seats, kinds, strict=True)}
    facts = {"target": target, "target_attempts": tried}
    return Episode("m", GAME_TARGETS, 0, seats, dict.fromkeys(seats, "prover"), (), {}, status, facts=facts)


def counts(proved, *episodes):
    found = proved.add(episodes, {"live"})
    return found.get(f"targets/{GAME_TARGETS}"), found.get(f"targets_most/{GAME_TARGETS}")


def test_targets_are_counted_once_and_a_lucky_guess_is_not_most_provers():
    proved = ProvedTargets()
    assert counts(proved, match("p", "pass", "fail", "fail"), match("q", "fail", "fail", "invalid")) == (1, 0)
    assert counts(proved, match("p", "pass", "pass", "fail"), match("r", "pass", "pass", "pass")) == (2, 2)
    assert counts(proved, match("r", "pass", "pass", "pass")) == (2, 2)


def test_only_the_learners_own_seats_count_and_void_matches_do_not():
    proved = ProvedTargets()
    anchor = match("p", "pass", "pass", "fail", players=("random", "random", "live"))
    assert counts(proved, anchor, match("q", "pass", "pass", "pass", status="void")) == (0, 0)
    assert counts(proved, match("p", "fail", "fail", "pass", players=("random", "random", "live"))) == (1, 1)


def test_the_count_goes_on_after_a_resume():
    proved, resumed = ProvedTargets(), ProvedTargets()
    counts(proved, match("p", "pass", "pass", "pass"))
    resumed.load_state_dict(json.loads(json.dumps(proved.state_dict())))
    assert counts(resumed, match("p", "pass", "pass", "pass")) == (1, 1)
    assert counts(resumed, match("q", "pass", "fail", "fail")) == (2, 1)
