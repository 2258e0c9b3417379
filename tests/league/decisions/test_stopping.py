"""Stop rules over snapshots."""

import msgspec

from league.decisions import Apart, Cost, IntervalWidth, Matches, Ranked, Tokens, first_met
from league.standings import MatchCounts, Snapshot, Standing


def row(player, rank, rating, half, tokens=0, above=None):
    return Standing(player, rank, rating, rating - half, rating + half, 10, 5, 0, 5, 0, tokens=tokens, above_next=above)


def snapshot(*rows, finished=0):
    return Snapshot("run", tuple(rows), {}, {}, MatchCounts(planned=finished, finished=finished))


def test_budgets():
    shot = snapshot(row("a", 1, 30.0, 1.0, 600_000), row("b", 2, 20.0, 3.0, 400_000), finished=50)
    assert Matches(51).met(shot) is None
    assert "50" in Matches(50).met(shot)
    assert Tokens(1_000_001).met(shot) is None
    assert "1,000,000" in Tokens(1_000_000).met(shot)
    assert Cost(1.3, {"a": 2.0}).met(shot) is None
    assert "1.20" in Cost(1.2, {"a": 2.0}).met(shot)


def test_interval_width_of_all_or_of_the_top():
    shot = snapshot(row("a", 1, 30.0, 1.0), row("b", 2, 20.0, 3.0))
    assert IntervalWidth(5.0).met(shot) is None
    assert IntervalWidth(6.0).met(shot) is not None
    assert IntervalWidth(2.0, top=1).met(shot) is not None
    assert IntervalWidth(6.0).met(snapshot()) is None


def test_ranked_needs_the_batch_fit():
    shot = snapshot(row("a", 1, 30.0, 1.0, above=0.99), row("b", 2, 20.0, 3.0, above=0.6), row("c", 3, 19.0, 3.0))
    assert Ranked(0.95, top=1).met(shot) is not None
    assert Ranked(0.95).met(shot) is None
    assert Ranked(0.5, top=1).met(snapshot(row("a", 1, 30.0, 1.0), row("b", 2, 20.0, 3.0))) is None


def test_apart_looks_at_the_intervals_of_the_batch_fit():
    def fitted(player, rank, low, high):
        return msgspec.structs.replace(
            row(player, rank, 0.0, 0.0), bt_rating=(low + high) / 2, bt_low=low, bt_high=high
        )

    shot = snapshot(fitted("a", 1, 30.0, 34.0), fitted("b", 2, 24.0, 29.5), fitted("c", 3, 20.0, 25.0))
    assert Apart(top=1).met(shot) == "the first 1: intervals apart by 0.50"
    assert Apart().met(shot) is None
    assert Apart().told(shot) == "all ranks: intervals overlap by up to 1.00"
    assert Apart().met(snapshot(row("a", 1, 30.0, 1.0), row("b", 2, 20.0, 1.0))) is None
    assert Apart().told(snapshot()) == "all ranks: intervals apart asked for, none known yet"


def test_the_first_rule_that_is_met_speaks():
    rules = [Matches(20), Matches(10), Tokens(1)]
    assert first_met(rules, snapshot(finished=5)) is None
    assert "at most 10" in first_met(rules, snapshot(finished=10))
    assert "at most 20" in first_met(rules, snapshot(finished=20))
