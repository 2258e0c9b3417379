"""Ranges of games in a training file."""

import pytest

from games import InputError
from league.config.id_ranges import ids_of
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


def test_other_numbers_and_paths_are_no_range():
    assert ids_of("gen(seed=1..2, size=3)") == ["gen(seed=1, size=3)", "gen(seed=2, size=3)"]
    for id in ("a/b(file=x1..2.efg)", "a/b(file=1..2.efg)", "a/b(n=1...2)", "a/b(n=3)", "a/b"):
        assert ids_of(id) == [id]


@pytest.mark.parametrize("words", ["6..4", "1..9999"])
def test_a_range_of_none_or_too_many(words):
    with pytest.raises(InputError, match=f"words={words.replace('.', '[.]')} names .* games; write 1 to 1,000"):
        games_of(f"veil(of=openspiel/kuhn_poker, words={words})")
