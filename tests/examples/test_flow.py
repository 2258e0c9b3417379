"""The plugin scripts/examples/flow.py: its modules answer, every one of them is needed, and all earn the outcome."""

from statistics import mean

import pytest

import arena
import games
from arena import players
from arena.attack.matches import RoleMatches
from games.shortcuts import suite_of

SEATS = ("planner", "executor", "verifier", "generator")


def answered(game="flow", matches=40, **others):
    """Returns the share of right answers of competent modules, some of which are others."""
    seated = [players.make(f"policy(name='{others.get(seat, 'competent')}')") for seat in SEATS]
    episodes = [arena.play(game, seated, seed=seed) for seed in range(matches)]
    assert all(len(set(episode.returns.values())) == 1 for episode in episodes)
    return mean(episode.returns["planner"] for episode in episodes)


def test_competent_modules_answer_every_question():
    assert answered() == 1.0
    assert answered("flow(hops=4, turns=4)") == 1.0


@pytest.mark.parametrize(
    "others",
    [{"planner": "always boss"}, {"verifier": "always enough"}, {"verifier": "always drop"}, {"generator": "always 0"}],
)
def test_no_module_can_be_lazy(others):
    assert answered(**others) < 0.5


def test_the_verifier_drops_what_the_executor_got_wrong():
    """Without a spare turn a slip loses the match."""
    tight, spare = (answered(f"flow(turns={turns})", executor="slips", matches=100) for turns in (2, 6))
    assert tight < 0.85 < spare


def test_a_dropped_value_leaves_the_memory_and_the_planner_reads_no_table():
    match = games.make("flow")
    match.reset(3)
    start = match.data("planner")["memory"]
    match.apply({"planner": match.data("planner")["path"][0]})
    assert match.data("verifier")["row"] == match.data("executor")["row"]
    assert "row" not in match.data("planner")
    match.apply({"executor": "7"})
    match.apply({"verifier": "drop"})
    assert match.data("planner")["memory"] == start
    assert "7" not in match.observe("planner").text.replace(str(start[0]), "")


def test_more_hops_than_turns_are_refused():
    with pytest.raises(games.InputError, match="allow as many turns"):
        games.make("flow(hops=3, turns=2)")


def test_the_competent_verifier_drops_what_comes_after_the_last_relation():
    """It was never in such a turn, and failed when it was asked what it would say in one."""
    suite, turns = suite_of(games.make("flow")), []
    plays = {"verifier": lambda turn: turns.append(turn) or "more"}
    RoleMatches(games.make("flow"), suite, "verifier").rewards(plays, range(20))
    assert {suite.competent["verifier"](turn) for turn in turns[2::3]} == {"drop"}
