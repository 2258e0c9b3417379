"""The common start of two sequences."""

import pytest

from arena.common_prefix import common_prefix


@pytest.mark.parametrize(
    ("a", "b", "n"), [("", "", 0), ("abc", "abd", 2), ("abc", "abc", 3), ("abc", "ab", 2), ("x", "y", 0)]
)
def test_common_prefix(a, b, n):
    assert common_prefix(a, b) == n
