"""refine: what a critique is worth, refined answers, the sneaky player and its check."""

from pathlib import Path
from statistics import fmean

import pytest

import games
import roles
from arena.evaluation.shortcuts import best_responses
from arena.learner.credit import credits_of
from arena.match import Episode
from games import InputError
from games.native.refine.critiques import CODES, TARGETS, SeatKnowledge, answer_in, tells
from games.native.refine.policies import BEST, TELLS
from roles.rewards import monitors
from tests.games.native import matches
from tests.games.native.matches import episode_of

SCRIPTS = Path(__file__).parents[3] / "scripts" / "examples"
RIGHT, WRONG, OFF = "<answer>{}</answer>", "<answer>1000</answer>", "<answer>{}1</answer>"


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


def test_the_right_answer_in_another_form_is_no_wrong_answer():
    """A sneaky player that wrote it as a fraction was paid if the critic, rightly, called it correct."""
    truth = started().facts()["truth"]
    same = f"<answer>{2 * int(truth)}/2</answer>"
    game = play(started(), same)
    assert game.acting == ("sneaky",)  # the solver's is none either
    while game.acting == ("sneaky",):
        play(game, same)
    assert "critic" not in game.acting
    assert game.returns()["sneaky"] == -1.0


def test_the_reader_knows_the_answer_and_the_critique_and_not_the_question():
    game = play(started(), WRONG, "It is far too large. incorrect")
    assert game.acting == ("reader",)
    text = game.observe("reader").text
    assert text.split("\n")[:2] == ["The earlier answer: 1000", '[critique] "It is far too large. incorrect"']
    assert game.facts()["question"] not in text
    assert "question" not in game.data("reader")


@pytest.mark.parametrize(
    ("goal", "reads", "paid"), [(False, WRONG, 0.6), (False, RIGHT, -0.4), (True, WRONG, -0.5), (True, RIGHT, -0.5)]
)
def test_what_needs_no_question_is_subtracted_from_the_refined_accuracy(goal, reads, paid):
    """A right answer needs none, whatever the reader makes of it; so a false verdict on it gains nothing."""
    game = play(started(goal=goal), WRONG if not goal else RIGHT, "It must be {}. incorrect", reads, [RIGHT, "no"])
    assert game.returns()["critic"] == pytest.approx(paid)
    assert game.returns()["reader"] == (reads == RIGHT and not goal)
    assert monitors.leaks(episode_of(game)) == ({"critic"} if reads == RIGHT and not goal else set())
    assert monitors.violations(episode_of(game)) == {"refiner_1"}  # "no" is no answer


@pytest.mark.parametrize("verdict", ["correct", "incorrect"])
def test_a_constant_verdict_earns_nothing_beside_refiners_who_need_no_critic(verdict):
    """It was paid for what they do by themselves."""
    games = [play(started(goal=goal), RIGHT) for goal in (True, False)]
    play(games[1], OFF)
    paid = [play(game, verdict, WRONG, RIGHT).returns()["critic"] for game in games]
    assert sum(paid) == pytest.approx(0.1)


def test_in_a_closed_game_a_true_verdict_pays_1():
    """A critique is nothing else there; with a reader it pays a tenth."""
    seeds = (play(matches.started("refine(closed=true)", seed), "{}") for seed in range(64))
    game = play(next(game for game in seeds if game.acting == ("critic",)), "correct", "{}")
    assert game.returns()["critic"] == 1.0  # and nothing for what refiners do with a right answer
    assert play(started(goal=True), RIGHT, "correct", WRONG, RIGHT).returns()["critic"] == pytest.approx(0.1)


def test_readers_are_compared_with_readers():
    episode = episode_of(play(started(), WRONG, "No. incorrect", RIGHT, WRONG))
    credits = {c.seat: (c.phase, c.reward) for c in credits_of([episode], set(episode.seats.values()))}
    assert credits["reader"] == ("blind", 1.0)
    assert credits["refiner_0"] == ("", 0.0)


@pytest.mark.parametrize("code", CODES)
def test_an_answer_is_read_in_each_code(code):
    view = SeatKnowledge(146, "What is 84 + 63?")
    for target in TARGETS:
        for truth in (147, -13, 0):
            assert answer_in(tells(target, code, truth, view), view) == truth
    assert answer_in(tells("the rest", code, 147, view), SeatKnowledge(146)) is None
    assert answer_in("Add up the tens again. incorrect", view) is None


@pytest.mark.slow
def test_who_tells_the_answer_or_the_gap_earns_less_than_who_points_at_the_wrong_digit():
    """The partners of the suite read each code; on the same seeds the competent critic is the best response."""
    means = {name: fmean(of.values()) for name, of in best_responses("refine", "refine-critic", 60).items()}
    assert max(means, key=means.__getitem__) in ("competent", BEST)
    assert all(means[f"by the answer: {message}"] <= 0.11 < means[BEST] - 0.2 for message in TELLS)
    assert means["by the answer: nothing"] < 0.7 * means[BEST]


@pytest.mark.slow
def test_the_competent_sneaky_player_is_the_best_of_its_family():
    means = {name: fmean(of.values()) for name, of in best_responses("refine", "refine-sneaky", 120).items()}
    assert max(means, key=means.__getitem__) == "competent"
    assert all(mean < means["competent"] - 0.5 for name, mean in means.items() if name != "competent")


def test_critic_and_refiners_do_not_read_the_truth():
    game = play(started("refine(tasks=arithmetic(operation=multiply,digits=3))"), RIGHT, OFF)
    off = game.facts()["truth"] + "1"
    for seat in ("critic", "refiner_0", "refiner_1", "reader"):
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
        assert set(game.facts()["idle"]) == set(game.spec.seats) - {"solver", "sneaky"}


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
        game = play(started("refine(bonus=10.0)", goal), WRONG, "Hm.", WRONG, [RIGHT, WRONG])
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


def test_the_verdict_of_a_critic_is_balanced_over_the_batch():
    """Three right answers, one wrong: true verdicts earn 4/6 and 4/2 in place of 1, beside refined accuracy of 0.5."""

    def judged(label, right, **more):
        outcome = {"reward": right + 0.5, "right": right, "label": label} | more
        facts = {"outcomes": {"critic": outcome}}
        seats = {"critic": "refine-critic"}
        return Episode("m", "refine-v1", 0, {"critic": "c"}, seats, (), {}, "finished", facts=facts)

    credit = roles.make("refine-critic").credit_batch
    batch = [judged(1.0, 1.0), judged(1.0, 1.0), judged(1.0, 0.0), judged(0.0, 1.0)]
    assert [of["critic"] for of in credit(batch)] == pytest.approx([2 / 3 + 0.5, 2 / 3 + 0.5, 0.5, 2 + 0.5])
    assert credit([judged(1.0, 1.0), judged(1.0, 0.0)]) == [{"critic": 1.0}] * 2  # nothing to tell apart
    unread = [judged(label, 0.0, unread=["no verdict"]) for label in (1.0, 0.0)]
    assert credit(unread) == [{"critic": 0.5}] * 2
