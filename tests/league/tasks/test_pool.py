"""The task pool: what is added, what is refused, what is sampled; in memory and in the store."""

import pytest

from arena.match import Decision, Episode, Turn
from games.randomness import RandomStream
from league.config.training import TasksConfig
from league.store import Store
from league.tasks.pool import TaskPool, task_key

GAME = "psj-v0"


def played(task, rate, *, match="m0", verdict="pass", pooled=False, game=GAME, status="finished"):
    turn = Turn("proposer", "proposer", "propose", "live", task, (Decision(task),))
    facts = {"task": task, "verdict": verdict, "solve_rate": rate, "pooled": pooled}
    seats = {"proposer": "live"}
    return Episode(match, game, 0, seats, {"proposer": "proposer"}, (turn,), {"proposer": 0.0}, status, facts=facts)


def filled(rates, **rules):
    pool = TaskPool(TasksConfig(**rules))
    for i, rate in enumerate(rates):
        pool.add([played(f"task {i}", rate, match=f"m{i}")], step=i)
    return pool


def sampled(pool, n=2000):
    stream = RandomStream(5)
    found = [pool.sample(GAME, stream) for _ in range(n)]
    return {text: found.count(text) / n for text in set(found)}


def test_valid_tasks_are_added_with_their_origin():
    pool = TaskPool(TasksConfig())
    new, trials = pool.add([played("What is 1 + 1?", 0.5, match="m7")], step=3)
    (task,), (trial,) = new, trials
    assert (task.index, task.text, task.player, task.match, task.step) == (0, "What is 1 + 1?", "live", "m7", 3)
    assert (trial.index, trial.match, trial.step, trial.rate) == (0, "m7", 3, 0.5)
    assert pool.sample(GAME, RandomStream(0)) == "What is 1 + 1?"


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
    assert pool.add([episode], 0) == ([], [])
    assert pool.sample(GAME, RandomStream(0)) == ""


def test_only_tasks_within_the_limits_are_added():
    pool = TaskPool(TasksConfig(low=0.3, high=0.8))
    new, trials = pool.add([played(f"t{r}", r, match=str(r)) for r in (0.2, 0.3, 0.5, 0.8, 0.9)], 0)
    assert [t.text for t in new] == ["t0.3", "t0.5", "t0.8"]
    assert len(trials) == 3


def test_the_same_again_is_a_trial_not_a_task():
    pool = TaskPool(TasksConfig())
    again = "what  IS 1 + 1"
    new, trials = pool.add([played("What is 1 + 1?", 0.5, match="a"), played(again, 1.0, match="b")], 0)
    assert len(new) == 1
    assert [t.rate for t in trials] == [0.5, 1.0]
    assert pool.band(GAME, "What is 1 + 1?") == 5
    assert pool.add([played(again, 0.25, match="c", game="math-duel-v0")], 1)[0][0].index == 1  # another game's pool


def test_keys():
    assert task_key("What is  1 + 1 ?") == task_key("what is 1 + 1") == task_key("Ｗhat is 1 + 1.")
    assert task_key("1 + 2") != task_key("1 + 3")
    assert task_key('{"program": "A"}') != task_key('{"program": "a"}')


def test_near_duplicates_are_refused_if_distance_is_set():
    pool = TaskPool(TasksConfig(distance=0.5))
    first, near, far = "how many primes are below one hundred", "how many primes are below one million", "name a prime"
    assert [len(pool.add([played(t, 0.5, match=t)], 0)[0]) for t in (first, near, far)] == [1, 0, 1]
    assert len(TaskPool(TasksConfig()).add([played(t, 0.5, match=t) for t in (first, near, far)], 0)[0]) == 3


def test_uniform_and_newest():
    assert set(sampled(filled([0.5] * 10))) == {f"task {i}" for i in range(10)}
    assert set(sampled(filled([0.5] * 10, size=4))) == {f"task {i}" for i in range(6, 10)}
    assert set(sampled(filled([0.5] * 10, curriculum="newest", newest=3))) == {"task 7", "task 8", "task 9"}


def test_the_frontier_samples_the_bands_with_the_largest_gain():
    pool = filled([0.0, 0.1, 0.4, 0.9, 1.0], curriculum="frontier", temperature=0.1, rate=0.5)
    assert len(sampled(pool)) == 5  # no gain is known yet: all bands have the same weight
    bands = [pool.band(GAME, f"task {i}") for i in range(5)]
    assert bands == [0, 1, 2, 4, 5]
    pool.update_gains(GAME, {0: [0.0], 1: [0.1], 2: [0.4, 0.6], 4: [0.1], 5: [0.0]})
    assert pool.gains[GAME] == {0: 0.0, 1: 0.05, 2: 0.25, 4: 0.05, 5: 0.0}
    shares = sampled(pool)
    # exp(-2.5), exp(-2), 1, exp(-2), exp(-2.5) over their sum
    assert shares["task 2"] == pytest.approx(1 / (1 + 2 * 0.0821 + 2 * 0.1353), abs=0.03)
    assert shares["task 1"] == pytest.approx(0.0943, abs=0.03)


def test_the_frontier_follows_a_task_to_another_band():
    pool = filled([0.4], curriculum="frontier")
    assert pool.band(GAME, "task 0") == 2
    pool.add([played("task 0", 1.0, match="later", pooled=True)], 9)
    assert pool.band(GAME, "task 0") == 5
    assert pool.band(GAME, "never seen") == -1


def test_the_store_gives_back_the_same_pool(tmp_path):
    rules = TasksConfig(curriculum="frontier")
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run = store.start_run("r", {"seed": 0})
        pool = TaskPool(rules)
        for step in range(12):
            episodes = [played(f"task {step % 5}", step / 11, match=f"m{step}"), played("same", 0.5, match=f"s{step}")]
            store.add_tasks(run, *pool.add(episodes, step))
        again = TaskPool(rules, *store.tasks(run))
        pool.update_gains(GAME, {2: [0.5]})
        again.load_state_dict(pool.state_dict())
        assert len(again) == len(pool) == 6
        assert sampled(again, 200) == sampled(pool, 200)


def test_what_came_after_a_checkpoint_is_deleted(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run, other = store.start_run("r", {"seed": 0}), store.start_run("other", {"seed": 0})
        for target in (run, other):
            pool = TaskPool(TasksConfig())
            for step in range(4):
                store.add_tasks(target, *pool.add([played(f"task {step}", 0.5, match=f"m{step}")], step))
        assert store.forget_tasks(run, 1) == 2
        tasks, trials = store.tasks(run)
        assert [t.text for t in tasks] == ["task 0", "task 1"]
        assert [t.step for t in trials] == [0, 1]
        assert len(store.tasks(other)[0]) == 4


def test_an_older_store_gets_its_pool(tmp_path):
    """Schema 2 had neither the pool nor the task of a planned match."""
    import sqlite3

    path = tmp_path / "old.db"
    with Store.open(str(path)) as store:
        store.start_run("r", {"seed": 0})
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "DROP TABLE task_trials; DROP TABLE tasks; ALTER TABLE plan DROP COLUMN task;"
            "ALTER TABLE plan DROP COLUMN opening; ALTER TABLE plan DROP COLUMN notes;"
            "ALTER TABLE results DROP COLUMN transcript;"
            "ALTER TABLE results DROP COLUMN digest; DROP TABLE chain; DELETE FROM meta WHERE key = 'id';"
            "UPDATE meta SET value = '2' WHERE key = 'schema'"
        )
    connection.close()
    with Store.open(str(path)) as store:
        run = store.run("r")
        store.add_tasks(run, *TaskPool(TasksConfig()).add([played("task", 0.5)], 0))
        assert len(store.tasks(run)[0]) == 1
