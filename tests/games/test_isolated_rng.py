"""The global generators as a game sees them."""

import numpy as np
import pytest

from games.isolated_rng import IsolatedGenerators


@pytest.mark.parametrize(
    "change",
    [
        lambda: np.random.seed(7),
        lambda: np.random.seed([1, 2, 3]),  # starts with the same word and index as every other seed of several numbers
        lambda: np.random.rand(),
        lambda: np.random.standard_normal(),
        lambda: np.random.bytes(4 * 624),  # all words anew, the same index
    ],
)
@pytest.mark.parametrize("before", [lambda: None, lambda: np.random.seed([4, 5]), np.random.standard_normal])
def test_a_rewind_undoes_whatever_was_done_to_numpys_generator(before, change):
    own = IsolatedGenerators(1)
    with own.active():
        before()
    with own.tried() as rewind:
        rewind()
        expected = np.random.standard_normal(700).tolist()
        for _ in range(2):
            rewind()
            change()
            rewind()
            assert np.random.standard_normal(700).tolist() == expected
