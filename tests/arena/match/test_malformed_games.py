"""Values of a game that have a wrong form: the match is void, for a reason that names the game, value and cure."""

import asyncio
import re

import pytest

from arena import players
from arena.match import Decision, MatchPlan, play, play_async
from arena.players import Player
from games import GameSpec, IllegalAction, InputError, Observation, TextGame, plugins
from games.registry import make

SEATS = {"alice": "first", "bob": "second"}


class Tale(TextGame):
    """Each seat says high or low; `wrong` replaces what a method returns."""

    def __init__(self, **wrong):
        self.spec = GameSpec(id="tale-v0", seats=SEATS, payoff="zero_sum", rules="Say it.", max_turns=2)
        self.wrong, self.moves = wrong, 0

    def reset(self, seed):
        self.moves = 0

    @property
    def acting(self):
        return self.wrong.get("acting", (list(SEATS)[self.moves],)) if self.moves < 2 else ()

    def observe(self, seat):
        return self.wrong.get("observe", Observation("It is your turn."))

    def legal(self, seat):
        return self.wrong.get("legal", ("high", "low")) if seat in self.acting else ()

    def apply(self, actions):
        if not set(actions.values()) <= {"high", "low"}:
            raise IllegalAction("say high or low")
        self.moves += 1

    def returns(self):
        return self.wrong.get("returns", {"alice": 1.0, "bob": -1.0})


class FirstListed(Player):
    name = "first"

    def act(self, view):
        return Decision(next(iter(view.legal)))


class Waiting(FirstListed):
    waits = True

    async def act_async(self, view):
        return self.act(view)


PLAN = MatchPlan("m", "tale-v0", 1, {"alice": "a", "bob": "b"})
NUMBERS = "expected a number for each of the seats alice, bob"
WRONG = [
    ("acting", None, "acting is None; expected a tuple of different seats of alice, bob"),
    ("acting", ("zoe",), "acting is ('zoe',); expected a tuple of different seats of alice, bob"),
    ("legal", "high", "legal('alice') is 'high'; expected a tuple of texts, or None for free text"),
    ("legal", (1, 2), "legal('alice') is (1, 2); expected a tuple of texts, or None for free text"),
    ("legal", 3, "legal('alice') is 3; expected a tuple of texts, or None for free text"),
    ("returns", None, f"returns() is None; {NUMBERS}"),
    ("returns", [1.0, -1.0], f"returns() is [1.0, -1.0]; {NUMBERS}"),
    ("returns", {"alice": 1.0}, f"returns() is for alice; {NUMBERS}"),
    ("returns", {"alice": 1.0, "bob": -1.0, "zoe": 0.0}, f"returns() is for alice, bob, zoe; {NUMBERS}"),
    ("returns", {"alice": float("nan"), "bob": 0.0}, "returns()['alice'] is nan; expected a finite number"),
    ("returns", {"alice": 1.0, "bob": "1"}, "returns()['bob'] is '1'; expected a finite number"),
]

TWICE = ("acting", ("bob", "bob"), "acting is ('bob', 'bob'); expected a tuple of different seats of alice, bob")


@pytest.mark.parametrize(("value", "wrong", "message"), WRONG)
def test_a_malformed_value_makes_the_match_void_and_nobody_forfeits(value, wrong, message):
    episode = play(Tale(**{value: wrong}), PLAN, dict.fromkeys(SEATS, FirstListed()))
    assert (episode.status, episode.reason) == ("void", f"the game failed: tale-v0: {message}")


@pytest.mark.parametrize(("value", "wrong", "message"), WRONG)
def test_the_same_with_players_that_wait(value, wrong, message):
    episode = asyncio.run(play_async(Tale(**{value: wrong}), PLAN, dict.fromkeys(SEATS, Waiting())))
    assert (episode.status, episode.reason) == ("void", f"the game failed: tale-v0: {message}")


@pytest.mark.parametrize(("value", "wrong", "message"), [TWICE, *(r for r in WRONG if r[0] != "returns")])
def test_random_says_the_same_before_a_match(value, wrong, message):
    assert players.make("random").supports(Tale(**{value: wrong})) == message


def test_an_observation_is_made_of_text():
    with pytest.raises(TypeError, match="the text of an observation is 3; expected a text"):
        Observation(3)


@pytest.mark.parametrize(
    ("field", "wrong", "expected"),
    [
        ("max_turns", 0, "a whole number of at least 1"),
        ("max_turns", "5", "a whole number of at least 1"),
        ("payoff", "zerosum", "one of zero_sum, constant_sum, general_sum, cooperative"),
        ("seats", ["a"], "a mapping of each seat to its role"),
    ],
)
def test_a_spec_is_refused_when_the_game_is_made(tmp_path, field, wrong, expected):
    fields = {"seats": SEATS, "payoff": "zero_sum", "rules": "Say it.", "max_turns": 2} | {field: wrong}
    file = tmp_path / "tale.py"
    file.write_text(
        "from games import GameSpec, register\n"
        "from tests.arena.match.test_malformed_games import Tale\n"
        '@register("tale-v0")\nclass Game(Tale):\n    def __init__(self):\n        super().__init__()\n'
        f"        self.spec = GameSpec(id='tale-v0', **{fields!r})\n"
    )
    plugins.load_file(file)
    with pytest.raises(InputError, match=re.escape(f"{field} of its spec is {wrong!r}; expected {expected}")):
        make("tale-v0")
