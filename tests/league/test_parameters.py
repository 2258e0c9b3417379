"""The parameters of everything that an id names: their types are declared and can be looked up."""

import pytest

from arena.learner.advantages import ESTIMATORS
from arena.learner.losses import LOSSES
from arena.players import make
from arena.players.registry import PLAYERS
from games import InputError, plugins
from games.native import NATIVE
from games.parameters import signature_of
from league.matchmaking.registry import MATCHMAKERS
from league.ratings.registry import RATINGS
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
