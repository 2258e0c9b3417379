"""Accounts of failures, and a deviating worker named."""

import random

import msgspec
import pytest

from league.runs.worker_audit import WorkerAudit
from tests.league.ratings.factories import GAMES, PAIR, POKER, result
from tests.league.runs.workers import log


def deviations(results, level=0.001):
    workers = WorkerAudit(GAMES)
    workers.add(results)
    return workers.deviations(level)


def deviating(results, level=0.001):
    return {d.worker for d in deviations(results, level) if d.deviates}


@pytest.mark.parametrize("results", [log(1200), log(3000, POKER)], ids=["wins", "stakes"])
def test_the_deviating_worker_is_named_with_the_player_it_hurts(results):
    worst, *others = deviations(results)
    assert (worst.worker, worst.player, worst.deviates) == ("w2", "a", True)
    assert worst.score < -0.1
    assert {d.worker for d in others if not d.deviates} == {"w0", "w1"}


def test_equal_workers_are_rarely_accused():
    accused = sum(bool(deviating(log(600, seed=seed, weak="none"), level=0.05)) for seed in range(40))
    assert accused <= 6  # 5% of 40 is 2; more than 6 has a chance of 1%


@pytest.mark.parametrize("seed", range(5))
def test_equal_workers_are_not_accused_with_stakes(seed):
    rng = random.Random(seed)
    even = [msgspec.structs.replace(r, worker=rng.choice(["v0", "v1"])) for r in log(400, POKER, seed)]
    assert not deviating(even)


def test_a_worker_alone_is_not_judged():
    assert deviations([msgspec.structs.replace(r, worker="only") for r in log(50)]) == []


def test_one_bad_worker_does_not_make_the_good_ones_look_odd():
    assert deviating(log(9000)) == {"w2"}


def test_of_two_workers_that_differ_both_are_named():
    assert deviating(r for r in log(3000) if r.worker != "w1") == {"w0", "w2"}


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
