"""math-duel: the vote, the published rewards, and fixed bugs of published systems."""

import pytest

import games
from games import InputError
from games.native.math_duel import math_duel, votes

ASKED = r"<question>What is 17 + 25?</question> \boxed{42}"


def started(task="", **params):
    """A match by the published rules."""
    game = math_duel(**{"rules": "published"} | params)
    game.load_task(task)
    game.reset(0)
    return game


def play(game, *moves):
    for move in moves:
        texts = move if isinstance(move, list) else [move] * len(game.acting)
        game.apply(dict(zip(game.acting, texts, strict=True)))
    return game


@pytest.mark.parametrize(("agreeing", "paper"), [(5, 1.0), (3, 0.6), (8, 0.4), (10, 0.0)])
def test_a_split_vote_pays_most(agreeing, paper):
    answers = [r"\boxed{42}"] * agreeing + [rf"\boxed{{{n}}}" for n in range(100, 110 - agreeing)]
    game = play(started(), ASKED, answers)
    assert game.facts()["solve_rate"] == agreeing / 10
    assert game.returns()["challenger"] == pytest.approx(paper)
    assert game.facts()["kept"] == (3 <= agreeing <= 8)


def test_the_label_is_the_vote_not_the_challengers_answer():
    game = play(started(solvers=4), r"<question>What is 17 + 25?</question> \boxed{7}", [r"\boxed{42}"] * 4)
    facts = game.facts()
    assert (facts["label"], facts["own_answer"], facts["label_right"]) == ("42", "7", True)
    wrong = play(started(solvers=4), ASKED, [r"\boxed{41}"] * 4).facts()
    assert (wrong["label"], wrong["label_right"], wrong["right_share"]) == ("41", False, 0.0)


def test_a_question_needs_both_tags():
    for text in ("<question>What is 1 + 1?</question>", r"\boxed{2}", "", r"<question></question> \boxed{2}"):
        game = play(started(solvers=2), text)
        assert game.acting == ()
        assert game.returns() == {"challenger": -1.0, "solver_0": 0.0, "solver_1": 0.0}
        assert set(game.facts()["idle"]) == {"solver_0", "solver_1"}


def test_two_apologies_are_no_majority():
    """A bug of published verifiers: two answers that contain "no " count as equal."""
    sorry = [r"\boxed{no idea}", r"\boxed{no way}", r"\boxed{no idea}", r"\boxed{7}"]
    game = play(started(solvers=4), ASKED, sorry)
    assert game.facts()["clusters"] == {"solver_0": None, "solver_1": None, "solver_2": None, "solver_3": 0}
    assert game.facts()["solve_rate"] == 0.25
    nobody = play(started(solvers=2), ASKED, [r"\boxed{no}", r"\boxed{no}"])
    assert nobody.facts()["label"] is None
    assert nobody.returns() == {"challenger": 0.0, "solver_0": 0.1, "solver_1": 0.1}


def test_numbers_are_equal_by_value_and_a_third_is_not_its_decimal():
    assert votes.same("1/2", "0.5")
    assert votes.same("1,000", "1000")
    assert not votes.same("1/3", "0.333")
    found = votes.clusters({"a": "1/2", "b": "0.5", "c": "1/3", "d": None, "e": "about half"})
    assert found == {"a": 0, "b": 0, "c": 1, "d": None, "e": None}


def test_expressions_are_compared_by_the_verifier():
    pytest.importorskip("sympy")
    assert votes.clusters({"a": "(x+1)^2", "b": "x^2+2x+1", "c": "x^2+1"}) == {"a": 0, "b": 0, "c": 1}


class Towers:
    """A fake verifier that counts its calls and times out on power towers."""

    def __init__(self):
        self.asked, self.late = 0, 0

    def ask(self, message, seconds):
        self.asked += 1
        if any("^{9^{9" in message[side] for side in ("gold", "given")):
            self.late += 1
            return None
        return {"equal": message["gold"].replace(" ", "") == message["given"].replace(" ", "")}


@pytest.fixture
def towers(monkeypatch):
    pytest.importorskip("sympy")
    workers = Towers()
    monkeypatch.setattr("games.verifiers.maths._workers", lambda: workers)
    return workers


def test_a_tower_is_unreadable_and_costs_the_others_nothing(towers):
    answers = {"a": "9^{9^{9^9}}", "b": "x+1", "c": "x + 1", "d": "7", "e": "7.0"}
    assert votes.clusters(answers) == {"a": None, "b": 0, "c": 0, "d": 1, "e": 1}
    assert towers.late == 1


def test_the_waiting_of_one_vote_is_bounded(towers):
    answers = {str(n): rf"{n}^{{9^{{9^9}}}}" for n in range(2, 12)} | {"seven": "7", "too": "7.0", "x": "x", "y": "x"}
    found = votes.clusters(answers)
    assert towers.late == towers.asked == votes.PATIENCE
    assert found["seven"] == found["too"] is not None  # arithmetic and equal texts need no verifier
    assert found["x"] == found["y"] is not None
    assert len({found[key] for key in ("seven", "x", *map(str, range(5, 12)))}) == 9


def test_what_two_expressions_take_together_counts_too(towers, monkeypatch):
    monkeypatch.setattr("games.verifiers.maths.settles", lambda answer: True)
    assert len(set(votes.clusters({str(n): rf"{n}^{{9^{{9^9}}}}" for n in range(2, 12)}).values())) == 10
    assert towers.late == votes.PATIENCE


def test_copying_the_question_is_no_answer():
    copies = [r"\boxed{48271 * 3917 - 1234}", r"\boxed{48271 \cdot 3917 - 1234}"]
    asked = r"<question>What is 48271 * 3917 - 1234?</question> \boxed{1}"
    game = play(started(solvers=2, threshold=0.5), asked, copies)
    assert (game.facts()["right_share"], game.returns()["challenger"]) == (0.0, -1.0)
    solved = play(started(solvers=2, threshold=0.5), asked, [r"\boxed{189,076,273}", copies[0]])
    assert (solved.facts()["right_share"], solved.returns()["challenger"]) == (0.5, 1.0)


def test_majority_counts_who_did_not_vote():
    assert votes.majority([0, 0, 1, None]) == (0, 0.5)
    assert votes.majority([1, 0, None, None]) == (0, 0.25)
    assert votes.majority([None]) == (None, 0.0)


def test_a_question_of_the_pool_leaves_the_challenger_out():
    game = play(started(task="What is 2 + 2?", solvers=2), [r"\boxed{4}", r"\boxed{4}"])
    assert game.facts()["idle"] == ["challenger"]
    assert game.returns() == {"challenger": 0.0, "solver_0": 1.0, "solver_1": 1.0}


@pytest.mark.parametrize(("right", "winner"), [(0, -1.0), (1, -1.0), (2, 1.0), (3, -1.0), (4, -1.0)])
def test_a_threshold_makes_it_a_match(right, winner):
    game = games.make("math-duel(solvers=4,threshold=0.5)")
    game.reset(0)
    play(game, ASKED, [r"\boxed{42}"] * right + [rf"\boxed{{{n}}}" for n in range(4 - right)])
    assert game.returns()["challenger"] == winner
    assert sum(game.returns().values()) == pytest.approx(0.0)


def test_it_may_wait_for_a_verifier_unless_it_is_closed():
    assert math_duel().blocking
    assert not math_duel(size=2).blocking


def test_wrong_parameters():
    with pytest.raises(InputError, match="not a question of size"):
        math_duel(size=1).load_task("7 + 7")
