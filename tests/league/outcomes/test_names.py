"""HashTable are numbered as they come, as in a dictionary, whatever places they want."""

import numpy as np
import pytest

from league.outcomes.names import HashTable


@pytest.mark.parametrize("spread", [1, 1 << 10, (1 << 61) // 5000])
def test_names_have_the_numbers_that_a_dictionary_gives(spread):
    """With a spread of 1,024 all names want one place of the first table."""
    rng, names, numbers = np.random.default_rng(3), HashTable(), {}
    for _ in range(40):
        some = rng.choice(5000, 300, replace=False) * spread
        before = len(numbers)
        out, new = names.numbers(some, before)
        listed = some.tolist()
        assert [listed[place] for place in new] == [name for name in listed if name not in numbers]
        assert out.tolist() == [numbers.setdefault(name, len(numbers)) for name in listed]
    assert len(numbers) > 4000
    assert names.numbers(np.zeros(0, np.int64), 9)[0].shape == (0,)


@pytest.mark.parametrize("names", [[5, 9, 5], [3, -1]])
def test_names_that_no_arena_wrote_are_refused(names):
    with pytest.raises(ValueError, match="a name"):
        HashTable().numbers(np.array(names), 0)
