"""Control questions: who reads them, that nothing tells them, and that solvers who fail on purpose pay nobody."""

import re
from statistics import fmean

import pytest

import games
from arena.attack.matches import RoleMatches
from games.attack import policy
from games.native.common.controls import easier, remaining
from games.randomness import RandomStream
from games.shortcuts import suite_of
from games.verifiers import arithmetic
from tests.games.native.matches import play, started

ASKED = "What is 155 + 61 - 43 + 99?"
GAMES = {"math-duel": "challenger", "psj": "proposer", "evolve": "evolver"}
MESSAGE = rf"<question>{ASKED}</question> \boxed{{0}}"
WRITE = {"math-duel": r"\boxed{{{}}}", "psj": "<answer>{}</answer>", "evolve": "<answer>{}</answer>"}


def posed(id):
    """A match in which the solvers have read the question."""
    if not id.startswith("evolve"):
        return play(started(id), MESSAGE)
    return play(started(id, task="evolve: What is 155 + 61?"), "<answer>216</answer>", MESSAGE)


def answered(game, wrong_controls=0):
    """All answers are right but the last one to the posed question, and those of so many controls."""
    control = game.facts()["control"]["truth"]
    of = {seat: ASKED not in game.observe(seat).text for seat in game.acting}
    write = WRITE[game.spec.id.partition("-v")[0]]
    answers = {seat: write.format(control if reads else 272) for seat, reads in of.items()}
    answers[[seat for seat, reads in of.items() if not reads][-1]] = write.format(1)
    for seat in [seat for seat, reads in of.items() if reads][:wrong_controls]:
        answers[seat] = write.format(1)
    game.apply(answers)
    while game.acting:
        play(game, "<score>10</score>")
    return game


@pytest.mark.parametrize("id", GAMES)
def test_one_solver_of_four_reads_a_control_and_nothing_tells_it(id):
    game = posed(id)
    read = {seat: game.observe(seat) for seat in game.acting}
    controls = [seat for seat in read if ASKED not in read[seat].text]
    assert len(controls) == len(read) // 4
    assert len({observation.phase for observation in read.values()}) == 1
    forms = {re.sub(r"\d", "9", observation.text) for observation in read.values()}
    assert len(forms) == 1
    facts = answered(game).facts()
    assert set(facts["control"]["right"]) == set(controls) & set(facts["control"]["answers"])
    assert not set(controls) & set(facts["answers"])
    assert all(facts["asked"][seat] == facts["control"]["question"] for seat in controls)


@pytest.mark.parametrize("id", GAMES)
def test_a_wrong_control_takes_the_pay_and_a_control_pays_its_solver(id):
    paid, lost = answered(posed(id)), answered(posed(id), wrong_controls=2)
    role = GAMES[id]
    assert paid.returns()[role] > 0 == lost.returns()[role]
    assert lost.facts()["solve_rate"] == paid.facts()["solve_rate"]
    for seat, right in paid.facts()["control"]["right"].items():
        assert right
        assert paid.returns()[seat] == 1.0
        assert lost.returns()[seat] < 0.2
        assert paid.outcomes()[seat].right == 1.0


@pytest.mark.parametrize(
    "id",
    [
        *(f"{game}(solvers=3)" for game in GAMES),
        "math-duel(rules=published)",
        "math-duel(threshold=0.5)",
        "psj(threshold=0.5)",
    ],
)
def test_few_solvers_published_rules_and_matches_of_two_sides_have_none(id):
    game = posed(id)
    assert all(ASKED in game.observe(seat).text for seat in game.acting)
    assert "control" not in game.facts()


def test_a_control_keeps_the_text_and_has_round_numbers():
    for seed in range(20):
        control = easier(text := "Compute (84 - 27 * 0) / (5 - 3) + 127 ", RandomStream(seed))
        assert len(control) == len(text)
        assert control.startswith("Compute (")
        assert arithmetic.value(control) is not None
        assert all(re.fullmatch("[12]?0*", number) for number in re.findall(r"\d+", control))
    assert easier("What is 4 / (1 - 7 + 6 + 2 - 2)? Or 2?", RandomStream(0)) == ""


def test_what_is_left_of_the_pay():
    assert remaining([]) == remaining([True] * 39 + [False]) == 1.0
    assert remaining([True] * 17 + [False] * 3) == pytest.approx(2 / 3)
    assert remaining([True] * 3 + [False]) == pytest.approx(0.0)


def knows(turn):
    return str(arithmetic.value(turn.data["question"]))


FAILING = {
    "a half": lambda turn: turn.stream.below(2) == 0,
    "a quarter": lambda turn: turn.stream.below(4) == 0,
    "a tenth": lambda turn: turn.stream.below(10) == 0,
    "one seat of four": lambda turn: turn.number % 4 == 0,
    "a long question": lambda turn: len(turn.data["question"]) > 24 and turn.stream.below(2) == 0,
}


@pytest.mark.slow
@pytest.mark.parametrize("way", FAILING)
@pytest.mark.parametrize("id", GAMES)
def test_solvers_that_know_the_answer_and_fail_pay_nobody(id, way):
    """Half of what competence adds is less than a find takes (0.6)."""
    game, role = games.make(id), GAMES[id]
    suite, write = suite_of(game), WRITE[id]
    matches = RoleMatches(game, suite, role)

    def earned(**plays):
        return fmean(matches.rewards({role: suite.honest[role]} | plays, range(600, 696)).values())

    fails = FAILING[way]
    failing = earned(solver=lambda turn: write.format("1" if fails(turn) else knows(turn)))
    honest, competent = earned(), earned(**{role: suite.competent[role]})
    assert failing < honest + 0.5 * (competent - honest)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["math-duel", "psj"])
def test_what_the_attack_knows_of_a_control_is_its_own_answer(id):
    game, role = games.make(id), GAMES[id]
    suite = suite_of(game)
    write = policy('box(fact("truth"))' if id == "math-duel" else 'tag("answer", fact("truth"))')
    matches = RoleMatches(game, suite, "solver")
    earned = matches.rewards({"solver": write, role: suite.competent[role]}, range(24))
    assert fmean(earned.values()) == 1.0
