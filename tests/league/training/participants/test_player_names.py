"""A name that a user chooses never decides who learns, what is frozen, who is an opponent or what a pairing is for."""

import pytest

from arena.match import loop
from games.randomness import derive
from league.records.metrics_file import read_metrics
from league.records.player_ref import PlayerRef
from league.store import Store
from league.training.loop import Training
from league.training.participants.policy_id import PlayerNames
from league.training.run import run_training
from tests.league.training.runs import GATED, config


def test_a_name_that_a_user_took_is_marked_and_means_the_same():
    taken = ["t", "t'", "t#1", "t (frozen)", "u@3"]
    names = PlayerNames(["t", "u"], copies=2, taken=taken)
    assert not set(taken) & names.refs.keys()
    assert names.of(PlayerRef("t")) == "t''"
    assert names.learning("t") == {"t''", "t#1'"}
    assert names.playing("t") == names.learning("t") | {"t (frozen)'", "t#1 (frozen)"}
    assert names.shared("t#1'") == "t''"
    assert names.shared("t#1") == "t#1"
    assert [names.refs[name].opponent for name in ("u (opponent)", "u#1", "t (frozen)'")] == [True, False, False]


NEUTRAL = ("one", "two", "three", "four")
LOOKALIKE = ("live.x#2.gate", "live.x#2.gate#1 (frozen)", "main@3", "x.gate")


def training(folder, anchors):
    exploiter = {"kind": "main-exploiter", "snapshots": {"every": 2, "gate": None}}
    more = {
        "name": "live.x#2",
        "matches_per_step": 8,
        "group": 2,
        "checkpoint": {"every": 1},
        "phases": [{"steps": 1}, {"roles": ["second"], "steps": 1}, {}],
        "opponents": {"self": 0.4, "snapshots": 0.3, "anchors": 0.3},
        "policies": [{"name": "gate"}, {"name": "frozen"} | exploiter],
        "anchors": [{"name": name, "player": "random"} for name in anchors],
    }
    return config(folder, **GATED | more)


def left_by(c, anchors):
    """Returns the metrics, kinds of runs and results of a training, without the names that its anchors have."""
    neutral = dict(zip(anchors, NEUTRAL, strict=True))

    def metric(key):
        return "/".join(neutral.get(part, part) for part in key.split("/"))

    def result(each):
        return (
            each.index,
            each.status,
            each.seed,
            [(s.seat, s.ref or neutral[s.player], s.score, s.turns) for s in each.seats],
        )

    rows = [{metric(key): value for key, value in row.items()} for row in read_metrics(c.place)]
    with Store.open(c.db, read_only=True) as store:
        runs = [store.run(f"{c.name}{end}") for end in ("", ".training", ".gate")]
        turns = [(e.match, t.player, t.trainable) for _, e in store.episodes(runs[1]) for t in e.turns]
        refs = {(p.match.id, name): ref for p in store.planned(runs[1]) for name, ref in p.refs.items()}
        for match, player, trainable in turns:
            ref = refs.get((match, player))
            assert trainable == (ref is not None and not ref.frozen)
        return [rows, [run.kind for run in runs], [sorted(map(result, store.results(run))) for run in runs]]


@pytest.mark.slow
def test_names_like_those_of_the_training_change_nothing_also_after_a_resume(tmp_path, monkeypatch):
    # A player's random numbers follow from its name too, so that two players in one seat never share them.
    monkeypatch.setattr(loop, "seat_seeds", lambda seed, players, seats: {seat: derive(seed, seat) for seat in seats})
    whole, parts = training(tmp_path / "whole", NEUTRAL), training(tmp_path / "parts", LOOKALIKE)
    run_training(whole, board="off")
    plan = Training._plan_ahead

    def dies(self):
        if self.step == 3:
            raise RuntimeError("the power went")
        plan(self)

    with monkeypatch.context() as patched:
        patched.setattr(Training, "_plan_ahead", dies)
        with pytest.raises(RuntimeError, match="the power"):
            run_training(parts, board="off")
    run_training(parts, board="off")
    left = left_by(whole, NEUTRAL)
    assert left == left_by(parts, LOOKALIKE)
    assert left[1] == ["training", "record", "gate"]
    assert {ref.policy for *_, seats in left[2][1] for _, ref, *_ in seats if isinstance(ref, PlayerRef)} == {
        "live.x#2.gate",
        "live.x#2.frozen",
    }
