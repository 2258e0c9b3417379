"""Settings of plugins: parameters and roles in files."""

from pathlib import Path

import pytest

import games
import roles
from arena.learner import estimator
from arena.learner.advantages import ESTIMATORS
from arena.learner.losses import LOSSES
from arena.players import make
from arena.players.registry import PLAYERS
from games import InputError, plugins
from games.naming import parse_name
from games.native import NATIVE
from games.parameters import signature_of
from games.verifiers import python
from league import load_tournament, load_training
from league.matchmaking.registry import MATCHMAKERS
from league.ratings.registry import RATINGS
from league.training.resolve import trainer_config
from roles.registry import ROLES


@pytest.mark.parametrize("registry", [PLAYERS, ESTIMATORS, LOSSES, MATCHMAKERS, RATINGS, ROLES])
def test_our_own_factories_can_be_looked_up(registry):
    for name, entry in registry.entries().items():
        if entry.origin == "arena":
            parameters = signature_of(entry.load()).parameters.values()
            assert not [p.name for p in parameters if isinstance(p.annotation, str)], name


def test_our_own_games_can_be_looked_up():
    for name, entry in plugins.builtin(NATIVE).items():
        parameters = signature_of(entry.load()).parameters.values()
        assert not [p.name for p in parameters if isinstance(p.annotation, str)], name


@pytest.mark.parametrize(
    "id",
    [
        "mcts(uct_c=abc)", "llm(model=5)", "llm(engine=5)", "llm(decode=greedy)", "llm(answer=xml)", "llm(think=yes)",
        "llm(temperature=hot)", "openai(model=x, base_url=5)", "solver(iterations=true)",
    ],
)  # fmt: skip
def test_players_are_refused_before_anything_is_loaded(id):
    with pytest.raises(InputError, match=r"must be"):
        make(id)


SCRIPTS = Path(__file__).parents[2] / "scripts" / "examples"
NAMES = ("psj", "math_duel", "code_io")


def made(id):
    if id.startswith("code-io") and python.unavailable():
        pytest.skip(str(python.unavailable()))
    return games.make(id)


@pytest.mark.parametrize("name", NAMES)
def test_tournaments(name):
    config = load_tournament(SCRIPTS / f"{name}.toml")
    specs = [made(id).spec for id in config.games]
    assert any(spec.rated for spec in specs)
    assert not all(spec.rated for spec in specs)
    assert all(len(spec.teams) <= len(config.players) for spec in specs)
    assert all(parse_name(p.player).base in PLAYERS.ids() for p in config.players)


@pytest.mark.parametrize("name", NAMES)
def test_trainings(name):
    config = load_training(SCRIPTS / f"{name}_train.toml")
    trainer_config(config)
    estimator(config.advantage)
    played = {role for g in config.games for role in made(g.id).spec.seats.values()}
    assert set(config.roles) <= played
    for id in config.roles.values():
        assert roles.make(id)
    assert config.tasks.share > 0
    assert all(made(g.id).pools for g in config.games)


@pytest.mark.parametrize("id", ["psj-v1", "math-duel-v1", "code-io-v1", "conjecture-v1"])
def test_proposer_and_solvers_are_a_match_only_through_a_threshold(id):
    """Without one no rating is made up: the board shows each role's mean reward."""
    plain = made(id).spec
    assert not plain.rated
    assert plain.payoff == "general_sum"
    if id != "conjecture-v1":  # its threshold is what counts as barely provable
        match = made(f"{id}(threshold=0.5)").spec
        assert match.rated
        assert match.payoff == "zero_sum"
        assert [len(side) for side in match.teams] == [1, len(match.seats) - 1]
