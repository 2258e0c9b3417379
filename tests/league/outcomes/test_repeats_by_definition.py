"""`evidence_since` agrees with the definition of a repeat, seen from every place in the plan."""

import random

import numpy as np
import pytest

from league.outcomes.repeats import NEVER, evidence_since
from league.records.matches import CELL


def is_repeat(matches, at, cell, transcript, until):
    """The match is in a cell with one transcript, and not the cell's first."""
    there = [(n, t) for n, c, t in matches if c == cell and t and n <= until]
    return bool(transcript) and len({t for _, t in there}) == 1 and min(there)[0] < at


@pytest.mark.parametrize("seed", range(200))
def test_every_state(seed):
    rng = random.Random(seed)
    matches = [(n, rng.randrange(3), rng.choice([0, 1, 1, 1, 1, 2])) for n in range(rng.randrange(1, 12))]
    at, cell, move = np.array(matches, np.int64).T
    transcript, chance = np.where(move, (1 + cell // 2) << CELL | move, 0), np.ones(len(at), bool)
    since = evidence_since(at, transcript, cell % 2, chance)
    for (n, c, t), first in zip(matches, since.tolist(), strict=True):
        for until in (*range(n, len(matches)), NEVER - 1):
            assert is_repeat(matches, n, c, t, until) == (until < first)
    alike = evidence_since(at, transcript, np.arange(len(at)), ~chance)  # without chance, seeds decide nothing
    assert (alike == evidence_since(at, transcript, np.zeros_like(at), chance)).all()
