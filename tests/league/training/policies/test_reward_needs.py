"""A training whose rewards do not say what its estimator, loss or replay buffer needs is refused before it starts."""

from dataclasses import replace

import pytest

import games
from games import InputError, plugins
from league.config.training import parse_training
from league.records.metrics_file import read_metrics
from league.training.resolve import resolve
from league.training.run import run_training
from roles import Role, verdict
from roles.registry import ROLES
from tests.league.training.runs import KUHN, config

VERDICT = [{"advantage": "psr-nsr"}, {"loss": {"name": "nft"}}, {"replay": {"share": 0.5}}]
PREFERENCE = [
    {"advantage": "spo"},
    *({"loss": {"name": name}} for name in ("sppo", "inpo", "nash-mp", "dpo(soft=true)")),
]
NEITHER = [{"loss": {"name": "dpo"}}, {"advantage": "grpo"}]


@pytest.fixture(autouse=True)
def _plugins():
    with plugins.isolated():
        yield


def resolved(game, **more):
    settings = {"name": "t", "steps": 1, "games": [game], "policy": {"model": "tiny"}, "group": 2, **more}
    resolve(parse_training(settings))


def without_range():
    game = games.make("openspiel/tic_tac_toe")
    game.spec = replace(game.spec, payoff="general_sum", returns_range=None)
    return game


@pytest.mark.parametrize("more", [*VERDICT, *PREFERENCE, *NEITHER], ids=str)
@pytest.mark.parametrize("game", [KUHN, "openspiel/tic_tac_toe", "taboo", "spy", "prefer(table=biased)"])
def test_matches_between_two_sides_and_preferences_say_everything(game, more):
    resolved(game, **more)


@pytest.mark.parametrize(
    "game", ["solve(solvers=2)", "psj(solvers=2)", "openspiel/tiny_hanabi", "openspiel/kuhn_poker(players=3)"]
)
def test_other_games_say_who_is_right_but_no_share_of_wins(game):
    for more in (*VERDICT, *NEITHER):
        resolved(game, **more)
    for more in PREFERENCE:
        with pytest.raises(
            InputError, match=r"needs shares of wins \(preference\), and role .* pays by .*; use an est"
        ):
            resolved(game, **more)


@pytest.mark.parametrize("more", [*VERDICT, *PREFERENCE], ids=str)
def test_a_game_without_a_range_says_nothing_unless_the_role_does(more):
    plugins.register("arena.games", "endless-v0")(without_range)
    with pytest.raises(
        InputError, match=r"role 'first' of endless-v0 pays by outcome: its game has neither .* returns_range"
    ):
        resolved("endless-v0", **more)
    for more in NEITHER:
        resolved("endless-v0", **more)


def test_the_range_of_an_estimator_covers_the_returns_of_a_game():
    for id in ("bnpo", "ngrpo", "bnpo(low=-2)"):
        with pytest.raises(
            InputError, match=r"kuhn_poker pays from -2 to 2; give it that range, as bnpo\(low=-2, high=2"
        ):
            resolved(KUHN, advantage=id)
        resolved("solve(solvers=2)", advantage=id)  # its roles pay from 0 to 1
    for id in ("bnpo(low=-2, high=2)", "ngrpo(best=2)"):
        resolved(KUHN, advantage=id)


class Certain(Role):
    reward_kind = verdict(0.0)


def test_the_role_of_a_plugin_declares_its_kind():
    plugins.register("arena.games", "endless-v0")(without_range)
    ROLES.register("certain")(Certain)
    chosen = {"roles": {"first": "certain", "second": "certain"}}
    resolved("endless-v0", advantage="psr-nsr", **chosen)
    with pytest.raises(InputError, match=r"advantage 'spo' needs .* role 'first' of endless-v0 pays by verdict"):
        resolved("endless-v0", advantage="spo", **chosen)


def test_only_the_roles_of_a_policy_have_to_fit():
    game = "prefer(referee=pairs)"
    with pytest.raises(InputError, match="role 'pair-judge'"):
        resolved(game, loss={"name": "sppo"})
    judges = [role for role in set(games.make(game).spec.seats.values()) if role != "answerer"]
    policies = [
        {"name": "answers", "roles": ["answerer"], "loss": {"name": "sppo"}},
        {"name": "judges", "roles": judges},
    ]
    resolved(game, policies=policies)


@pytest.mark.parametrize(
    "more",
    [{"advantage": "psr-nsr"}, {"advantage": "spo"}, {"loss": {"name": "nft"}}, {"loss": {"name": "sppo(eta=1.0)"}}],
    ids=str,
)
def test_a_training_gives_them_scores(tmp_path, more):
    c = config(
        tmp_path, steps=1, group=2, record=False, evaluation={"every": 1, "matches": 0}, replay={"share": 0.5}, **more
    )
    run_training(c, board="off")
    assert read_metrics(c.place)[-1]["grad_norm"] > 0
