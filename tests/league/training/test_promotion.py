"""The promotion test: a snapshot joins only if it is accepted; an interrupted test decides the same."""

import asyncio
import signal

import pytest

from arena import players
from arena.runner import LocalRunner
from games import InfrastructureError, InputError
from league import run_training
from league.config.tournament import GateConfig
from league.records.metrics_file import METRICS
from league.store import Store
from league.training.opponent_pool import Snapshot
from league.training.participants.policy_id import PolicyId
from league.training.promotion import BLOCK, Promotion
from tests import golden
from tests.league.training.kills import in_child
from tests.league.training.runs import config, plans
from tests.toys.players import disconnected

TTT = "openspiel/tic_tac_toe"
OLD, NEW, BAD = (Snapshot(f"s@{step}", step, step) for step in (0, 4, 8))


def promotion(folder, store, **rule):
    c = config(folder, games=[TTT])
    strong, weak = players.make("mcts(simulations=50)"), players.make("random")
    runner = LocalRunner({"s@0": weak, "s@4": strong, "s@8": weak, "s@9": disconnected()}, concurrency=8)
    rule_config = GateConfig(**{"nelo1": 150.0} | rule)
    return Promotion(*plans(c), rule_config, store, store.start_run("kuhn.gate", {}), runner)


def decide(gate, candidate, newest, stopped=lambda: False):
    return asyncio.run(gate.decide(candidate, newest, stopped))


def test_a_stronger_snapshot_is_accepted_and_a_weaker_one_refused(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/g.db") as store:
        gate = promotion(tmp_path, store)
        assert decide(gate, NEW, OLD) is True
        assert gate.test is not None
        assert gate.test.progress().startswith("SPRT s@4 against s@0: accept after ")
        assert decide(gate, BAD, NEW) is False
        planned = store.planned(store.run("kuhn.gate"))
        assert [p.index for p in planned] == list(range(len(planned)))
        for one, two in zip(planned[::2], planned[1::2], strict=True):
            assert one.match.seed == two.match.seed
            assert list(one.match.seats.values()) == list(two.match.seats.values())[::-1]


def test_a_gate_reads_the_pairings_of_its_policy_though_another_has_one_at_the_same_step(tmp_path):
    other = Snapshot("s@8", NEW.step, 8, PolicyId("other"))
    with Store.open(f"sqlite:///{tmp_path}/g.db") as store:
        gate = promotion(tmp_path, store)
        assert decide(gate, NEW, OLD) is True
        count = len(store.planned(store.run("kuhn.gate")))
        assert decide(gate, other, OLD) is False
        planned = store.planned(store.run("kuhn.gate"))
        assert planned[count].match.seed == planned[0].match.seed  # the first pair of each
        assert [decide(gate, candidate, OLD) for candidate in (NEW, other)] == [True, False]  # from the log alone
        assert len(store.planned(store.run("kuhn.gate"))) == len(planned)


def test_stopped_and_resumed_it_decides_as_if_it_never_stopped(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/g.db") as store:
        whole = promotion(tmp_path, store)
        assert decide(whole, NEW, OLD) is True
        assert whole.test is not None
    with Store.open(f"sqlite:///{tmp_path}/h.db") as store:
        run = store.start_run("kuhn.gate", {})
        first = promotion(tmp_path, store)
        assert decide(first, NEW, OLD, lambda: len(store.results(run)) >= 5) is None
        assert store.counts(run).finished < store.counts(run).planned
        assert store.counts(run).in_flight == 0
        second = promotion(tmp_path, store)
        assert decide(second, NEW, OLD) is True
        assert second.test is not None
        assert second.test.to_json() == whole.test.to_json()
        played = store.counts(run).finished
        assert decide(promotion(tmp_path, store), NEW, OLD) is True  # from the log alone
        assert store.counts(run).finished == played


def test_undecided_it_refuses_after_so_many_pairs(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/g.db") as store:
        gate = promotion(tmp_path, store, nelo1=1.0, max_pairs=12)
        assert decide(gate, BAD, OLD) is False
        assert gate.test is not None
        assert gate.test.gate.pairs == 12


def test_a_gate_whose_matches_are_all_void_says_so(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/g.db") as store:
        gate = promotion(tmp_path, store)
        with pytest.raises(InfrastructureError, match=f"{2 * BLOCK} pairs of matches of the gate of s@9 gave 0"):
            decide(gate, Snapshot("s@9", 9, 9), OLD)


def test_a_gate_needs_a_game_that_can_decide(tmp_path):
    c = config(tmp_path, games=["openspiel/kuhn_poker(players=3)"], snapshots={"every": 2, "gate": {}})
    with pytest.raises(InputError, match="needs a rated game of two sides"):
        run_training(c, board="off")


WORKER = golden.text(__file__, "promotion_worker.py.txt")


@pytest.mark.long
def test_killed_in_the_gate_and_resumed_is_the_same_bit_for_bit(tmp_path):
    events = []
    for name, more in (("whole", ()), ("killed", (2,))):
        folder = tmp_path / name
        folder.mkdir()
        assert in_child(WORKER, folder, *more) == (-signal.SIGKILL if more else 0)
        if more:
            assert in_child(WORKER, folder) == 0
        with Store.open(f"sqlite:///{folder}/arena.db", read_only=True) as store:
            run = store.run("kuhn")
            events.append([e.text for e in store.events(run) if e.kind == "gate"])
            assert len(events[-1]) == 2  # the candidates of steps 2 and 4, each once
            rated = {p for r in store.results(run) for p in (s.player for s in r.seats)}
            refused = {t.split()[0] for t in events[-1] if "is refused" in t}
            assert not rated & refused
    assert events[0] == events[1]
    whole, killed = (tmp_path / name / "run" for name in ("whole", "killed"))
    assert (killed / METRICS).read_bytes() == (whole / METRICS).read_bytes()
    last = "checkpoints/step-00000004/weights.safetensors"
    assert (killed / last).read_bytes() == (whole / last).read_bytes()
