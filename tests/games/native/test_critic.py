"""critic: exact recomputation of steps, strict verdicts, the rewards of SPC."""

from fractions import Fraction

import pytest

from arena.learner import credits_of
from arena.match import Decision, Episode, MatchPlan, play
from arena.players.player import Player
from games import InputError
from games.native.critic import critic
from games.native.critic.game import recomputed, step_of
from games.native.critic.texts import CRITIC, SNEAKY
from roles.native.critic import Critic
from tests import golden


def test_a_product_is_read_without_a_tag():
    assert step_of("11 * 4 = 44") == step_of("**11 * 4 = 44**") == "11 * 4 = 44"


def started(plain=None, **params):
    """A match in which the critic is shown the correct step, or not."""
    game = critic(**params)
    for seed in range(300):
        game.reset(seed)
        if plain in (None, game.acting == (CRITIC,)):
            return game
    raise AssertionError


def test_a_closed_game_of_small_sums():
    seen = set()
    for seed in range(60):
        game = critic(steps=1, closed=True, size=2)
        game.reset(seed)
        seen.add(game.facts()["true"])
        assert game.facts()["true"] in game.examples(SNEAKY) or game.acting == (CRITIC,)
    assert seen == {f"{a} + {b} = {a + b}" for a in range(3) for b in (1, 2)}
    with pytest.raises(InputError, match="closed=true, steps=1"):
        critic(size=2)


@pytest.mark.parametrize(("step", "verdict"), golden.rows(__file__, "critic_a_step_is_recomputed_exactly"))
def test_a_step_is_recomputed_exactly(step, verdict):
    assert recomputed(step, Fraction(279)) == verdict


@pytest.mark.parametrize(("text", "correct"), golden.rows(__file__, "critic_incorrect_does_not_contain_correct"))
def test_incorrect_does_not_contain_correct(text, correct):
    game = started(plain=True)
    game.apply({CRITIC: text})
    outcome = game.outcomes()[CRITIC]
    assert (outcome.right, bool(outcome.unread)) == (float(correct is True), correct is None)


@pytest.mark.parametrize(("text", "step"), golden.rows(__file__, "critic_the_last_step_of_a_message_counts"))
def test_the_last_step_of_a_message_counts(text, step):
    assert step_of(text) == step


def test_the_critic_cannot_tell_who_wrote_the_step():
    """The critic reads the same form of text, whether the sneaky player was asked or not."""
    plain, spoiled = started(plain=True), started(plain=False)
    spoiled.apply({SNEAKY: "1 + 1 = 3"})
    form = [[line.partition(":")[0] for line in g.observe(CRITIC).text.split("\n")[-1:]] for g in (plain, spoiled)]
    assert form[0] == form[1] == ["The step to judge"]


def test_every_listed_step_but_one_is_wrong():
    for seed in range(200):
        game = critic(closed=True)
        game.reset(seed)
        result = Fraction(game.facts()["true"].rpartition("=")[2])
        if game.acting == (CRITIC,):
            continue
        verdicts = [recomputed(step, result) for step in game.legal(SNEAKY)]
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
    for plain, credited in ((True, {"critic"}), (False, {"sneaky", "critic"})):
        game = started(plain)
        seed = next(seed for seed in range(99) if _plain(game, seed) is plain)
        episode = play(game, MatchPlan("m", game.spec.id, seed, seats), players)
        assert {c.role for c in credits_of([episode], {"s", "c"})} == credited


def _plain(game, seed):
    game.reset(seed)
    return game.acting == (CRITIC,)


@pytest.mark.parametrize("step", ["no step", "{} = 0"])
def test_a_constant_verdict_earns_nothing_whatever_the_sneaky_player_does(step):
    game = critic()
    players = {SNEAKY: Fixed("s", step), CRITIC: Fixed("c", "correct")}
    plans = [MatchPlan(f"m{n}", game.spec.id, n, {SNEAKY: "s", CRITIC: "c"}) for n in range(200)]
    credits = [c.reward for c in credits_of([play(game, plan, players) for plan in plans], {"c"})]
    assert sum(credits) / 200 == pytest.approx(0.0, abs=1e-9)


def test_the_credit_of_a_critic_to_the_digit():
    """Three correct steps, one wrong: right verdicts earn 2 * 4/6 - 1 and 2 * 4/2 - 1, wrong ones -1."""
    found = Critic().credit_batch([*map(judged, (True, True, True, False), (True, True, False, False))])
    assert [of["critic"] for of in found] == pytest.approx([1 / 3, 1 / 3, -1, 3])
    one_kind = Critic().credit_batch([judged(True, True), judged(True, False), judged(True, None)])
    assert [of["critic"] for of in one_kind] == [0, 0, -1]


def judged(plain, said):
    """A match in which the critic was shown a correct step (`plain`) or a wrong one, and called it correct or not."""
    unread = ["no verdict"] if said is None else []
    outcome = {"reward": 0.0, "right": float(said is plain), "label": float(plain), "unread": unread}
    facts = {"outcomes": {CRITIC: outcome}}
    seats = {SNEAKY: "s", CRITIC: "c"}
    return Episode("m", "critic-v1", 0, seats, {SNEAKY: SNEAKY, CRITIC: CRITIC}, (), {}, "finished", facts=facts)
