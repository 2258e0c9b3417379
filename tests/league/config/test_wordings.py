"""Ranges of wordings in a training file."""

import pytest

from games import InputError
from league.config.training import parse_training
from league.training.resolve import resolve

VEILED = "veil(of=openspiel/kuhn_poker, words=4..6)"


def games_of(*games):
    return parse_training({"name": "t", "steps": 1, "games": games}).games


def test_a_range_names_each_wording_and_shares_the_weight():
    games = games_of({"id": VEILED, "weight": 1.5}, "openspiel/kuhn_poker")
    assert [game.id for game in games[:3]] == [f"veil(of=openspiel/kuhn_poker, words={n})" for n in (4, 5, 6)]
    assert [game.weight for game in games] == [0.5, 0.5, 0.5, 1.0]


def test_a_training_plays_each_wording(tmp_path):
    config = parse_training({"name": "t", "steps": 1, "games": [VEILED], "db": f"sqlite:///{tmp_path}/a.db"})
    assert list(resolve(config).specs) == [f"veil-v1(words={n})" for n in (4, 5, 6)]


@pytest.mark.parametrize("words", ["6..4", "1..9999"])
def test_a_range_of_none_or_too_many(words):
    with pytest.raises(InputError, match=f"words={words.replace('.', '[.]')} names .* wordings; write 1 to 1,000"):
        games_of(f"veil(of=openspiel/kuhn_poker, words={words})")
