"""Estimators compared with their definitions."""

import json

import msgspec
import numpy as np
import pytest

import roles
from arena.learner import Credit, credits_of, estimator
from arena.learner.advantages import RoleConditioned, ids, register
from arena.records import Episode
from games import InputError
from roles import Role

VECTOR = [1.0, -1.0, 1.0, 0.0, -1.5]


def credit(reward, role="first", group="g", phase="", expected=None, task=""):
    return Credit("kuhn", role, phase, "player_0", "live", "m", group, reward, expected, task=task)


def test_the_published_vector_through_rae():
    rae = estimator("rae(decay=0.95, debias=false)")
    got = [rae.advantages([credit(r)])[0] for r in VECTOR]
    assert got == pytest.approx([1, -1.05, 1.0025, -0.047625, -1.54524375], abs=1e-12)
    at_once = estimator("rae(debias=false)").advantages([credit(r) for r in VECTOR])
    assert at_once.tolist() == pytest.approx(got, abs=1e-12)


@pytest.mark.parametrize("name", ["rae", "rae(decay=0)", "global", "rae(debias=false)"])
def test_equal_seats_of_a_match_that_earn_the_same_have_the_same_advantage(name):
    """Every reward of a match is compared with the baseline before the match, in any order of the seats."""

    def played(match, rewards):
        return [Credit("duel", "solver", "", f"solver_{i}", "live", match, "", r) for i, r in enumerate(rewards)]

    first, second = played("a", [1.0, 0.0, 0.5]), played("b", [1.0] * 8)
    made = estimator(name)
    together = made.advantages([*first, *second])
    assert together[3:].tolist() == [together[3]] * 8
    assert together[:3].tolist() == [1.0, 0.0, 0.5]  # no baseline yet
    other = estimator(name)
    turned = other.advantages([*first, *second[::-1]])
    assert turned.tolist() == together.tolist()
    apart = estimator(name)
    assert [*apart.advantages(first), *apart.advantages(second)] == pytest.approx(together.tolist(), abs=1e-12)
    assert apart.state_dict()["baselines"][0][2] == made.state_dict()["baselines"][0][2] == 11


def test_each_role_has_a_baseline_and_global_has_one():
    credits = [credit(1.0 if i % 2 else -1.0, "second" if i % 2 else "first") for i in range(400)]
    late = {name: estimator(name).advantages(credits)[-100:] for name in ("rae", "global", "none")}
    assert np.abs(late["rae"]).max() < 1e-9  # the advantage of a seat cancels out
    assert np.abs(late["global"]).min() > 0.9
    assert np.abs(late["none"]).min() == 1.0


def test_phases_have_baselines_with_by_phase_only():
    credits = [credit(float(i % 2), phase="bid" if i % 2 else "play") for i in range(200)]
    assert np.abs(estimator("rae(by_phase=true)").advantages(credits)[-20:]).max() < 1e-9
    assert np.abs(estimator("rae").advantages(credits)[-20:]).min() > 0.4


def test_grpo_and_rloo():
    credits = [credit(r, group=g) for r, g in [(1.0, "a"), (5.0, "b"), (0.0, "a"), (2.0, "a"), (7.0, "b"), (9.0, "c")]]
    std = np.std([1.0, 0.0, 2.0])
    grpo = estimator("grpo").advantages(credits)
    assert grpo.tolist() == pytest.approx([0, -1, -1 / std, 1 / std, 1, 0], abs=1e-5)
    plain = estimator("grpo(scale=false)").advantages(credits)
    assert plain.tolist() == pytest.approx([0, -1, -1, 1, 1, 0])
    rloo = estimator("rloo").advantages(credits)
    # reward minus the mean of the others
    assert rloo.tolist() == pytest.approx([1 - 1, 5 - 7, 0 - 1.5, 2 - 0.5, 7 - 5, 0])


def test_only_answers_to_the_same_task_are_compared():
    """All solvers are right on an easy task and wrong on a hard one: no answer is better than another."""
    easy, hard = [credit(1.0, task="1 + 1")] * 4, [credit(0.0, task="17 * 23")] * 4
    for name in ("grpo", "rloo"):
        assert estimator(name).advantages([*easy, *hard]).tolist() == [0.0] * 8
    mixed = [credit(r, task=t) for r, t in [(1.0, "a"), (0.0, "b"), (0.0, "a"), (4.0, "b")]]
    assert estimator("rloo").advantages(mixed).tolist() == [1.0, -4.0, -1.0, 4.0]


def test_whiten_compares_all_credits_of_a_role_in_the_batch():
    """The vectors of research/algorithms: whitened together, the best of the second role would look bad."""
    first = [credit(r, "solver", group=str(i)) for i, r in enumerate([1.0, 0.0, 1.0])]
    second = [credit(r, "proposer", group=str(i)) for i, r in enumerate([-1.0, 0.0])]
    found = estimator("whiten").advantages([*first, *second])
    assert found.tolist() == pytest.approx([0.7071, -1.4142, 0.7071, -1, 1], abs=1e-4)
    phases = [credit(r, phase=p) for r, p in [(1.0, "clue"), (0.0, "vote"), (3.0, "clue"), (0.0, "vote")]]
    assert estimator("whiten").advantages(phases).tolist() == pytest.approx([-1, 0, 1, 0], abs=1e-5)


def test_the_task_of_a_credit_comes_from_its_role_and_by_default_from_the_plan():
    class Asked(Role):
        def task(self, episode, seat, phase=""):
            return f"asked of {seat}"

    planned = msgspec.structs.replace(episode("a"), task="planned")
    assert [c.task for c in credits_of([planned], {"live"})] == ["planned"]
    (mine,) = credits_of([planned], {"live"}, role=Asked)
    assert mine.group_key == ("kuhn", "first", "", "kuhn:3", "asked of player_0")


def test_solvers_answer_the_task_that_a_proposer_set():
    played = msgspec.structs.replace(episode("a"), facts={"task": "2 + 2 = ?"})
    for name, phase, wanted in [
        ("solver", "", "2 + 2 = ?"), ("judge", "", "2 + 2 = ?"), ("proposer", "", ""),
        ("prover", "prove", "2 + 2 = ?"), ("prover", "target", ""), ("conjecturer", "", ""),
    ]:  # fmt: skip
        assert roles.make(name).task(played, "player_0", phase) == wanted, name


def test_equal_rewards_have_no_advantage():
    credits = [credit(0.1) for _ in range(3)]  # their mean in floats is not 0.1
    assert estimator("grpo").advantages(credits).tolist() == [0.0, 0.0, 0.0]


def test_groups_do_not_mix_roles():
    credits = [credit(1.0, "first"), credit(-1.0, "second")]
    assert estimator("grpo").advantages(credits).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("name", ["none", "rae", "global", "grpo", "rloo", "whiten"])
def test_state_goes_through_json(name):
    first, second = estimator(name), estimator(name)
    first.advantages([credit(r) for r in VECTOR])
    second.load_state_dict(json.loads(json.dumps(first.state_dict())))
    more = [credit(0.3), credit(-2.0)]
    assert first.advantages(more).tolist() == second.advantages(more).tolist()
    assert first.advantages([]).shape == (0,)


def test_none_is_the_reward_itself():
    assert estimator("none").advantages([credit(0.3), credit(-2.0)]).tolist() == [0.3, -2.0]


def test_names():
    assert {"none", "rae", "global", "grpo", "rloo"} <= set(ids())
    with pytest.raises(InputError, match="did you mean 'grpo'"):
        estimator("gpro")
    with pytest.raises(InputError, match="allowed: decay, debias, by_phase"):
        estimator("rae(alpha=0.9)")
    with pytest.raises(InputError, match="decay is 2"):
        estimator("rae(decay=2)")
    register("double")(Double)
    assert estimator("double").advantages([credit(2.0)]).tolist() == [4.0]
    register("broken")(type("Broken", (), {}))
    with pytest.raises(InputError, match=r"made a .*, not Estimator"):
        estimator("broken")


class Double(RoleConditioned):
    def advantages(self, credits):
        return np.array([2 * c.reward for c in credits])


def episode(match, status="finished", seed=3):
    seats = {"player_0": "live", "player_1": "old"}
    named = {"player_0": "first", "player_1": "second"}
    return Episode(match, "kuhn", seed, seats, named, (), {"player_0": 2.0, "player_1": -2.0}, status)


def test_only_live_seats_of_matches_that_count_are_credited():
    credits = credits_of([episode("a"), episode("b", "void"), episode("c", "forfeit")], {"live"})
    assert [(c.match, c.seat, c.role, c.reward, c.group) for c in credits] == [
        ("a", "player_0", "first", 2.0, "kuhn:3"),
        ("c", "player_0", "first", 2.0, "kuhn:3"),
    ]
    both = credits_of([episode("a")], {"live", "old"}, group=lambda e: e.match)
    assert [(c.reward, c.group) for c in both] == [(2.0, "a"), (-2.0, "a")]


def test_a_role_may_credit_a_whole_batch():
    class Batchwise(Role):
        def credit(self, episode, seat):
            return 10.0

        def credit_batch(self, episodes):
            return [{"player_0": float(len(episodes))}, {}]

    credits = credits_of([episode("a"), episode("b")], {"live"}, role=Batchwise)
    assert [c.reward for c in credits] == [2.0, 10.0]
