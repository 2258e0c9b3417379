"""Files of trainings and their policies."""

from pathlib import Path

import pytest

from games import InputError
from league.config.training import load_training, parse_training
from league.training.resolve import trainer_config
from tests import golden

GOOD = {"name": "t", "steps": 5, "games": ["openspiel/kuhn_poker"]}


@pytest.mark.parametrize("file", ["train_kuhn.toml", "quickstart_train.toml"])
def test_the_files_we_ship_are_right(file):
    config = load_training(Path(__file__).parents[3] / "scripts" / "examples" / file)
    assert trainer_config(config).loss.tau > 0


@pytest.mark.parametrize(("more", "words"), golden.lists(__file__, "training_what_is_wrong_is_said_in_one_line"))
def test_what_is_wrong_is_said_in_one_line(more, words):
    with pytest.raises(InputError, match=words) as error:
        parse_training(GOOD | more)
    assert "\n" not in str(error.value)


def test_anchors_may_be_called_like_the_policy():
    names = ["t", "t#1", "t (frozen)", "u@2", "t@best", "live"]
    config = parse_training(GOOD | {"anchors": [{"name": name, "player": "random"} for name in names]})
    assert [a.name for a in config.anchors] == names


def test_settings_of_the_learner_are_checked():
    with pytest.raises(InputError, match=r"loss\.tau: must be greater than or equal to 0 \(seen: -1\)"):
        parse_training(GOOD | {"loss": {"tau": -1}})
    with pytest.raises(InputError, match=r"optimizer\.lr: must be greater than 0 \(seen: 0\)"):
        parse_training(GOOD | {"optimizer": {"lr": 0}})
    with pytest.raises(InputError, match=r"optimizer\.betas #2: must be less than 1 \(seen: 1\.0\)"):
        parse_training(GOOD | {"optimizer": {"betas": [0.9, 1.0]}})
    with pytest.raises(InputError, match=r"optimizer\.minibatches: .* greater than or equal to 1 \(seen: 0\)"):
        parse_training(GOOD | {"optimizer": {"minibatches": 0}})


@pytest.mark.parametrize(
    ("given", "horizon"),
    [
        ({"schedule": "linear"}, 5),
        ({"schedule": "cosine", "epochs": 2, "minibatches": 3}, 30),
        ({"schedule": "linear", "horizon": 7}, 7),
        ({"schedule": "inverse_sqrt"}, 1000),
    ],
)
def test_a_schedule_that_ends_at_0_does_so_with_the_training(given, horizon):
    optimizer = trainer_config(parse_training(GOOD | {"optimizer": given})).optimizer
    assert optimizer.horizon == horizon
    if given["schedule"] != "inverse_sqrt":
        assert optimizer.lr_at(horizon - 1) > optimizer.lr_at(horizon) == 0.0


def test_defaults_are_the_vetted_recipe():
    settings = trainer_config(parse_training(GOOD))
    assert (settings.loss.clip_low, settings.loss.clip_high, settings.loss.kl, settings.loss.weight_cap) == (
        0.2,
        0.28,
        0,
        2,
    )
    assert settings.loss.normaliser == 1
    free = trainer_config(parse_training(GOOD | {"policy": {"decode": "free", "max_tokens": 64}}))
    assert free.loss.normaliser == 64
    assert parse_training(GOOD).advantage == "rae"


KUHN = "openspiel/kuhn_poker"
MAIN, EXPLOITER = {"name": "main"}, {"name": "exploiter", "kind": "main-exploiter"}


def parsed(*policies, **more):
    return parse_training({"name": "t", "steps": 5, "games": [KUHN], "policies": list(policies)} | more)


def test_a_learner_takes_keys_from_the_file_then_from_its_kind_then_its_own():
    file = {"loss": {"tau": 0.5, "entropy": 0.1}, "opponents": {"self": 0.5}, "matches_per_step": 7}
    main, exploiter = parsed(MAIN, EXPLOITER | {"loss": {"tau": 0.0}, "reset": {"steps": 9}}, **file).policies
    assert main.loss == parse_training({"name": "t", "steps": 5, "games": [KUHN]} | file).loss
    assert (exploiter.loss.tau, exploiter.loss.entropy) == (0.0, 0.1)
    assert (main.opponents.self_play, main.opponents.of) == (0.5, ("main", "exploiter"))
    assert (exploiter.opponents.self_play, exploiter.opponents.live) == (0.0, 1.0)
    assert exploiter.opponents.of == ("main",)
    assert exploiter.reset is not None
    assert (exploiter.reset.win_rate, exploiter.reset.steps) == (0.7, 9)
    assert main.reset is None
    assert (main.evaluate, exploiter.evaluate) == (True, False)
    assert {main.matches_per_step, exploiter.matches_per_step} == {7}
    assert exploiter.snapshots.every is None


def test_the_kinds_are_those_of_alphastar():
    league = parsed(MAIN, {"name": "l", "kind": "league-exploiter"}).policies[1]
    assert league.opponents.pfsp == "linear-capped"
    assert (league.opponents.snapshots, league.opponents.of) == (1.0, ("main", "l"))
    assert league.reset is not None
    assert league.reset.probability == 0.25


@pytest.mark.parametrize(
    ("policies", "more", "words"), golden.lists(__file__, "policies_what_is_wrong_is_said_in_one_line")
)
def test_what_is_wrong_is_said_in_one_line_of_policies(policies, more, words):
    with pytest.raises(InputError, match=words) as error:
        parsed(*policies, **more)
    assert "\n" not in str(error.value)
