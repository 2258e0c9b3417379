"""A view has one random stream."""

from collections import Counter

import msgspec

import games
from arena import Decision, View


def view(seat_seed):
    game = games.make("openspiel/matrix_rps")
    game.reset(1)
    return View(game, "player_0", "player", game.legal("player_0"), seat_seed, 0)


def test_a_second_draw_is_independent_of_the_first():
    """The plugin of the guide: a move with probability 0.5, else any move."""
    drawn: Counter[int] = Counter()
    for seed in range(3000):
        of = view(seed)
        drawn[0 if of.rng.random() < 0.5 else of.rng.below(3)] += 1
    assert [round(drawn[move] / 3000, 1) for move in range(3)] == [0.7, 0.2, 0.2]


def test_the_same_turn_draws_the_same_and_another_attempt_draws_anew():
    first, again = view(7), view(7)
    assert [first.rng.bits(), first.rng.bits()] == [again.rng.bits(), again.rng.bits()]
    other = msgspec.structs.replace(first, rejected=(Decision("x"),))
    assert other.rng.bits() != view(7).rng.bits()
