"""Stop rules, and how often they name a wrong best."""

import sys
from pathlib import Path

import msgspec
import pytest

from league.records.leaderboard import Leaderboard, MatchCounts, Standing
from league.stopping.rules import CostBudget, IntervalWidth, MatchBudget, Ranked, TokenBudget, first_verdict


def row(player, rank, rating, half, tokens=0, above=None):
    return Standing(player, rank, rating, rating - half, rating + half, 10, 5, 0, 5, 0, tokens=tokens, above_next=above)


def snapshot(*rows, finished=0):
    return Leaderboard("run", tuple(rows), {}, {}, MatchCounts(planned=finished, finished=finished))


def test_budgets():
    shot = snapshot(row("a", 1, 30.0, 1.0, 600_000), row("b", 2, 20.0, 3.0, 400_000), finished=50)
    assert MatchBudget(51).verdict(shot) is None
    assert "50" in MatchBudget(50).verdict(shot)
    assert TokenBudget(1_000_001).verdict(shot) is None
    assert "1,000,000" in TokenBudget(1_000_000).verdict(shot)
    assert CostBudget(1.3, {"a": 2.0}).verdict(shot) is None
    assert "1.20" in CostBudget(1.2, {"a": 2.0}).verdict(shot)


def test_interval_width_of_all_or_of_the_top():
    shot = snapshot(row("a", 1, 30.0, 1.0), row("b", 2, 20.0, 3.0))
    assert IntervalWidth(5.0).verdict(shot) is None
    assert IntervalWidth(6.0).verdict(shot) is not None
    assert IntervalWidth(2.0, top=1).verdict(shot) is not None
    assert IntervalWidth(6.0).verdict(snapshot()) is None


def ordered(*chances):
    """Rows from the best down, with the probability of the order so far."""
    rows = [row(name, i + 1, 30.0 - i, 1.0) for i, name in enumerate("abcdef"[: len(chances)])]
    fitted = (
        msgspec.structs.replace(r, p_order=p, bt_rating=r.rating if p is not None else None)
        for r, p in zip(rows, chances, strict=True)
    )
    return snapshot(*fitted)


def test_ranked_asks_for_the_whole_order_at_once():
    shot = ordered(0.99, 0.98, 0.86)
    assert (
        Ranked(0.95, top=1).verdict(shot)
        == "the first is the best with 99.0%, stops at 97.5% (at most 5.0% errors in repeated checks)"
    )
    assert (
        Ranked(0.95, top=2)
        .verdict(shot)
        .startswith("the first 2 are the best, in this order, with 98.0%, stops at 97.5%")
    )
    assert Ranked(0.97, top=2).verdict(shot) is None  # half of the error probability is reserved for repeated checks
    assert Ranked(0.95, top=3).verdict(shot) is None
    assert Ranked(0.95).verdict(shot) is None
    assert Ranked(0.7, top=9).verdict(shot).startswith("the first 9 are the best, in this order, with 86.0%")


def test_ranked_needs_the_batch_fit_of_every_row():
    assert Ranked(0.6, top=1).verdict(ordered(0.99, None)) is None  # who was not compared yet may be the best
    assert Ranked(0.6, top=1).verdict(ordered(1.0)) is None
    assert Ranked(0.6, top=1).verdict(snapshot()) is None


def test_neighbours_that_are_surely_apart_are_no_sure_best():
    above = msgspec.structs.replace(row("a", 1, 30.0, 1.0, above=0.99), p_best=0.6, p_order=0.6, bt_rating=30.0)
    rest = [msgspec.structs.replace(row(name, 2, 20.0, 3.0), p_order=0.3, bt_rating=20.0) for name in "bc"]
    assert Ranked(0.95, top=1).verdict(snapshot(above, *rest)) is None


def test_the_first_rule_that_is_met_speaks():
    rules = [MatchBudget(20), MatchBudget(10), TokenBudget(1)]
    assert first_verdict(rules, snapshot(finished=5)) is None
    assert "at most 10" in first_verdict(rules, snapshot(finished=10))
    assert "at most 20" in first_verdict(rules, snapshot(finished=20))


BENCH = Path(__file__).parents[3] / "scripts" / "bench"


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    yield
    for name in ("stress", "find_best", "_bench"):
        sys.modules.pop(name, None)


def test_a_tournament_that_looks_for_its_best_stops_at_the_champion_and_the_dump_keeps_it(bench, tmp_path):
    import stress

    setting = stress.Setting("champion", 4, "round-robin", 20, 0, 20, 0.95, 240)
    found = stress.find(setting, 1)
    assert found.stopped
    assert not found.wrong
    assert found.matches < 240
    assert not stress.find(setting._replace(field="normal 0.5", limit=20), 1).stopped
    task, file = stress.Task(setting, True, 1), tmp_path / "leagues.jsonl"
    stress.Dump(file).add(task.key, found)
    assert stress.Dump(file).runs == {task.key: found}
    assert stress.best_of(setting, [found])[3:5] == [1.0, "0.0 ± 0.0"]
