"""Who is met, and when the live policy is frozen."""

import json
from collections import Counter

from games.randomness import Stream
from league.training.config import OpponentsConfig, SnapshotConfig
from league.training.population import Population, Snapshot

GAME = "g"


def population(fixed=("a",), rule=None, **shares) -> Population:
    return Population(OpponentsConfig(**shares), SnapshotConfig(**(rule or {})), {GAME: fixed})


def frozen(step: int) -> Snapshot:
    return Snapshot(f"s@{step}", step, step)


def met(p: Population, n: int = 4000) -> Counter:
    stream = Stream(3)
    return Counter(p.opponent(GAME, stream, set()) for _ in range(n))


def test_shares_are_kept():
    p = population(self=0.5, snapshots=0.25, anchors=0.25)
    p.add(frozen(0))
    counts = met(p)
    assert abs(counts[None] / 4000 - 0.5) < 0.04
    assert abs(counts["s@0"] / 4000 - 0.25) < 0.04
    assert abs(counts["a"] / 4000 - 0.25) < 0.04


def test_a_kind_that_has_nobody_leaves_its_share():
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
    stream, drawn = Stream(1), set()
    assert len({p.opponent(GAME, stream, drawn) for _ in range(200)}) == 2


def test_frozen_by_steps():
    p = population(rule={"every": 10})
    assert p.due(0)
    p.add(frozen(0))
    assert [s for s in range(31) if p.due(s)] == [10, 20, 30]


def test_frozen_by_win_rate_against_the_newest_over_enough_games():
    p = population(rule={"every": None, "win_rate": 0.6, "games": 50})
    p.add(frozen(0))
    for i in range(49):
        p.record(GAME, "s@0").add(1.0)
        assert not p.due(i + 1)
    p.record(GAME, "s@0").add(1.0)
    assert p.due(50)
    p.add(frozen(50))
    assert not p.due(51)


def test_state_survives_json():
    p = population(self=0.5, snapshots=0.5)
    p.add(frozen(0))
    p.record(GAME, "s@0").add(1.0)
    other = population(self=0.5, snapshots=0.5)
    other.load_state_dict(json.loads(json.dumps(p.state_dict())))
    assert other.state_dict() == p.state_dict()
    assert met(other) == met(p)
