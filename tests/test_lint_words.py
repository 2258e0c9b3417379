"""The lint of names: which names it counts, and how it compares them with the allowances."""

import ast
import sys
from pathlib import Path

import pytest

from tests import golden

SOURCE = golden.text(__file__, "lint_words_source.py.txt")


@pytest.fixture
def lint(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "scripts"))
    import lint_words

    yield lint_words
    sys.modules.pop("lint_words")


def test_the_lint_counts_every_bound_participle_and_no_name_that_is_only_read(lint):
    names = {name for name, _ in lint.bound_names(ast.parse(SOURCE)) if lint.is_participle(name)}
    assert names == {"told", "mine", "_seen", "known_", "own", "met", "given", "due", "wanted", "shown", "said"}


def test_a_package_above_its_allowance_is_an_error_and_one_below_can_lower_it(lint):
    names = {"games": ["games/a.py:1: found", "games/a.py:2: own"], "roles": ["roles/b.py:3: seen"]}
    assert lint.excess(names, {"games": 1, "roles": 2})[1:] == ["  games/a.py:1: found", "  games/a.py:2: own"]
    assert not lint.excess(names, {"games": 2, "roles": 1})
    (line,) = lint.slack({"games": 2, "roles": 1}, {"games": 2, "roles": 2})
    assert "from 2 to 1" in line
