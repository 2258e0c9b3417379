"""Several policies in one training: who plays and learns from what, resets, and an exact resume."""

from typing import Any

import msgspec
import pytest
from safetensors.torch import load_file

import games
from arena import Episode
from arena.learner import checkpoint
from games import InputError, RandomStream
from league import run_training
from league.config.policies import ResetConfig
from league.records.metrics_file import METRICS, read_metrics
from league.runs.stored_players import Names
from league.store import Store
from league.training.dry_run.needs import dry_run
from league.training.opponent_pool import Opponent, OpponentPool, Snapshot
from league.training.participants.policy_id import ONLY, PlayerNames, PolicyId
from league.training.policies.open_policies import cast_of, opponent_pools
from league.training.policies.phases import PhaseSchedule
from league.training.policies.resets import ResetRule
from league.training.resolve import resolve
from league.training.schedule import plan_step, result_of
from tests.league.training.kills import dying_after
from tests.league.training.runs import KUHN, config
from tests.toys.team_games import Tug

MAIN, EXPLOITER, LEAGUE = (PolicyId(name) for name in ("main", "exploiter", "league"))
ALPHASTAR: dict[str, Any] = {
    "steps": 4,
    "matches_per_step": 8,
    "opponents": {"self": 0.5, "snapshots": 0.5, "pfsp": "squared"},
    "anchors": [],
    "snapshots": {"every": 2, "matches": 1, "versus": 2},
    "evaluation": {"every": 2, "matches": 0},
    "checkpoint": {"every": 2, "keep": 9},
    "policies": [
        {"name": "main"},
        {"name": "exploiter", "kind": "main-exploiter", "advantage": "none", "reset": {"steps": 2}},
        {"name": "league", "kind": "league-exploiter", "reset": {"steps": 3, "probability": 0.5}},
    ],
}


def planned(c, id):
    """The seats of a policy's matches at the first step."""
    plan = resolve(c)
    pools, phases = opponent_pools(plan, {}), PhaseSchedule(c.phases)
    for each, pool in pools.items():
        pool.add(Snapshot(f"{each.prefixed('kuhn')}@0", 0, 0, each))
    return [p.match.seats for p in plan_step(cast_of(plan, plan.policies[id], phases), pools[id], 0, 0)]


def test_in_a_game_of_one_team_a_training_meets_its_own_snapshots_as_partners(tmp_path):
    spec = games.make("pragmatic-v1").spec
    c = config(tmp_path, games=[spec.id], anchors=[], opponents={"self": 0.0, "snapshots": 1.0})
    found = planned(c, ONLY)
    assert {seats["listener"] for seats in found[::2]} == {"kuhn@0"}
    assert {seats["speaker"] for seats in found[1::2]} == {"kuhn@0"}
    alone = planned(c.model_copy(update={"partners": False}), ONLY)
    assert {player for seats in alone for player in seats.values()} == {"kuhn"}


def test_exploiters_meet_whom_alphastar_says(tmp_path):
    c = config(tmp_path, **ALPHASTAR | {"matches_per_step": 60})
    met = {id: {seat for seats in planned(c, id) for seat in seats.values()} for id in (MAIN, EXPLOITER, LEAGUE)}
    assert met[EXPLOITER] == {"kuhn.exploiter", "kuhn.main (opponent)"}
    assert met[LEAGUE] == {"kuhn.league", "kuhn.main@0", "kuhn.exploiter@0", "kuhn.league@0"}
    assert met[MAIN] == {"kuhn.main", "kuhn.main@0", "kuhn.exploiter@0", "kuhn.league@0"}


def test_a_policy_that_it_hardly_ever_beats_is_met_through_its_snapshots(tmp_path):
    pool = opponent_pools(resolve(config(tmp_path, **ALPHASTAR)), {})[EXPLOITER]
    stream = RandomStream(1)
    live = Opponent("kuhn.main (opponent)", MAIN)
    assert pool.sample(KUHN, stream, set()) == live
    for _ in range(100):
        pool.record(KUHN, live.name).add(0.0)
    assert pool.sample(KUHN, stream, set()) == live  # the main has no snapshot yet
    (main,) = pool.rivals[KUHN]
    main.add(Snapshot("kuhn.main@0", 0, 0, MAIN))
    assert pool.sample(KUHN, stream, set()) == Opponent("kuhn.main@0", MAIN, 0)


def test_policies_of_some_roles_play_together_and_phases_freeze_the_others(tmp_path):
    """Iterative-SPO and HCSP: partners learn from the same matches, unless their phase is over."""
    policies = [{"name": "proposer", "roles": ["first"]}, {"name": "solver", "roles": ["second"]}]
    more = {"policies": policies, "opponents": {"self": 1.0}, "anchors": []}
    together = planned(config(tmp_path, **more), PolicyId("proposer"))
    assert together[0] == {"player_0": "kuhn.proposer", "player_1": "kuhn.solver"}
    phases = [{"policies": ["solver"], "steps": 5}, {"policies": ["proposer"]}]
    alone = planned(config(tmp_path, **more, phases=phases), PolicyId("solver"))
    assert alone[0] == {"player_0": "kuhn.proposer (frozen)", "player_1": "kuhn.solver"}
    against = {"policies": policies, "opponents": {"self": 0.0, "snapshots": 1.0}, "anchors": []}
    rival = planned(config(tmp_path, **against), PolicyId("solver"))
    assert rival[0] == {"player_0": "kuhn.proposer@0", "player_1": "kuhn.solver"}


def test_in_a_team_game_the_opponent_plays_its_role_and_a_partner_the_others(tmp_path):
    games.register("tug-v0")(Tug)
    spec = games.make("tug-v0").spec
    roles = sorted(set(spec.seats.values()))
    policies = [{"name": role, "roles": [role]} for role in roles]
    opponents = {"self": 0, "snapshots": 1, "of": [roles[0]]}
    c = config(tmp_path, games=["tug-v0"], policies=policies, opponents=opponents, anchors=[])
    seats = planned(c, PolicyId(roles[0]))[0]
    for seat, player in seats.items():
        own_side = next(seat in team for team in spec.teams if any(seats[s] == f"kuhn.{roles[0]}" for s in team))
        if spec.seats[seat] == roles[0]:
            assert player == (f"kuhn.{roles[0]}" if own_side else f"kuhn.{roles[0]}@0")
        else:
            assert player == f"kuhn.{spec.seats[seat]}{'' if own_side else ' (frozen)'}"


@pytest.mark.parametrize(
    ("policies", "words"),
    [
        ([{"name": "a", "roles": ["third"]}], "'a': no game of it has a role 'third'; its roles: first, second"),
        ([{"name": "a", "roles": ["first"]}], "policy 'a': no policy of kind main plays the role 'second'"),
        ([{"name": "a", "games": ["openspiel/leduc_poker"]}], "'a': games: 'openspiel/leduc_poker' is not a game"),
    ],
)
def test_roles_and_games_must_exist(tmp_path, policies, words):
    with pytest.raises(InputError, match=words):
        run_training(config(tmp_path, policies=policies), board="off")


def test_results_against_a_partner_are_no_results():
    def episode(seats, returns):
        return Episode("m", KUHN, 0, seats, {}, (), returns, "finished")

    names = PlayerNames(["main", "solver", "exploiter"], copies=2)
    assert result_of("main", names, episode({"a": "main", "b": "solver"}, {"a": 1.0, "b": -1.0})) is None
    met = episode({"a": "main (opponent)", "b": "exploiter#1"}, {"a": 1.0, "b": -1.0})
    assert result_of("exploiter", names, met) == ("main (opponent)", 0.0)
    assert result_of("main", names, met) is None


def rule(**more):
    """A rule for a policy that meets the live main."""
    from league.config.opponents import OpponentsConfig, SnapshotConfig

    pools = [OpponentPool(OpponentsConfig(live=1.0), SnapshotConfig(), {}, id, id.name) for id in (EXPLOITER, MAIN)]
    pools[0].rivals = {KUHN: pools[1:]}
    return ResetRule(ResetConfig(**more), pools[0], [KUHN]), pools[0]


def test_a_reset_needs_enough_wins_in_enough_matches_against_every_target():
    found, pool = rule(win_rate=0.6, games=20)
    for _ in range(19):
        pool.record(KUHN, "main").add(1.0)
    assert found.reason(5) == ""
    pool.record(KUHN, "main").add(1.0)
    assert found.reason(5) == "it wins 97% or more against its targets, the least against main"
    assert found.decide(5, seed=0)
    assert found.reason(6) == ""  # its records began anew


def test_a_reset_comes_after_some_steps_and_by_chance():
    found, _ = rule(steps=3, probability=0.25)
    assert [bool(found.reason(step)) for step in range(5)] == [False, False, False, True, True]
    again, _ = rule(steps=3)
    found.decide(3, seed=0)
    again.load_state_dict(found.state_dict())
    assert [bool(again.reason(step)) for step in (5, 6)] == [False, True]
    assert 0.2 < sum(found.decide(3, seed) for seed in range(1000)) / 1000 < 0.3


def test_a_reset_may_start_from_another_snapshot():
    taken = [Snapshot(f"t.main@{step}", step, step, MAIN) for step in (0, 4, 8)]
    assert [rule(to=to)[0].target(taken).step for to in ("first", "newest", 4, 7, 8)] == [0, 8, 4, 4, 8]


def test_a_league_resumes_exactly_and_everything_names_its_policy(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        folder.mkdir()
    c = config(whole, **ALPHASTAR)
    run_training(c, board="off")
    with dying_after(3):  # after a snapshot and before the reset that follows it
        run_training(config(parts, **ALPHASTAR), board="off")
    run_training(config(parts, **ALPHASTAR), board="off")
    assert (parts / "run" / METRICS).read_bytes() == (whole / "run" / METRICS).read_bytes()
    names = ["exploiter@0", "exploiter@2", "exploiter@4", "league@0", "league@3", "league@4"]
    names += ["main@0", "main@2", "main@4"]
    assert sorted(p.name for p in (c.place / "snapshots").iterdir()) == [f"kuhn.{name}" for name in names]
    for name in names:
        file = f"run/snapshots/kuhn.{name}/model.safetensors"
        assert (parts / file).read_bytes() == (whole / file).read_bytes(), name
    _check_contents(c)


def _check_contents(c):
    row = read_metrics(c.place)[-1]
    assert {f"{key}/{name}" for key in ("entropy", "matches", "staleness") for name in ("main", "league")} <= row.keys()
    assert f"nash_conv/main/{KUHN}" in row
    assert f"nash_conv/exploiter/{KUHN}" not in row
    assert row["matches"] == row["matches/main"] + row["matches/exploiter"] + row["matches/league"]
    with Store.open(c.db, read_only=True) as store:
        run = store.run("kuhn.training")
        turns = [(e.seats, t) for _, e in store.episodes(run) for t in e.turns]
        assert {t.player for _, t in turns if t.trainable} == {"kuhn.main", "kuhn.exploiter", "kuhn.league"}
        assert all("kuhn.exploiter" in seats.values() for seats, t in turns if t.player == "kuhn.main (opponent)")
        rated = {s.player for r in store.results(store.run("kuhn")) for s in r.seats}
        assert {name.partition("@")[0] for name in rated} == {"kuhn.main", "kuhn.exploiter", "kuhn.league"}
        resets = [e.text for e in store.events(store.run("kuhn")) if e.kind == "reset"]
    assert resets[0] == "kuhn.exploiter starts again from kuhn.exploiter@0 after step 2: 2 steps have passed"
    at_2 = checkpoint.load(c.place / "checkpoints" / "step-00000002")  # saved after the reset
    start = load_file(c.place / "snapshots" / "kuhn.exploiter@0" / "model.safetensors")
    assert all((tensor == start[name]).all() for name, tensor in at_2.tensors["exploiter.weights"].items())
    assert not at_2.tensors["exploiter.optimizer"]
    assert at_2.tensors["main.optimizer"]
    names = Names(c.db, trust=True)
    assert [names.find(name).name for name in ("kuhn", "kuhn.exploiter")] == ["kuhn.main@4", "kuhn.exploiter@4"]


def test_phases_train_one_policy_at_a_time(tmp_path):
    policies = [
        {"name": "proposer", "roles": ["first"]},
        {"name": "solver", "roles": ["second"], "advantage": "global"},
    ]
    phases = [{"policies": ["solver"], "steps": 1}, {"policies": ["proposer"], "steps": 1}]
    c = config(
        tmp_path,
        **ALPHASTAR | {"policies": policies, "phases": phases, "repeat_phases": True, "steps": 3, "overlap": 1},
    )
    run_training(c, board="off")
    rows = read_metrics(c.place)[1:]
    assert [("updates/solver" in r and "loss/solver" in r, "loss/proposer" in r) for r in rows] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    with Store.open(c.db, read_only=True) as store:
        texts = [event.text for event in store.events(store.run("kuhn")) if event.kind == "phase"]
    assert texts[0] == "phase 2 begins after step 1: it trains proposer"


def test_a_dry_run_names_the_policies(tmp_path):
    found = dry_run(config(tmp_path, **ALPHASTAR), "")
    assert list(found.policies) == ["main: all roles", "exploiter: all roles", "league: all roles"]
    assert found.matches[f"exploiter: {KUHN}"] == {"kuhn.main (opponent)": 8}
    assert found.resources is not None
    assert [each.owner for each in found.resources.allocations].count("weights") == 3
    assert found.resources.publications == ()  # without overlap the trainers' own weights play
    assert msgspec.json.encode(found)


def test_the_only_policy_keeps_its_names():
    assert ONLY.prefixed("t") == "t"
    assert ONLY.labelled({"reward/g/r": 1.0}) == {"reward/g/r": 1.0}
    labelled = MAIN.labelled({"reward/g/r": 1.0, "entropy": 2.0, "probe/score/g": 3.0})
    assert labelled == {"reward/main/g/r": 1.0, "entropy/main": 2.0, "probe/score/main/g": 3.0}
