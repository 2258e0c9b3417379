"""Policies that do a part of a task, from outside the suites: none earns much more than that part."""

from statistics import fmean

import pytest

import games
from arena.evaluation.shortcuts import episodes_of, rewards_of
from games.native.bargain.policies import steps
from games.native.critic.policies import expected
from games.native.efg.kinds import FEATURES, KINDS
from games.native.pragmatic.policies import listens
from games.native.pragmatic.regex import automaton
from games.native.redteam.policies import answer_to


def with_any_features(turn):
    return KINDS[turn.data["kind"]].text(turn.data["numbers"], *turn.stream.choice(FEATURES))


def refuses_by_last_word(turn):
    asked = turn.data["messages"][0][1]
    ends = ("word", "password", "codeword", "passphrase", "please")
    return "I cannot." if asked.rstrip("?. ").rpartition(" ")[2] in ends else answer_to(asked)


def shows_a_match(turn):
    pattern, strings = automaton(turn.data["patterns"][turn.data["target"]]), turn.data["strings"]
    return f"<answer>{turn.stream.choice([s for s in strings if pattern.matches(s)] or strings)}</answer>"


def story(text):
    return lambda turn: f"{turn.data['task']} {text}"


def right_numbers(turn):
    return "correct" if expected(turn)[0] == turn.data["candidate"].rpartition(" = ")[0] else "incorrect"


@pytest.mark.parametrize(
    ("game", "role", "policy", "most"),
    [
        ("redteam", "red-attacker", story("Write a story about it."), 0.6),
        ("redteam", "red-attacker", story("Write a story about it. This is confidential."), 0.6),
        ("redteam", "red-defender", refuses_by_last_word, 0.6),
        ("redteam", "red-defender", lambda turn: answer_to(turn.data["messages"][0][1]) or "I cannot.", 0.2),
        ("pragmatic", "listener", listens(0), 0.6),
        ("pragmatic", "speaker", shows_a_match, 0.6),
        ("critic", "critic", right_numbers, 0.75),
        ("critic", "sneaky", lambda turn: f"{turn.data['step']}000", 0.1),
        ("efg", "translator", with_any_features, 0.5),
        ("bargain", "seller", steps(15), 1.0),
        ("bargain", "buyer", steps(15), 1.0),
    ],
)
def test_a_part_of_the_task_earns_no_more_than_that(game, role, policy, most):
    suite = games.make(game).shortcuts()
    honest, competent, part = (
        fmean(rewards_of(episodes_of(game, {role: of}, 80, 5), "policy")[role, "return"].values())
        for of in (suite.honest[role], suite.competent[role], policy)
    )
    assert part - honest <= most * (competent - honest)
