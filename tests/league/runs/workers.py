"""Results that three workers played, one of which weakens a player."""

import random

import msgspec

from tests.league.ratings.factories import POKER, ZERO, result


def log(matches=900, game=ZERO, seed=0, weak="w2"):
    """Four equal players; on the worker `weak` player `a` loses more."""
    rng, results = random.Random(seed), []
    for index in range(matches):
        first, second = rng.sample("abcd", 2)
        worker = rng.choice(["w0", "w1", "w2"])
        p = 0.5
        if worker == weak and "a" in (first, second):
            p = 0.2 if first == "a" else 0.8
        size = rng.choice([1.0, 2.0]) if game == POKER else 1.0
        won = size if rng.random() < p else -size
        results.append(msgspec.structs.replace(result(index, (first, second), (won, -won), game), worker=worker))
    return results
