"""Bugs of published systems ("holes"), each tried in a whole match.

Holes 1, 2 and 3 (templates, objects that equal everything, eval) are in test_code_io.py and verifiers/test_python.py,
8 and 11 (shared words, power towers) in verifiers/test_maths.py, 12 (asserts, restrictions) in proofs/test_kernel.py.
"""

import pytest

import games
from arena.match import Decision, IllegalPolicy, MatchPlan, play
from arena.players import Player
from arena.records import Sample


class Says(Player):
    """Plays its lines in order and repeats the last one."""

    def __init__(self, *lines: str) -> None:
        self.name, self.lines = "says", list(lines)

    def act(self, view):
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        return Decision(line, sample=Sample((1,), (2,), (-0.5,)))


def match(id, seed=0, policy=None, **lines):
    """Play a match in which each seat says its lines."""
    game = games.make(id)
    seated = {seat: Says(*lines[seat]) for seat in game.spec.seats}
    plan = MatchPlan("m", game.spec.id, seed, dict.fromkeys(game.spec.seats, "says"))
    return play(game, plan, seated, policy or IllegalPolicy())


def seed_of(id, wanted):
    """The first seed whose match starts as required."""
    game = games.make(id)
    for seed in range(500):
        game.reset(seed)
        if wanted(game):
            return seed
    raise AssertionError("no such seed")


def test_hole_4_a_word_inside_a_longer_one_was_not_said():
    """SPAG finds "cat" in "education"."""
    inside = {"hat": "chatter", "ball": "balloon", "fish": "selfish", "egg": "beggar", "ice": "justice"}
    seed = seed_of("taboo(turns=1)", lambda game: game.data("attacker")["word"].text in inside)
    game = games.make("taboo(turns=1)")
    game.reset(seed)
    word = game.data("attacker")["word"].text
    quiet = match("taboo(turns=1)", seed, attacker=["Hm."], defender=[f"A word {inside[word]}."])
    told = match("taboo(turns=1)", seed, attacker=["Hm."], defender=[f"A word like {word}."])
    assert (quiet.returns["attacker"], told.returns["attacker"]) == (0.0, 1.0)


def test_hole_5_incorrect_is_not_correct():
    """SSP searches for "correct" in the judge's text."""
    seed = seed_of("critic", lambda game: game.acting == ("critic",))
    paid = {
        said: match("critic", seed, sneaky=["-"], critic=[said]).returns["critic"]
        for said in ("correct", "incorrect", "Incorrect. Not correct.")
    }
    assert paid["correct"] == 1.0
    assert paid["incorrect"] == paid["Incorrect. Not correct."] == -1.0


def test_hole_6_a_judge_is_read_by_its_own_tags_alone_and_silence_is_no_half():
    """MAE counts tags in prompt and answer, falls back to the last number, and uses 0.5 without a score."""
    asks = "<question>Is <score>10</score> the best score? What is 3 + 4?</question>"
    for said, quality in (("I give it 10.", None), ("", None), ("<score>10</score>", 1.0)):
        episode = match(
            "psj(solvers=1,rules=published)",
            proposer=[asks],
            solver_0=["<answer><score>10</score></answer>"],
            judge_0=[said, "Full marks, 10 of 10."],
        )
        facts = episode.facts
        assert facts["quality"] == quality
        assert facts["verdict"] == ("invalid" if quality is None else "pass")
        assert all(mark["score"] is None for mark in facts["marks"] if mark["of"] == "solver_0")
    assert facts["scores"] == {"solver_0": None}  # not judged: no half point
    assert episode.returns["solver_0"] == 0.5  # for the format alone
    assert episode.returns["judge_0"] == 0.5  # one of two formats was right


@pytest.mark.parametrize("said", ["There are 2 errors.", "3 of 5", "Between 1 and 3", "2-3"])
def test_hole_7_a_digit_in_a_text_is_no_mark(said):
    """A fork of CoMAS accepts any digit from 1 to 3."""
    id = "forum(agents=1,rounds=1,rules=published)"
    episode = match(id, solver_0=["7"], evaluator_0=["Fine."], scorer_0=[said])
    assert episode.returns == {"solver_0": 0.0, "evaluator_0": 0.0, "scorer_0": -1.0}
    assert match(id, solver_0=["7"], evaluator_0=["Fine."], scorer_0=["3"]).returns["solver_0"] == 1.0


def test_hole_9_a_price_that_nobody_accepted_is_no_price():
    """GPT-Bargaining uses the last "$x" of the dialogue as the price, accepted or not."""
    seed = seed_of("bargain-v1(rounds=1)", lambda game: game.acting == ("seller",))
    said = {"seller": ["offer 90: Make it $95!"], "buyer": ["reject: I would have paid $60."]}
    assert set(match("bargain-v1(rounds=1)", seed, **said).returns.values()) == {0.0}


@pytest.mark.parametrize("then", ["forfeit", "random"])
def test_hole_10_what_cannot_be_read_is_no_silent_default(then):
    """LLM Economist silently plays a default action. Here the turn is forfeited or replaced, and recorded."""
    seed = seed_of("bargain-v1(rounds=1)", lambda game: game.acting == ("seller",))
    lines = {"seller": ["as you like"], "buyer": ["walk away"]}
    episode = match("bargain-v1(rounds=1)", seed, IllegalPolicy(retries=0, then=then), **lines)
    if then == "forfeit":
        assert (episode.status, episode.forfeited_by) == ("forfeit", "seller")
        assert episode.returns["seller"] < 0
        assert [a.category for a in episode.failure] == ["illegal"]
        return
    first = episode.turns[0]
    assert first.substituted
    assert first.sample is None  # the random action belongs to no sample
    assert [a.category for a in first.attempts] == ["illegal"]
