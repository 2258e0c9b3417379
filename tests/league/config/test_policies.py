"""Several policies in a training file: what each takes from the file, from its kind and from its own tables."""

import pytest

from games import InputError
from league.config.training import parse_training
from tests import golden

KUHN = "openspiel/kuhn_poker"
MAIN, EXPLOITER = {"name": "main"}, {"name": "exploiter", "kind": "main-exploiter"}


def parsed(*policies, **more):
    return parse_training({"name": "t", "steps": 5, "games": [KUHN], "policies": list(policies)} | more)


def test_a_learner_takes_keys_from_the_file_then_from_its_kind_then_its_own():
    file = {"loss": {"tau": 0.5, "entropy": 0.1}, "opponents": {"self": 0.5, "decay": 0.9}, "matches_per_step": 7}
    main, exploiter = parsed(MAIN, EXPLOITER | {"loss": {"tau": 0.0}, "reset": {"steps": 9}}, **file).policies
    assert main.loss == parse_training({"name": "t", "steps": 5, "games": [KUHN]} | file).loss
    assert (exploiter.loss.tau, exploiter.loss.entropy) == (0.0, 0.1)
    assert (main.opponents.self_play, main.opponents.of) == (0.5, ("main", "exploiter"))
    assert (exploiter.opponents.self_play, exploiter.opponents.live, exploiter.opponents.decay) == (0.0, 1.0, 0.9)
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
def test_what_is_wrong_is_said_in_one_line(policies, more, words):
    with pytest.raises(InputError, match=words) as error:
        parsed(*policies, **more)
    assert "\n" not in str(error.value)
