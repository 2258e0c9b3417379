"""Accounts of failures, and a deviating worker named."""

import random

import msgspec

from league.runs.worker_audit import WorkerAudit
from tests.league.ratings.factories import GAMES, PAIR, result


def log(seed=0, weak="w2", matches=1_200):
    """Three workers share the matches of four equal players; on the weak one, `a` loses most of its matches."""
    rng = random.Random(seed)
    made = []
    for index in range(matches):
        first, second = rng.sample("abcd", 2)
        where = rng.choice(["w0", "w1", "w2"])
        p = 0.5
        if where == weak and "a" in (first, second):
            p = 0.2 if first == "a" else 0.8
        score = 1.0 if rng.random() < p else -1.0
        made.append(msgspec.structs.replace(result(index, (first, second), (score, -score)), worker=where))
    return made


def deviating(results, level=0.001):
    workers = WorkerAudit(GAMES)
    workers.add(results)
    return workers.deviations(level)


def test_the_deviating_worker_is_named_with_the_player_it_hurts():
    found = deviating(log())
    assert found[0].worker == "w2"
    assert found[0].deviates
    assert found[0].player == "a"
    assert found[0].score < -0.1


def test_equal_workers_are_rarely_accused():
    accused = 0
    for seed in range(40):
        results = log(seed, weak="none", matches=600)
        accused += any(d.deviates for d in deviating(results, level=0.05))
    assert accused <= 6  # 5% of 40 is 2; more than 6 has a chance of 1%


def test_a_worker_alone_is_not_judged():
    assert deviating([msgspec.structs.replace(r, worker="only") for r in log(matches=50)]) == []


def test_accounts_count_every_category():
    results = [
        result(0, ("a", "b"), (1.0, -1.0), faults={PAIR[1]: {"illegal": 2, "timeout": 1}}),
        result(1, ("b", "a"), (-1.0, 1.0), forfeits=(PAIR[0],)),
        result(2, ("a", "b"), (0.0, 0.0), status="void"),
        result(3, ("a", "b"), (0.0, 0.0), status="truncated"),
    ]
    workers = WorkerAudit(GAMES)
    workers.add(msgspec.structs.replace(r, worker=("even", "odd")[r.index % 2]) for r in results)
    even, odd = workers.accounts["even"], workers.accounts["odd"]
    assert even.faults == {"illegal": 2, "timeout": 1}
    assert (even.matches, even.void, even.truncated, even.forfeits) == (2, 1, 0, 0)
    assert (odd.matches, odd.void, odd.truncated, odd.forfeits) == (2, 0, 1, 1)
