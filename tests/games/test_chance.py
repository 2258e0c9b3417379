"""Whether the seed has an effect: declared, or found out by playing."""

import pytest

import games
from games.chance import has_chance, spec_with_chance


@pytest.mark.parametrize(
    ("id", "chance"),
    [
        ("openspiel/tic_tac_toe", False),
        ("openspiel/kuhn_poker", True),
        ("openspiel/goofspiel(num_cards=4)", True),
        ("openspiel/goofspiel(num_cards=4,points_order=descending)", False),
        ("openspiel/matrix_rps", False),
        ("pettingzoo/connect_four_v3", False),
        ("taboo-v2", True),
    ],
)
def test_which_games_have_chance(id, chance):
    assert has_chance(games.make(id)) is chance


class Nim(games.TextGame):
    """A game that does not declare `chance`."""

    def __init__(self, heap=lambda seed: 9):
        self.heap_of = heap
        self.spec = games.GameSpec("nim-v0", {"a": "player", "b": "player"}, "zero_sum", "nim", 20)

    def reset(self, seed):
        self.left, self.turn = self.heap_of(seed), 0

    @property
    def acting(self):
        return ("ab"[self.turn % 2],) if self.left > 0 else ()

    def observe(self, seat):
        return games.Observation(f"{self.left} left")

    def legal(self, seat):
        return tuple(str(n) for n in (1, 2, 3) if n <= self.left) if seat in self.acting else ()

    def apply(self, actions):
        self.left -= int(actions[self.acting[0]])
        self.turn += 1

    def returns(self):
        return {"a": -1.0, "b": 1.0} if self.turn % 2 else {"a": 1.0, "b": -1.0}


def test_a_game_that_declares_nothing_is_found_out():
    assert spec_with_chance(Nim()).chance is False
    assert spec_with_chance(Nim(lambda seed: 9 + seed % 2)).chance is True


def test_a_game_that_fails_counts_as_one_with_chance():
    game = Nim(lambda seed: 9 // (seed - 3))
    assert has_chance(game) is True
