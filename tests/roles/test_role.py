"""The role contract and the registry: the generic role, a role from a plugin file, helpful errors."""

import textwrap

import numpy as np
import pytest

import roles
from games import GameSpec, InputError, Observation, PluginError, UnknownName, plugins
from roles import Memory, Role
from roles.registry import chosen
from roles.return_checks import REQUIREMENTS
from tests import golden

PLUGIN = golden.text(__file__, "role_plugin.py.txt")
SPEC = GameSpec("market-v0", {"a": "haggler", "b": "seller"}, "general_sum", "Agree on a price.", 4)


class Finished:
    @property
    def returns(self):
        return {"a": 4.0, "b": -1.0}


@pytest.fixture
def haggler(tmp_path):
    file = tmp_path / "haggler.py"
    file.write_text(textwrap.dedent(PLUGIN))
    plugins.load_file(file)


@pytest.mark.usefixtures("haggler")
def test_a_role_from_a_file_speaks_parses_and_credits():
    role = roles.make("haggler(press=hard)")
    assert "haggler" in roles.ids()
    chat = role.messages(Observation("Your offer?"), None, Memory(SPEC, "a"))
    assert chat[0]["content"].startswith("You are a (haggler) in a game of market.\nAgree on a price.")
    assert chat[0]["content"].endswith("Press hard for a lower price.")
    assert role.parse(r"<think>at most 9</think>\boxed{I offer 5}", None) == "I offer 5"
    assert role.credit(Finished(), "a") == 0.4
    assert role.credit_batch([Finished()]) is None
    with pytest.raises(InputError, match=r"wrong parameters for role 'haggler'.*allowed: press"):
        roles.make("haggler(pres=hard)")


def test_a_name_nobody_registered_is_a_plain_player():
    role = roles.make("first")
    assert type(role) is Role
    assert role.name == "first"
    assert role.credit(Finished(), "b") == -1.0
    assert roles.make("player").name == "player"
    with pytest.raises(InputError, match="role 'first' is the generic role and takes no parameters"):
        roles.make("first(style=polite)")


@pytest.mark.usefixtures("haggler")
def test_a_setting_names_a_registered_role_or_a_plain_role_of_the_game():
    assert chosen("haggler(press=hard)", {"buyer"}).press == "hard"
    for plain in ("first", "player"):
        assert type(chosen(plain, {"first"})) is Role
    with pytest.raises(UnknownName, match="unknown role 'hagler'; did you mean 'haggler'"):
        chosen("hagler", {"first"})
    with pytest.raises(UnknownName, match="unknown role 'nobody'; `arena roles` lists all"):
        chosen("nobody", ())


@pytest.mark.parametrize("found", [[1.0], {"bid": "x"}, {"bid": float("nan")}, {1: 1.0}])
def test_phases_of_a_plugin_are_a_mapping_to_numbers(found):
    @roles.register("by-phase")
    class ByPhase(Role):
        def phases(self, episode, seat):
            return found

    with (
        plugins.isolated(),
        pytest.raises(PluginError, match=r"role 'by-phase' of .* phases returned .*_role.py, line"),
    ):
        roles.make("by-phase").phases(Finished(), "a")


@pytest.mark.parametrize("method", ["credit_batch", "split_batch"])
@pytest.mark.parametrize("found", [[1.0], [], {"a": 1.0}, [{"a": "x"}], [{"a": None}]])
def test_what_a_plugin_returns_for_a_batch_is_checked(method, found):
    with plugins.isolated():
        roles.register("batched")(type("Batched", (Role,), {method: lambda self, episodes: found}))
        with pytest.raises(PluginError, match=f"role 'batched' of .* {method} returned .*for each episode a mapping"):
            getattr(roles.make("batched"), method)([Finished()])


def test_numbers_of_numpy_are_numbers():
    for method, found in (
        ("credit_batch", [{"a": np.float32(1)}, {}]),
        ("split_batch", [{"a": np.ones(2, np.float32)}, {}]),
        ("phases", {"bid": np.int64(1)}),
    ):
        valid, _ = REQUIREMENTS[method]
        assert valid(found)


def test_a_factory_that_makes_no_role_is_refused():
    roles.register("broken")(lambda: 3)
    with pytest.raises(InputError, match=r"role 'broken' of .* made a int, not Role"):
        roles.make("broken")


@pytest.mark.parametrize(("text", "message"), golden.rows(__file__, "role_a_free_text_is_taken_whole"))
def test_a_free_text_is_taken_whole(text, message):
    assert Role().parse(text, None).replace("\r", "") == message


def test_nothing_is_no_message():
    for text in ("", " \n", "<think>only thoughts</think>", "<think>cut off", "\\boxed{cut off"):
        with pytest.raises(roles.ParseError):
            Role().parse(text, None)
    assert Role().parse("x" * 300_000, None)


def test_a_listed_action_is_still_the_last_line():
    assert Role().parse("Let me think.\nbet\nNo.\npass", ("bet", "pass")) == "pass"
