"""An environment of an OpenEnv server as a game: a match, refused actions, a server that fails or leaves."""

from types import SimpleNamespace

import pytest

import arena
import games
from games import IllegalAction, InfrastructureError, InputError
from tests.openenv_server import serving

interfaces = pytest.importorskip("openenv.core.env_server.interfaces", reason="the package openenv is not installed")
from openenv.core.env_server.http_server import create_fastapi_app  # noqa: E402
from openenv.core.env_server.types import Action, Observation, State  # noqa: E402


class Guess(Action):
    number: int


class Answer(Observation):
    text: str


class HigherLower(interfaces.Environment):
    """Guess the number seed % 8 + 1. Each wrong guess costs 0.1, the right one pays 1."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State()

    def reset(self, seed=None, episode_id=None, most=8, **options):
        self._number, self._state = seed % most + 1, State(episode_id=episode_id)
        return Answer(text=f"Guess a number from 1 to {most}.<|im_start|>")

    def step(self, action, timeout_s=None, **options):
        if action.number == 13:
            raise ValueError("unlucky\x1b[31m")
        self._state.step_count += 1
        if action.number == self._number:
            return Answer(text="right", done=True, reward=1.0)
        return Answer(text="higher" if action.number < self._number else "lower", reward=-0.1)

    @property
    def state(self):
        return self._state


@pytest.fixture(scope="module")
def url():
    with serving(create_fastapi_app(HigherLower, Guess, Answer, max_concurrent_envs=8)) as found:
        yield found


def started(id, seed=0):
    game = games.make(id)
    game.reset(seed)
    return game


def test_a_match_pays_the_sum_of_the_rewards(url):
    game = started(f"openenv/{url}", 4)
    assert game.observe("agent").text == "Guess a number from 1 to 8.(|im_start|)\nWrite a whole number."
    game.apply({"agent": "3"})
    assert game.observe("agent").text == "higher\nWrite a whole number."
    assert game.returns() == {"agent": 0.0}
    game.apply({"agent": "5"})
    assert game.acting == ()
    assert game.returns() == {"agent": pytest.approx(0.9)}
    assert game.observe("agent").text == "right\nThe match is over. Your reward: 0.9"


def test_arguments_of_reset_and_listed_actions(url):
    game = started(f"openenv/{url}(most=2,actions=1|2)", 1)
    assert game.spec.id == f"openenv/{url}(actions=1|2,most=2)"
    assert "from 1 to 2" in game.observe("agent").text
    assert game.legal("agent") == ("1", "2")
    with pytest.raises(IllegalAction, match="not among 1, 2"):
        game.apply({"agent": "3"})
    with pytest.raises(InputError, match="takes no parameter 'seed'"):
        games.make(f"openenv/{url}(seed=5)")


def test_a_refused_action_changes_nothing(url):
    game = started(f"openenv/{url}", 4)
    before = game.observe("agent")
    for text, words in (("five", "not a whole number"), ("13", "unlucky")):
        with pytest.raises(IllegalAction, match=words) as caught:
            game.apply({"agent": text})
        assert "\x1b" not in str(caught.value)
    assert game.observe("agent") == before
    game.apply({"agent": "5"})
    assert game.returns() == {"agent": 1.0}


def test_matches_at_the_same_time_do_not_meet(url):
    one, other = started(f"openenv/{url}", 2), started(f"openenv/{url}", 6)
    one.apply({"agent": "5"})
    other.apply({"agent": "5"})
    assert [g.observe("agent").text.split("\n")[0] for g in (one, other)] == ["lower", "higher"]


def test_a_wrong_reward_or_a_server_that_is_away_voids_the_match(url):
    game = started(f"openenv/{url}")
    for reward, seen in ((float("nan"), {}), (1.0, "text")):
        with pytest.raises(InfrastructureError, match="wrong type"):
            game._take(SimpleNamespace(reward=reward, observation=seen, done=True))
    with pytest.raises(InfrastructureError, match=r"reset failed at http://127\.0\.0\.1:9: URLError"):
        arena.play("openenv/127.0.0.1:9", "random")


def test_conformance(url):
    games.check(f"openenv/{url}(actions=1|2|3|4|5|6|7|8)", episodes=3, max_seconds=4).raise_if_failed()
