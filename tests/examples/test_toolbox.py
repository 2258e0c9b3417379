"""The plugins scripts/examples/toolbox.py and spear.py: who acts when, and what self-imitation weighs."""

from statistics import mean

import pytest

import arena
import games
from arena import players
from arena.learner import Credit
from arena.learner.advantages import estimator
from games import plugins
from tests.arena.learner.tokens import loss_tokens, losses_and_gradient


@pytest.fixture(autouse=True)
def _spear(plugin):
    plugins.load_file(plugin.with_name("spear.py"))


def right(game, *names, matches=60):
    """Returns the share of right answers of policies by name."""
    seated = [players.make(f"policy(name='{name}')") for name in names]
    return mean(arena.play(game, seated, seed=seed).facts["outcomes"]["agent"]["right"] for seed in range(matches))


def test_taking_calls_back_answers_what_going_forward_cannot_where_calls_slip():
    assert right("toolbox(hops=4)", "competent") == right("toolbox", "forward") == 1.0
    assert right("toolbox(slip=0.3, turns=20)", "competent") > 0.95
    assert right("toolbox(slip=0.3, turns=20)", "forward") < 0.75


def test_the_agent_takes_over_at_the_rookies_first_wrong_action():
    match = games.make("toolbox(handover=true, late=2, turns=9)")
    match.reset(4)
    path = match.data("agent")["path"]
    match.apply({"rookie": path[0]})
    assert match.acting == ("rookie",)
    match.apply({"rookie": "answer"})
    assert match.acting == ("agent",)
    calls = match.data("agent")["calls"]
    assert calls[:1] == path[:1]
    assert len(calls) == 3
    episode = arena.play("toolbox(handover=true)", [players.make("policy(name=competent)")] * 2, seed=4)
    assert {turn.seat for turn in episode.turns} == {"rookie"}


def test_a_bonus_pays_each_tool_that_was_called_before_an_answer_and_nothing_without_one():
    for last, value in (("answer", 0.2), ("undo", 0.0)):
        match = games.make("toolbox(hops=4, turns=6, bonus=0.1)")
        match.reset(1)
        assert match.data("agent")["path"][0] != "boss"
        for action in ("boss", "boss", "hue", "undo", "undo", last):
            match.apply({"agent": action})
        assert match.returns()["agent"] == pytest.approx(value)


def credit(reward, score, match):
    return Credit("g", "agent", "", "agent", "a", match, "g:1", reward=reward, score=score)


def test_the_bonus_loses_its_weight_and_resumes_with_it():
    credits = [credit(0.3, 0.0, "1"), credit(0.0, 0.0, "2")]
    made = estimator("progressive(steps=2)")
    sizes = [abs(made.advantages(credits)).max() > 0 for _ in range(3)]
    assert sizes == [True, True, False]
    other = estimator("progressive(steps=2)")
    other.load_state_dict(made.state_dict())
    assert not other.advantages(credits).any()
    assert other.advantages([credit(1.0, 1.0, "1"), credit(0.3, 0.0, "2")])[0] == pytest.approx(1.0, rel=1e-4)


@pytest.mark.parametrize(("number", "weight"), [(0, 0.0), (5, 0.5), (10, 1.0), (99, 1.0)])
def test_replayed_answers_gain_weight_and_are_compared_with_the_new_ones(number, weight):
    tokens = loss_tokens(
        [0.0] * 3, [0.5, -0.5, 9.0], rewards=[1.0, 0.0, 1.0], replayed=[False, False, True], number=number
    )
    _, gradient = losses_and_gradient("spear(steps=10)", tokens)
    assert gradient == pytest.approx([-0.5, 0.5, -0.5 * weight], abs=1e-6)  # 0.5: 1 less the mean of the new answers
