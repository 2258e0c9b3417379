"""Which opponents are sampled, and when a snapshot is due."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import InputError
from games.randomness import RandomStream
from league.config.opponents import OpponentsConfig, SnapshotConfig
from league.matchmaking.pfsp_weights import KINDS, weights
from league.training.opponent_pool import OpponentPool, OpponentRecord, Snapshot, sample_by_rate

GAME = "g"


def population(fixed=("a",), rule=None, **shares):
    return OpponentPool(OpponentsConfig(**shares), SnapshotConfig(**(rule or {})), {GAME: fixed})


def frozen(step):
    return Snapshot(f"s@{step}", step, step)


def met(p, n=4000):
    stream = RandomStream(3)
    found = (p.sample(GAME, stream, set()) for _ in range(n))
    return Counter(None if one is None else one.name for one in found)


def test_shares_are_kept():
    p = population(self=0.5, snapshots=0.25, anchors=0.25)
    p.add(frozen(0))
    counts = met(p)
    assert abs(counts[None] / 4000 - 0.5) < 0.04
    assert abs(counts["s@0"] / 4000 - 0.25) < 0.04
    assert abs(counts["a"] / 4000 - 0.25) < 0.04


def test_a_kind_without_opponents_leaves_its_share():
    assert set(met(population((), self=0.2, snapshots=0.8))) == {None}
    assert set(met(population((), self=0.0, snapshots=1.0))) == {None}
    assert set(met(population(("a", "b"), self=0.0, snapshots=0.5, anchors=0.5))) == {"a", "b"}


def test_hard_opponents_are_met_more():
    p = population((), self=0.0, snapshots=1.0, pfsp="squared")
    for step in (0, 1):
        p.add(frozen(step))
    for _ in range(300):
        p.record(GAME, "s@0").add(1.0)
        p.record(GAME, "s@1").add(0.0)
    counts = met(p)
    assert counts["s@1"] > 50 * counts["s@0"]


def test_the_pool_holds_the_newest_and_the_first():
    p = population((), self=0.0, snapshots=1.0, pool=3, pfsp="uniform")
    for step in range(10):
        p.add(frozen(step))
    assert set(met(p)) == {"s@0", "s@8", "s@9"}


def test_a_step_meets_no_more_snapshots_than_fit_into_memory():
    p = population((), self=0.0, snapshots=1.0, loaded=2, pfsp="uniform")
    for step in range(10):
        p.add(frozen(step))
    stream, sampled = RandomStream(1), set()
    assert len({p.sample(GAME, stream, sampled) for _ in range(200)}) == 2


def test_frozen_by_steps():
    p = population(rule={"every": 10})
    assert p.is_due(0)
    p.add(frozen(0))
    assert [s for s in range(31) if p.is_due(s)] == [10, 20, 30]


def test_state_survives_json():
    p = population(self=0.5, snapshots=0.5)
    p.add(frozen(0))
    p.record(GAME, "s@0").add(1.0)
    other = population(self=0.5, snapshots=0.5)
    other.load_state_dict(json.loads(json.dumps(p.state_dict())))
    assert other.state_dict() == p.state_dict()
    assert met(other) == met(p)


@pytest.mark.parametrize("name", ["../../models/x", "/etc", "..", ".", ""])
@pytest.mark.parametrize("key", ["snapshots", "candidate"])
def test_a_snapshot_of_a_checkpoint_names_no_folder_elsewhere(key, name):
    p = population(self=0.5, snapshots=0.5)
    row = {"name": name, "step": 1, "version": 1}
    state = p.state_dict() | {key: [row] if key == "snapshots" else row}
    with pytest.raises(InputError, match="no name of a folder"):
        p.load_state_dict(state)


def test_a_refused_candidate_leaves_the_newest_and_comes_again_later():
    p = population(rule={"every": 10})
    p.add(frozen(0))
    assert p.is_due(10)
    p.candidate = frozen(10)
    p.decide(False)
    assert [s.step for s in p.snapshots] == [0]
    again = population(rule={"every": 10})
    again.load_state_dict(p.state_dict())
    assert [step for step in range(10, 21) if again.is_due(step)] == [20]
    again.candidate = frozen(20)
    again.decide(True)
    assert [s.step for s in again.snapshots] == [0, 20]


@pytest.mark.parametrize("kind", KINDS)
def test_the_opponent_that_the_live_policy_beats_least_is_met_most(kind):
    stream = RandomStream(1)
    counts = Counter(sample_by_rate(["even", "weak"], [0.5, 0.9], kind, stream) for _ in range(2000))
    expected = weights([0.5, 0.9], kind).tolist()
    assert counts["weak"] / 2000 == pytest.approx(expected[1], abs=0.04)
    assert expected[0] > expected[1] or kind == "uniform"


@pytest.mark.parametrize("kind", KINDS)
def test_if_all_weights_vanish_every_opponent_is_met(kind):
    stream = RandomStream(1)
    assert {sample_by_rate(["a", "b"], [1.0, 1.0], kind, stream) for _ in range(50)} == {"a", "b"}


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=300))
def test_a_record_is_a_rate_strictly_between_0_and_1(results):
    record = OpponentRecord()
    assert record.rate == 0.5
    for result in results:
        record.add(result)
        assert 0 < record.rate < 1
    assert record.matches == len(results)
    assert OpponentRecord.from_list(record.to_list()).rate == record.rate


def test_a_record_forgets():
    record = OpponentRecord()
    for _ in range(300):
        record.add(0.0)
    for _ in range(300):
        record.add(1.0)
    assert record.rate > 0.9
