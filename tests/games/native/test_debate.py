"""debate: sides, early stops, strict verdicts, rewards of debaters."""

import re

import pytest

from arena.learner import credits_of
from arena.match import MatchPlan, play
from games import IllegalAction
from games.native.debate import debate
from games.native.debate.texts import JUDGE
from games.verifiers.arithmetic import value
from tests.games.native.matches import starter
from tests.toys.players import first_example

started = starter(debate)


def debaters(game):
    return [seat for seat in game.spec.seats if seat != JUDGE]


def speak(game, text="Trust me.", **others):
    game.apply(dict.fromkeys(game.acting, text) | others)
    return game


@pytest.mark.parametrize("text", ["", "A and B", "not A", "A?", "AB", "E", "D", "answer", "A\nB"])
def test_anything_but_one_letter_names_no_answer(text):
    game = speak(started(rounds=1))
    game.apply({JUDGE: text})
    assert game.facts()["verdict"] is None
    assert game.returns() == {"debater_0": 0.0, "debater_1": 0.0, "judge": -1.0}


@pytest.mark.parametrize("text", ["B", "b", "(B)", "Answer B.", "answer b", "I name B", "A looks weak.\n\\boxed{B}"])
def test_a_letter_is_a_verdict_and_ends_the_debate(text):
    game = speak(started())
    game.apply({JUDGE: text})
    assert (game.facts()["verdict"], game.facts()["rounds"], game.acting) == ("B", 1, ())


def test_a_debater_is_bound_to_its_side():
    game = speak(started(), "A: I changed my mind")
    assert set(game.facts()["stances"].values()) == {"A", "B"}


def test_three_debaters_share_a_verdict_so_that_it_sums_to_nothing():
    game = speak(started(debaters=3))
    game.apply({JUDGE: "A"})
    paid = [game.returns()[s] for s in debaters(game)]
    assert sorted(paid) == [-0.5, -0.5, 1.0]


def test_all_debaters_speak_at_once():
    game = started(debaters=4)
    assert len(game.acting) == 4
    with pytest.raises(IllegalAction):
        game.apply({"debater_0": "First!"})


def test_the_sides_do_not_favour_a_seat():
    matches = list(map(started, range(300)))
    right = [match.data("debater_0")["side"] == match.facts()["right"] for match in matches]
    first = [match.facts()["right"] == "A" for match in matches]
    assert 100 < sum(right) < 200
    assert 100 < sum(first) < 200


def test_roles_are_credited_with_the_returns():
    game = started(closed=True)
    seats = dict.fromkeys(game.spec.seats, "p")
    episode = play(game, MatchPlan("m", game.spec.id, 0, seats), dict.fromkeys(seats, first_example()))
    assert {c.seat: c.reward for c in credits_of([episode], {"p"})} == episode.returns
    assert {c.role for c in credits_of([episode], {"p"})} == {"debater", "debate-judge"}


@pytest.mark.parametrize("modulus", [2, 3, 4, 5, 7, 9, 10, 11, 13, 100])
def test_no_rest_of_the_answers_tells_the_right_one_in_most_matches(modulus):
    """A judge that computed the last digit, or the sum of digits, named the right answer in nearly all matches."""
    games = [list(map(int, started(seed=seed).data(JUDGE)["answers"].values())) for seed in range(200)]
    assert sum(len({answer % modulus for answer in answers}) == 1 for answers in games) > 40


def test_an_estimate_from_two_leading_digits_tells_few_answers():
    hits = 0
    for seed in range(200):
        game = started(seed=seed)
        rough = re.sub(r"\d{6}", lambda number: str(round(int(number[0]), -4)), game.facts()["question"])
        answers = game.data(JUDGE)["answers"]
        nearest = min(answers, key=lambda letter: abs(int(answers[letter]) - value(rough)))
        hits += nearest == game.facts()["right"]
    assert hits < 165  # 100 by chance
