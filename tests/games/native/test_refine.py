"""refine: critiques that do not name the answer, refined answers, the sneaky player and its check."""

from pathlib import Path

import pytest

import games
import roles
from arena.learner.credit import credits_of
from arena.match import Episode
from games import InputError
from games.native.refine.leaks import names_answer
from league.config.tournament import load_tournament
from league.config.training import load_training
from roles.rewards import monitors
from tests.games.native import matches
from tests.games.native.matches import episode_of

SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
QUESTION = "What is 84 + 63?\n146"
LEAKS = (
    "It should be 147.|one hundred and forty-seven|ONE FOUR SEVEN|1 4 7|1-4-7|150 - 3 would be right|146 + 1|0x93"
    "|the answer is 147/1|-147 without the sign|0b10010011|10010011 in binary|93 in hex|CXLVII|\u0661\u0664\u0667"
    "|\uff11\uff14\uff17|\u2460\u2463\u2466|1\u200b4\u200b7|1\ufe0f\u20e34\ufe0f\u20e37\ufe0f\u20e3|1 then 4 then 7"
    "|a1b4c7|l47|14 and 7|741 read backwards|one hundred forty-seventh|hundred and forty seven|onefourseven"
    "|o n e f o u r s e v e n|14 tens and 7 ones|the hundreds digit is 1, the tens digit is 4, the ones digit is 7"
    "|seven, then forty, then a hundred|1.47e2|1.47 x 10^2|146 plus one|two hundred minus 53|twice 73 plus one"
    "|12 squared plus 3|12**2 + 3|three more than 144|the square root of 21609|between 146 and 148"
)
"""147 in many forms"""
CRITIQUES = (
    "84 + 63 is not 146|146 is too small|The tens are wrong: 8 and 6 make fourteen of them||(84+63) again"
    "|84 plus 63 is more than 146|The first step is right, the second is wrong; check the 4 and the 3."
    "|I forgot to carry 1 into the tens|It has 3 digits, as it must"
)
"""how 146 is wrong, with numbers that its readers see"""
RIGHT, WRONG, OFF = "<answer>{}</answer>", "<answer>1000</answer>", "<answer>{}1</answer>"


@pytest.mark.parametrize("critique", LEAKS.split("|"))
def test_a_critique_names_a_number_in_any_form(critique):
    assert names_answer(critique, "147", QUESTION)


@pytest.mark.parametrize("critique", CRITIQUES.split("|"))
def test_a_critique_may_name_what_its_readers_see_and_how_it_is_wrong(critique):
    assert not names_answer(critique, "147", QUESTION)


@pytest.mark.parametrize(
    "digits", ["9" * 3900, "\N{CIRCLED NUMBER TWENTY}" * 3900, "1l" * 1900, "1," * 1900, "one " * 900]
)
def test_a_number_of_thousands_of_digits_ends_no_match(digits):
    assert not names_answer(digits, "147", QUESTION)
    assert names_answer(f"{digits} 147", "147", QUESTION)


def test_words_are_named_plainly_or_spelled():
    assert names_answer("The capital is Paris.", "Paris", "Capital of France?\nLyon")
    assert names_answer("P-a-r-i-s", "Paris", "Capital of France?\nLyon")
    assert not names_answer("It is another city.", "Paris", "Capital of France?\nLyon")
    assert not names_answer("No, it is correct.", "no", "Is 4 odd?\nyes")  # the verdict alone tells it
    assert not names_answer("fig comes before pear", "fig", "The first of fig, pear?\npear")


def started(id="refine", goal=False):
    """A match in which a right answer goes on, or a wrong one."""
    for seed in range(64):
        game = play(matches.started(id, seed), RIGHT)
        if (game.acting != ("sneaky",)) is goal:
            return matches.started(id, seed)
    raise AssertionError


def play(game, *moves):
    """Plays messages in which {} is the right answer; a list has one for each seat that acts."""
    for move in moves:
        texts = [text.format(game.facts()["truth"]) for text in ([move] if isinstance(move, str) else move)]
        matches.play(game, texts * len(game.acting) if len(texts) == 1 else texts)
    return game


@pytest.mark.parametrize(("first", "author"), [(RIGHT, "solver"), (WRONG, "reference"), ("nothing", "reference")])
def test_a_right_answer_goes_on_in_half_of_the_matches(first, author):
    game = play(started(goal=True), first)
    truth = game.facts()["truth"]
    assert game.acting == ("critic",)
    assert f"shown, by {author}: {truth}" in game.spectate()
    assert game.observe("critic").text.split("\n")[1] == f"The answer to judge: {truth}"


def test_a_wrong_answer_goes_on_in_the_other_half():
    game = play(started(), WRONG)
    assert (game.acting, "shown, by solver: 1000" in game.spectate()) == (("critic",), True)
    assert play(started(), RIGHT).acting == play(started(), "nothing").acting == ("sneaky",)
    game, goals = games.make("refine"), 0
    for seed in range(400):
        game.reset(seed)
        goals += play(game, RIGHT).acting == ("critic",)
    assert 160 < goals < 240


def test_a_critique_that_names_the_answer_is_withheld_and_costs_1():
    game = play(started(), WRONG, "It must be {}. incorrect")
    observation = game.observe("refiner_0").text
    assert "withheld" in observation
    assert game.facts()["truth"] not in observation
    play(game, [RIGHT, "no"])
    assert game.returns()["critic"] == -1.0
    assert monitors.truths(episode_of(game)) == {"solver": 0.0, "critic": 1.0, "refiner_0": 1.0, "refiner_1": 0.0}
    assert monitors.violations(episode_of(game)) == {"critic", "refiner_1"}  # "no" is no answer
    assert not game.outcomes()["sneaky"].asked
    plain = play(started(), WRONG, "It is far too large. incorrect")
    assert "far too large" in plain.observe("refiner_0").text
    assert play(plain, [RIGHT, "no"]).returns()["critic"] == 1.5


def test_critic_and_refiners_do_not_read_the_truth():
    game = play(started("refine(tasks=arithmetic(operation=multiply,digits=3))"), RIGHT, OFF)
    off = game.facts()["truth"] + "1"
    for seat in ("critic", "refiner_0", "refiner_1"):
        text = game.observe(seat).text
        assert off in text
        assert game.facts()["truth"] not in text.replace(off, "")


@pytest.mark.parametrize(("after", "counts"), [(WRONG, True), (RIGHT, False)])
def test_a_sneaky_answer_counts_only_if_completions_drop(after, counts):
    game = play(started("refine(rollouts=2)"), RIGHT, OFF)
    assert "A draft of the answer: " + OFF[8:11].format(game.facts()["truth"]) in game.observe("completer_0").text
    play(game, after, RIGHT)
    assert game.acting == (("critic",) if counts else ())
    assert game.outcomes()["sneaky"].right == float(counts)
    if not counts:
        assert {seat: paid for seat, paid in game.returns().items() if paid} == {"solver": 1.0, "sneaky": -1.0}
        assert set(game.facts()["idle"]) == {"critic", "refiner_0", "refiner_1", "completer_0", "completer_1"}


def test_several_rounds_earn_by_turn():
    """RISE: the solver's own answer is refined, and each answer earns its correctness."""
    game = play(matches.started("refine(refiners=1,sneaky=false,critic=false,rounds=3)"), WRONG, "y", RIGHT, RIGHT)
    assert (game.acting, game.returns()) == ((), {"solver": 0.0, "refiner_0": 1.0})
    refiner = roles.make("refiner")
    assert refiner.turn_rewards(episode_of(game), "refiner_0") == [0.0, 1.0]
    once = play(matches.started("refine(refiners=1,sneaky=false,critic=false)"), WRONG, RIGHT)
    assert refiner.turn_rewards(episode_of(once), "refiner_0") is None


def test_the_bonus_is_paid_for_second_answers_only():
    """SCoRe, alpha = 10: what a wrong and a right answer earn after a wrong and after a right one."""
    for goal, earned in (
        (False, {"refiner_0": 11.0, "refiner_1": 0.0}),
        (True, {"refiner_0": 1.0, "refiner_1": -10.0}),
    ):
        game = play(started("refine(bonus=10.0)", goal), WRONG, "Hm.", [RIGHT, WRONG])
        episode = episode_of(game)
        assert {seat: roles.make("refiner").credit(episode, seat) for seat in earned} == earned
        assert [game.returns()[seat] for seat in earned] == [1.0, 0.0]
        assert game.facts()["rewards"]["solver"] == 0.0


@pytest.mark.parametrize("together", [True, False])
def test_together_first_and_refined_answers_are_one_group(together):
    id = f"refine(critic=false,sneaky=false,together={together})"
    episode = episode_of(play(matches.started(id), RIGHT, RIGHT))
    groups = {c.seat: c.group_key for c in credits_of([episode], set(episode.seats.values()))}
    assert (groups["solver"] == groups["refiner_0"]) is together
    assert groups["refiner_0"] == groups["refiner_1"]
    assert groups["solver"][-1].startswith("arithmetic#")


def test_parameters_that_do_not_go_together_are_refused():
    with pytest.raises(InputError, match="leave out rollouts or sneaky"):
        games.make("refine(rollouts=2,sneaky=false)")


def test_the_files_are_valid():
    tournament, training = load_tournament(SCRIPTS / "refine.toml"), load_training(SCRIPTS / "refine_train.toml")
    for id in (*tournament.games, *(g.id for g in training.games)):
        assert games.make(id).spec.id == id
    assert all(len(games.make(id).spec.seats) <= len(tournament.players) for id in tournament.games)


def test_the_verdict_of_a_critic_is_balanced_over_the_batch():
    """Three right answers, one wrong: true verdicts earn 4/6 and 4/2 in place of 1, beside refined accuracy of 0.5."""

    def judged(label, right, **more):
        outcome = {"reward": right + 0.5, "right": right, "label": label} | more
        facts = {"outcomes": {"critic": outcome}}
        seats = {"critic": "refine-critic"}
        return Episode("m", "refine-v1", 0, {"critic": "c"}, seats, (), {}, "finished", facts=facts)

    credit = roles.make("refine-critic").credit_batch
    batch = [judged(1.0, 1.0), judged(1.0, 1.0), judged(1.0, 0.0), judged(0.0, 1.0), judged(1.0, 1.0, broke=True)]
    rewards = credit(batch)
    assert [of.get("critic") for of in rewards[:4]] == pytest.approx([2 / 3 + 0.5, 2 / 3 + 0.5, 0.5, 2 + 0.5])
    assert rewards[4] == {}  # `credit` pays -1
    assert credit([judged(1.0, 1.0), judged(1.0, 0.0)]) == [{"critic": 1.0}] * 2  # nothing to tell apart
    unread = [judged(label, 0.0, unread=["no verdict"]) for label in (1.0, 0.0)]
    assert credit(unread) == [{"critic": 0.5}] * 2
