"""Finding environments by name: versions, namespaces, factories, and one clear line for errors."""

import builtins
import subprocess
import sys

import pettingzoo as pz
import pytest

import games
from games import InputError, MissingPackage, UnknownName
from games.pettingzoo.adapter import AecGame, ParallelGame
from games.pettingzoo.catalog import CLASSIC
from tests import golden

HERE = "tests.games.pettingzoo.envs"


def test_ids_are_what_make_takes_and_import_nothing():
    for name in CLASSIC:
        assert games.make(f"pettingzoo/{name}").spec.id == f"pettingzoo/{name}"
    code = "import sys, games; games.ids(); print([m for m in ('pettingzoo', 'numpy', 'pygame') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_every_classic_environment_of_pettingzoo_is_listed_but_hanabi():
    registered = {spec.name.replace("-", "_") for spec in pz.aec_registry.values() if spec.namespace == "classic"}
    assert registered - {name.rpartition("_v")[0] for name in CLASSIC} == {"hanabi"}


@pytest.mark.parametrize(("asked", "id"), golden.rows(__file__, "lookup_names"))
def test_names(asked, id):
    game = games.make(f"pettingzoo/{asked}")
    assert game.spec.id == id
    assert games.make(game.spec.id).spec == game.spec


@pytest.fixture
def registered():
    from tests.games.pettingzoo.envs import Countdown, Matching

    before = dict(pz.aec_registry), dict(pz.parallel_registry)
    pz.register("aec", "ours/countdown_v2", Countdown, kwargs={"heap": 7})
    pz.register("aec", "ours/countdown_v10", f"{HERE}:countdown")
    pz.register("parallel", "ours/matching_v0", Matching)
    pz.register("aec", "ours/matching_v0", f"{HERE}:matching_as_aec")
    yield
    for registry, old in zip((pz.aec_registry, pz.parallel_registry), before, strict=True):
        registry.clear()
        registry.update(old)


@pytest.mark.usefixtures("registered")
def test_own_registrations():
    assert games.make("pettingzoo/ours/countdown").spec.id == "pettingzoo/ours/countdown_v10"  # 10 is above 2
    assert games.make("pettingzoo/countdown").spec.id == "pettingzoo/ours/countdown_v10"
    assert games.make("pettingzoo/countdown_v2").env.heap == 7
    assert games.make("pettingzoo/countdown_v2(heap=9)").env.heap == 9
    assert isinstance(games.make("pettingzoo/ours/matching-v0"), ParallelGame)
    with pytest.raises(UnknownName, match="did you mean 'ours/countdown_v2'"):
        games.make("pettingzoo/ours/countdwon_v2")
    with pytest.raises(UnknownName):
        games.make("pettingzoo/ours/countdown_v3")


def test_checking_wrappers_are_taken_off():
    from tests.games.pettingzoo.envs import Countdown, Matching

    game = games.make(f"pettingzoo/{HERE}:countdown")
    assert isinstance(game, AecGame)
    assert type(game.env) is Countdown
    parallel = games.make(f"pettingzoo/{HERE}:matching_as_aec")
    assert isinstance(parallel, ParallelGame)
    assert type(parallel.env) is Matching


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("conect_four_v3", UnknownName, "did you mean 'connect_four_v3'"),
        ("connect_four_v2", UnknownName, "did you mean 'connect_four_v3'"),
        ("nothing/like_this_v0", UnknownName, "unknown PettingZoo environment 'nothing/like_this_v0'"),
        ("connect_four_v3(colums=8)", InputError, "allowed: render_mode, screen_scaling"),
        ("rps_v2(num_actions=4)", InputError, "must be an odd number"),
        ("texas_holdem_v4(num_players=x)", InputError, "num_players must be a whole number"),
        ("texas_holdem_v4(num_players=0)", InputError, "num_players must be a whole number from 2 to 23"),
        ("texas_holdem_v4(num_players=1)", InputError, "num_players must be a whole number from 2 to 23"),
        ("texas_holdem_no_limit_v6(num_players=24)", InputError, "num_players must be a whole number from 2 to 23"),
        ("go_v5(board_size=26)", InputError, "board_size must be a whole number from 1 to 25"),
        ("go_v5(board_size=0)", InputError, "board_size must be a whole number from 1 to 25"),
        ("rps_v2(max_cycles=0)", InputError, "max_cycles must be a whole number >= 1"),
        ("go_v5(max_turns=0)", InputError, "go_v5(max_turns=0): max_turns must be a whole number >= 1"),
        ("go_v5(payoff=nice)", InputError, "payoff must be zero_sum, constant_sum, general_sum or cooperative"),
        ("no.such.module:env", InputError, "no module 'no' for"),
        (f"{HERE}.deeper:env", InputError, f"no module '{HERE}.deeper'"),
        (f"{HERE}:missing", InputError, "has no 'missing' that makes an environment"),
        (f"{HERE}:number", InputError, "has no 'number' that makes an environment"),
        (f"{HERE}:not_an_env", InputError, "object is not a PettingZoo environment"),
        (f"{HERE}:faceless", InputError, "possible_agents"),
        (f"{HERE}:graph", InputError, "Graph have no text form"),
        (f"{HERE}:refuses", InputError, "cannot be made: size 3 is too small"),
        (f"{HERE}:Matching(laps=3)", InputError, "allowed: rounds"),
    ],
)
def test_what_cannot_be_made_is_one_line(name, error, said):
    with pytest.raises(error) as wrong:
        games.make(f"pettingzoo/{name}")
    assert said in str(wrong.value)
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize(
    ("name", "package", "typed"), golden.rows(__file__, "lookup_a_missing_package_gives_the_line_to_type")
)
def test_a_missing_package_gives_the_line_to_type(monkeypatch, name, package, typed):
    """Hide the package and import PettingZoo's modules again."""
    real = builtins.__import__

    def hiding(module, *args, **kwargs):
        if module.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
        return real(module, *args, **kwargs)

    for module in list(sys.modules):
        if module.startswith(("pettingzoo.classic", "pettingzoo.butterfly", "rlcard", package)):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", hiding)
    with pytest.raises(MissingPackage) as missing:
        games.make(f"pettingzoo/{name}")
    assert missing.value.package == package
    assert str(missing.value).endswith(typed)


def test_payoff_and_length_can_be_given():
    spec = games.make(f"pettingzoo/{HERE}:Matching(payoff=cooperative,max_turns=9)").spec
    assert (spec.payoff, spec.max_turns) == ("cooperative", 9)
    assert games.make(f"pettingzoo/{HERE}:Matching").spec.payoff == "general_sum"


def test_the_largest_sizes_are_played_to_the_end():
    for name in ("texas_holdem_v4(num_players=23)", "go_v5(board_size=25,max_turns=40)"):
        game = games.make(f"pettingzoo/{name}")
        game.reset(0)
        while game.acting:
            (seat,) = game.acting
            game.apply({seat: game.legal(seat)[0]})
        assert sum(game.returns().values()) == 0
