"""refine: critiques that do not name the answer, refined answers, the sneaky player and its check."""

from pathlib import Path
from types import SimpleNamespace

import pytest

import games
import roles
from arena.learner.credit import credits_of
from arena.match import Decision, Episode, MatchPlan, play
from arena.players import Player
from games import InputError
from games.native.common.rewards import drops
from games.native.refine import rewards
from games.native.refine.handed import hands_over
from league.config.tournament import load_tournament
from league.config.training import load_training
from roles.rewards import monitors
from tests.games.native.matches import episode_of

SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
ASKED = "What is 84 + 63?\n146"


def started(id="refine", wants_right=True):
    game = games.make(id)
    for seed in range(64):
        game.reset(seed)
        if game._wanted_right is wants_right:
            return game
    raise AssertionError


def tagged(answer):
    return f"<answer>{answer}</answer>"


def truth(game):
    return game.facts()["truth"]


@pytest.mark.parametrize(
    "critique",
    [
        "It should be 147.",
        "one hundred and forty-seven",
        "ONE FOUR SEVEN",
        "1 4 7",
        "1-4-7",
        "150 - 3 would be right",
        "146 + 1",
        "the answer is 147/1",
        "-147 without the sign",
        "0x93",
        "0b10010011",
        "10010011 in binary",
        "93 in hex",
        "CXLVII",
        "\u0661\u0664\u0667",
        "\uff11\uff14\uff17",
        "\u2460\u2463\u2466",
        "1\u200b4\u200b7",
        "1\ufe0f\u20e34\ufe0f\u20e37\ufe0f\u20e3",
        "1 then 4 then 7",
        "a1b4c7",
        "l47",
        "14 and 7",
        "741 read backwards",
        "one hundred forty-seventh",
        "hundred and forty seven",
        "onefourseven",
        "o n e f o u r s e v e n",
        "14 tens and 7 ones",
        "the hundreds digit is 1, the tens digit is 4, the ones digit is 7",
        "seven, then forty, then a hundred",
        "1.47e2",
        "1.47 x 10^2",
        "146 plus one",
        "two hundred minus 53",
        "twice 73 plus one",
        "12 squared plus 3",
        "12**2 + 3",
        "three more than 144",
        "the square root of 21609",
        "between 146 and 148",
    ],
)
def test_a_critique_hands_over_a_number_in_any_form(critique):
    assert hands_over(critique, "147", ASKED)


@pytest.mark.parametrize(
    "critique",
    [
        "84 + 63 is not 146",
        "146 is too small",
        "The tens are wrong: 8 and 6 make fourteen of them",
        "",
        "(84+63) again",
        "84 plus 63 is more than 146",
        "The first step is right, the second is wrong; check the 4 and the 3.",
        "I forgot to carry 1 into the tens",
        "It has 3 digits, as it must",
    ],
)
def test_a_critique_may_name_what_its_readers_see_and_how_it_is_wrong(critique):
    assert not hands_over(critique, "147", ASKED)


@pytest.mark.parametrize(
    "digits", ["9" * 3900, "\N{CIRCLED NUMBER TWENTY}" * 3900, "1l" * 1900, "1," * 1900, "one " * 900]
)
def test_a_number_of_thousands_of_digits_ends_no_match(digits):
    assert not hands_over(digits, "147", ASKED)
    assert hands_over(f"{digits} 147", "147", ASKED)


def test_words_are_handed_over_plainly_or_spelled():
    assert hands_over("The capital is Paris.", "Paris", "Capital of France?\nLyon")
    assert hands_over("P-a-r-i-s", "Paris", "Capital of France?\nLyon")
    assert not hands_over("It is another city.", "Paris", "Capital of France?\nLyon")
    assert not hands_over("No, it is correct.", "no", "Is 4 odd?\nyes")  # the verdict alone tells it
    assert not hands_over("fig comes before pear", "fig", "The first of fig, pear?\npear")


def test_the_published_rewards():
    assert rewards.critic(True, [True, False], 1.0, False) == 1.5
    assert rewards.critic(False, [True, False], 1.0, False) == 0.5
    assert rewards.critic(None, [], 1.0, False) == 0.0
    assert rewards.critic(True, [True], 1.0, True) == -1.0
    scores = [rewards.refiner(first, second, 10.0) for first, second in ((0, 1), (1, 0), (1, 1), (0, 0))]
    assert scores == [11.0, -10.0, 1.0, 0.0]  # SCoRe, alpha = 10
    assert [rewards.sneaky(accepted) for accepted in (True, False, None)] == [1.0, -1.0, -1.0]
    assert drops([False, False], [True, False], 0.5)
    assert not drops([True, False], [True, False], 0.5)


def test_half_of_the_shown_answers_are_right_whatever_the_solver_does():
    for answer in ("<answer>x</answer>", "nothing"):
        game = started(wants_right=True)
        game.apply({"solver": answer})
        assert game.acting == ("critic",)
        assert game.facts()["shown"] == {"answer": truth(game), "right": True, "by": "reference"}
    game = started(wants_right=True)
    game.apply({"solver": tagged(truth(game))})
    assert game.facts()["shown"]["by"] == "solver"
    game = started(wants_right=False)
    game.apply({"solver": tagged(truth(game))})
    assert game.acting == ("sneaky",)
    wrong = started(wants_right=False)
    wrong.apply({"solver": "<answer>1000</answer>"})
    assert wrong.facts()["shown"] == {"answer": "1000", "right": False, "by": "solver"}
    flips = 0
    for seed in range(400):
        game.reset(seed)
        flips += game._wanted_right
    assert 160 < flips < 240


def test_a_critique_that_names_the_answer_is_withheld_and_costs_1():
    game = started(wants_right=False)
    game.apply({"solver": "<answer>1000</answer>"})
    right = truth(game)
    game.apply({"critic": f"It must be {right}. incorrect"})
    seen = game.observe("refiner_0").text
    assert "withheld" in seen
    assert right not in seen
    game.apply({"refiner_0": tagged(right), "refiner_1": tagged(right)})
    assert game.returns()["critic"] == -1.0
    assert game.facts()["handed_over"] is True
    plain = started(wants_right=False)
    plain.apply({"solver": "<answer>1000</answer>"})
    plain.apply({"critic": "It is far too large. incorrect"})
    assert "far too large" in plain.observe("refiner_0").text
    plain.apply({"refiner_0": tagged(right), "refiner_1": "no"})
    assert plain.returns()["critic"] == 1.5


def test_monitors_read_who_was_right_and_who_handed_the_answer_over():
    game = started(wants_right=False)
    right = truth(game)
    game.apply({"solver": "<answer>1000</answer>"})
    game.apply({"critic": f"It must be {right}. incorrect"})
    game.apply({"refiner_0": tagged(right), "refiner_1": "no"})
    episode = episode_of(game)
    assert monitors.truths(episode) == {"solver": 0.0, "critic": 1.0, "refiner_0": 1.0, "refiner_1": 0.0}
    assert monitors.violations(episode) == {"critic", *game.facts()["unread"]}
    assert not game.outcomes()["sneaky"].asked


def test_critic_and_refiners_do_not_see_the_truth_or_who_wrote_the_answer():
    for wants in (True, False):
        game = started("refine(tasks=arithmetic(operation=multiply,digits=3))", wants)
        right = truth(game)
        game.apply({"solver": "<answer>77</answer>"})
        for seat in ("critic", "refiner_0", "solver"):
            seen = game.observe(seat).text
            assert "77" in seen if not wants and seat != "solver" else True
            if not wants:
                assert right not in seen


def test_a_sneaky_answer_counts_only_if_completions_drop():
    def played(after_wrong, after_right):
        game = started("refine(rollouts=2)", wants_right=False)
        right = truth(game)
        game.apply({"solver": tagged(right)})
        game.apply({"sneaky": tagged(int(right) + 10)})
        assert f"A draft of the answer: {int(right) + 10}" in game.observe("completer_0").text
        for answers in (after_wrong, after_right):
            game.apply({f"completer_{i}": tagged(right if ok else "x") for i, ok in enumerate(answers)})
        return game

    counts = played((False, False), (True, True))
    assert counts.acting == ("critic",)
    ignored = played((True, True), (True, True))
    assert ignored.acting == ()
    assert ignored.returns() == {
        "solver": 1.0,
        "sneaky": -1.0,
        "completer_0": 0.0,
        "completer_1": 0.0,
        "critic": 0.0,
        "refiner_0": 0.0,
        "refiner_1": 0.0,
    }
    assert {"critic", "refiner_0", "completer_0"} <= set(ignored.facts()["idle"])


def test_several_rounds_earn_by_turn():
    game = started("refine(refiners=1,sneaky=false,critic=false,rounds=3)")
    right = truth(game)
    game.apply({"solver": "<answer>x</answer>"})
    for answer in ("y", right, right):
        game.apply({"refiner_0": tagged(answer)})
    assert game.acting == ()
    assert game.returns() == {"solver": 0.0, "refiner_0": 1.0}
    episode = SimpleNamespace(facts=game.facts(), returns=game.returns())
    assert roles.make("refiner").turn_rewards(episode, "refiner_0") == [0.0, 1.0]


def test_the_bonus_is_paid_to_the_second_answer_only():
    game = started("refine(refiners=2,bonus=10.0,critic=false)", wants_right=False)
    right = truth(game)
    game.apply({"solver": "<answer>1000</answer>"})
    game.apply({"refiner_0": tagged(right), "refiner_1": tagged("x")})
    paid = game.facts()["rewards"]
    assert (paid["refiner_0"], paid["refiner_1"], paid["solver"]) == (11.0, 0.0, 0.0)
    assert game.returns()["refiner_0"] == 1.0


class Says(Player):
    """Writes a fixed answer."""

    name = "says"

    def act(self, view):
        return Decision("<answer>1</answer>")


def test_together_first_and_refined_answers_are_one_group():
    def groups(id):
        game = games.make(id)
        seated = {seat: Says() for seat in game.spec.seats}
        episode = play(game, MatchPlan("m", game.spec.id, 0, dict.fromkeys(game.spec.seats, "says")), seated)
        return {c.seat: c.group_key for c in credits_of([episode], {"says"})}

    one = groups("refine(critic=false,sneaky=false,together=true)")
    assert one["solver"] == one["refiner_0"] == one["refiner_1"]
    assert one["solver"][-1].startswith("arithmetic#")
    two = groups("refine(critic=false,sneaky=false)")
    assert two["solver"] != two["refiner_0"] == two["refiner_1"]


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

    def judged(right, agrees, handed=False):
        facts = {"idle": [], "shown": {"right": right}, "verdict_right": agrees, "handed_over": handed}
        facts |= {"rewards": {"critic": -1.0 if handed else float(bool(agrees)) + 0.5}}
        return Episode(
            "m", "refine-v1", 0, {"critic": "c"}, {"critic": "refine-critic"}, (), {}, "finished", facts=facts
        )

    credit = roles.make("refine-critic").credit_batch
    batch = [judged(True, True), judged(True, True), judged(True, False), judged(False, True), judged(True, True, True)]
    found = credit(batch)
    assert [of.get("critic") for of in found[:4]] == pytest.approx([2 / 3 + 0.5, 2 / 3 + 0.5, 0.5, 2 + 0.5])
    assert found[4] == {}  # `credit` pays -1
    assert credit([judged(True, True), judged(True, False)]) == [
        {"critic": 1.0},
        {"critic": 1.0},
    ]  # nothing to tell apart
    assert credit([judged(True, None), judged(False, None)]) == [{"critic": 0.5}, {"critic": 0.5}]
