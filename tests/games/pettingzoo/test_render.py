"""Rendered observations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from games.pettingzoo.render import LIMIT, render


@pytest.mark.parametrize(
    ("observation", "text"),
    [
        (np.int64(3), "3"),
        (np.array(2.5), "2.5"),
        (np.array([1.0, 0.25]), "[1.   0.25]"),
        (np.array([[True, False]]), "shape (1, 2)\n[[1 0]]"),
        ("You see a door.", "You see a door."),
        (None, "None"),
        ({"observation": np.array([1, 2]), "action_mask": np.ones(2)}, "[1 2]"),
        ({"hand": 3, "board": np.zeros((1, 2), int)}, "hand: 3\nboard:\nshape (1, 2)\n[[0 0]]"),
        ((1, "two"), "0: 1\n1: two"),
        (object(), "a object"),
    ],
)
def test_small_observations_in_full(observation, text):
    assert render(observation) == text


def test_an_image_is_a_coarse_grid():
    image = np.zeros((80, 160, 3), np.uint8)
    image[:40, 80:] = 255
    lines = render(image).split("\n")
    assert lines[0].startswith("an image of 160 x 80 pixels, mean colour (64, 64, 64)")
    assert lines[1:] == ["0 0 0 0 9 9 9 9"] * 4 + ["0 0 0 0 0 0 0 0"] * 4


def test_a_large_array_is_summarised():
    array = np.arange(8000.0).reshape(20, 20, 20)
    assert render(array) == (
        "an array of shape (20, 20, 20): from 0 to 7999, mean 4000, 7999 of 8000 not zero; the first 8: 0 1 2 3 4 5 6 7"
    )


def test_a_long_text_is_cut_where_it_says_so():
    text = render("x" * (LIMIT + 100))
    assert len(text) <= LIMIT
    assert text.endswith("\n... (140 more characters)")


@given(
    st.recursive(
        st.one_of(
            st.none(),
            st.integers(),
            st.text(max_size=50),
            hnp.arrays(
                st.sampled_from([np.uint8, np.int64, np.float32, np.bool_]),
                hnp.array_shapes(max_dims=4, max_side=12),
                elements={"allow_nan": False, "allow_infinity": False},
            ),
        ),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
        max_leaves=4,
    )
)
def test_any_observation_is_bounded_and_reads_the_same_twice(observation):
    text = render(observation)
    assert len(text) <= LIMIT
    assert text == render(observation)
