"""critic: exact recomputation of steps, strict verdicts, the rewards of SPC."""

from fractions import Fraction

import pytest

import games
from arena.learner import credits_of
from arena.match import Decision, Episode, MatchPlan, play
from arena.players.player import Player
from games import InputError
from games.native.critic.game import CRITIC, SNEAKY, CriticGame, PublishedCriticGame, recomputed, step_of
from roles.native.critic import Critic

GOLDEN = """\
Start with 3. Multiply by 8. Add 16. What is the result?
3 * 8 = 24
true: 24 + 16 = 40
shown: 24 + 16 = 44
step wrong, critic: incorrect"""


def test_a_product_is_read_without_a_tag():
    assert step_of("11 * 4 = 44") == step_of("**11 * 4 = 44**") == "11 * 4 = 44"


def started(plain=None, **params):
    game = CriticGame(**params)
    for seed in range(300):
        game.reset(seed)
        if plain in (None, game._plain):
            return game
    raise AssertionError


def test_a_closed_game_of_small_sums():
    seen = set()
    for seed in range(60):
        game = CriticGame(steps=1, closed=True, size=2)
        game.reset(seed)
        seen.add(game._true)
        assert game._true in game._options[SNEAKY]
    assert seen == {f"{a} + {b} = {a + b}" for a in range(3) for b in (1, 2)}
    with pytest.raises(InputError, match="closed=true, steps=1"):
        CriticGame(size=2)


@pytest.mark.parametrize(
    ("step", "verdict"),
    [
        ("31 * 9 = 279", "right"),
        ("  9 × 31 =  279 ", "right"),
        ("280 - 1 = 279", "right"),  # a different way to the same result is right
        ("31 * 9 = 278", "wrong"),
        ("31 + 9 = 40", "wrong"),  # a true equation, but not this step
        ("31 * 9 = 279.5", "wrong"),
        ("279 = 279", "invalid"),
        ("31 * 9", "invalid"),
        ("31 * 9 = 279 = 279", "invalid"),
        ("31 / 0 = 279", "invalid"),
        ("31 * 9 = 279 or so", "invalid"),
        ("9**9**9 = 279", "invalid"),
        ("(" * 30 + "31 * 9 = 279", "invalid"),
        ("__import__('os') = 279", "invalid"),
        ("", "invalid"),
    ],
)
def test_a_step_is_recomputed_exactly(step, verdict):
    assert recomputed(step, Fraction(279)) == verdict


@pytest.mark.parametrize(
    ("text", "correct"),
    [
        ("correct", True),
        ("Incorrect.", False),
        ("<answer>Incorrect</answer>", False),
        ("<Answer>Correct</Answer>", True),
        ("not correct", False),
        ("It is correct", True),
        ("8 + 5 is 13, not 12.\n<Answer>Incorrect</Answer>", False),
        ("<think>It is correct.</think> So the step is **wrong**.", False),
        ("correct incorrect", None),
        ("in correct", None),
        ("", None),
    ],
)
def test_incorrect_does_not_contain_correct(text, correct):
    game = started(plain=True)
    game.apply({CRITIC: text})
    assert game.facts()["found_correct"] is correct
    assert (CRITIC in game.facts()["unread"]) == (correct is None)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("24 + 16 = 44", "24 + 16 = 44"),
        ("The correct step is 24 + 16 = 40, so I write:\n\n**24 + 16 = 44**", "24 + 16 = 44"),
        ("Step: 24 + 16 = 40\nWrong step: 24 + 16 = 44", "24 + 16 = 44"),
        ("I change the sum.\n\\boxed{24 + 16 = 44}", "24 + 16 = 44"),
        ("<answer>24 + 16 = 44</answer>", "24 + 16 = 44"),
        ("24 + 16 = 44\nNobody will notice.", "24 + 16 = 44"),
        ("It is 44.", "It is 44."),
    ],
)
def test_the_last_step_of_a_message_counts(text, step):
    assert step_of(text) == step


def test_golden_transcript():
    game = CriticGame(steps=2)
    game.reset(2)
    game.apply({SNEAKY: " 24 + 16 =  44 "})
    assert game.observe(CRITIC).text == (
        "Problem: Start with 3. Multiply by 8. Add 16. What is the result?\n"
        "Solution so far:\n3 * 8 = 24\nThe step to judge: 24 + 16 = 44"
    )
    game.apply({CRITIC: "incorrect"})
    assert game.spectate() == GOLDEN


@pytest.mark.parametrize("case", range(len(CriticGame().known_outcomes())))
def test_known_outcomes(case):
    known = CriticGame().known_outcomes()[case]
    game = CriticGame()
    game.reset(known.seed)
    for move in known.moves:
        game.apply(move)
    assert (game.acting, game.returns()) == ((), known.returns)


def test_the_critic_cannot_tell_who_wrote_the_step():
    """Twin states: the critic sees the same, whether the sneaky player was asked or not."""
    plain, spoiled = started(plain=True), started(plain=True)
    spoiled._plain, spoiled._shown, spoiled._due = False, spoiled._true, (CRITIC,)
    assert plain.observe(CRITIC) == spoiled.observe(CRITIC)


def test_every_listed_step_but_one_is_wrong():
    for seed in range(200):
        game = CriticGame(closed=True, control=0)
        game.reset(seed)
        verdicts = [recomputed(step, game._result) for step in game.legal(SNEAKY)]
        assert verdicts.count("right") == 1
        assert verdicts.count("wrong") == len(verdicts) - 1 >= 3


class Fixed(Player):
    def __init__(self, name, text):
        self.name, self.text = name, text

    def act(self, view):
        left = view.observation.text.rpartition(": ")[2].rpartition(" = ")[0]
        return Decision(self.text.format(left))


def test_a_control_match_credits_the_critic_alone():
    seats = {SNEAKY: "s", CRITIC: "c"}
    players = {SNEAKY: Fixed("s", "1 + 1 = 3"), CRITIC: Fixed("c", "correct")}
    for control, credited in ((1, {"critic": 1.0}), (0, {"sneaky": 1.0, "critic": -1.0})):
        game = PublishedCriticGame(control=control)
        episode = play(game, MatchPlan("m", game.spec.id, 3, seats), players)
        assert {c.role: c.reward for c in credits_of([episode], {"s", "c"})} == credited


@pytest.mark.parametrize(
    ("cls", "step", "paid"),
    [
        (PublishedCriticGame, "no step", 0.5),
        (PublishedCriticGame, "{} = 0", 0.0),
        (CriticGame, "no step", 0.0),
        (CriticGame, "{} = 0", 0.0),
    ],
)
def test_a_constant_verdict_earns_nothing_whatever_the_sneaky_player_does_since_v1(cls, step, paid):
    game = cls()
    players = {SNEAKY: Fixed("s", step), CRITIC: Fixed("c", "correct")}
    plans = [MatchPlan(f"m{n}", game.spec.id, n, {SNEAKY: "s", CRITIC: "c"}) for n in range(200)]
    episodes = [play(game, plan, players) for plan in plans]
    found = [c.reward for c in credits_of(episodes, {"c"})]
    assert sum(found) / 200 == pytest.approx(paid, abs=1e-9 if cls is CriticGame else 0.12)


def test_the_credit_of_a_critic_to_the_digit():
    """Three correct steps, one wrong: right verdicts earn 2 * 4/6 - 1 and 2 * 4/2 - 1, wrong ones -1."""
    found = Critic().credit_batch([*map(judged, (True, True, True, False), (True, True, False, False))])
    assert [of["critic"] for of in found] == pytest.approx([1 / 3, 1 / 3, -1, 3])
    one_kind = Critic().credit_batch([judged(True, True), judged(True, False), judged(True, None)])
    assert [of["critic"] for of in one_kind] == [0, 0, -1]
    assert Critic().credit_batch([judged(True, True, balanced=False)]) == [{}]


def judged(plain, said, balanced=True):
    """A match in which the critic was shown a correct step (`plain`) or a wrong one, and called it correct or not."""
    facts = {"idle": ["sneaky"] if plain else [], "verdict": "right" if plain else "wrong", "found_correct": said}
    facts |= {"balanced": True} if balanced else {}
    seats = {SNEAKY: "s", CRITIC: "c"}
    return Episode("m", "critic-v1", 0, seats, {SNEAKY: SNEAKY, CRITIC: CRITIC}, (), {}, "finished", facts=facts)


def test_parameters_out_of_range_are_refused():
    for params in ({"steps": 0}, {"control": 2}, {"closed": 1}):
        with pytest.raises(InputError):
            CriticGame(**params)


def test_the_check_passes():
    for id in ("critic-v0", "critic-v0(closed=true)"):
        report = games.check(id, episodes=40)
        assert report.ok, report


def _spoiled():
    """A match after a wrong step, and the right final result."""
    game = games.make("critic-v0(rollouts=4,control=0)")
    game.reset(3)
    left, _, right = game.facts()["true"].rpartition(" = ")
    game.apply({"sneaky": f"{left} = {int(right) + 10}"})
    return game, game._final


@pytest.mark.parametrize(
    ("misled", "asked"),
    [(4, True), (2, True), (1, False), (0, False)],
)
def test_a_wrong_step_counts_only_if_it_misleads_completers(misled, asked):
    """SPC's check: the success of four completers drops by at least half from the correct step to the wrong one."""
    game, final = _spoiled()
    assert set(game.acting) == {f"completer_{i}" for i in range(4)}
    assert game.facts()["true"] in game.observe("completer_0").text
    game.apply(dict.fromkeys(game.acting, f"<answer>{final}</answer>"))
    assert game.facts()["true"] not in game.observe("completer_0").text
    said = {seat: f"<answer>{final + (10 if i < misled else 0)}</answer>" for i, seat in enumerate(game.acting)}
    game.apply(said)
    assert game.acting == (("critic",) if asked else ())
    assert game.facts()["completed"] == [[True] * 4, [i >= misled for i in range(4)]]
    if asked:
        game.apply({"critic": "correct"})
    assert game.returns()["sneaky"] == (1.0 if asked else -1.0)
    assert game.returns()["critic"] == (-1.0 if asked else 0.0)
    assert {f"completer_{i}" for i in range(4)} <= set(game.facts()["idle"])


def test_completers_need_written_steps():
    for id in ("critic-v0(rollouts=2,closed=true)", "critic-v0(rollouts=2,tasks=arithmetic)"):
        with pytest.raises(InputError, match="leave out rollouts"):
            games.make(id)
    assert games.make("critic-v0(rollouts=2)").shortcuts() is None
