"""What is told of a factory's parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import pytest
from annotated_types import Interval

from games import UnknownName, registry
from games.parameter_info import ParameterInfo, parameters_of, split_doc


class Base:
    """Looks. It visits `width` children at each node."""


class Search(Base):
    """Looks ahead.

    depth: how far, in
        turns
    `style`: bold or not. Not an entry: this is text of `style`.

    It is deterministic.
    """

    def __init__(
        self,
        config: object,
        depth: Annotated[int, Interval(ge=1, le=8)],
        width: int = 3,
        style: Literal["bold", "calm"] = "calm",
        seed: int | None = None,
        reader: Callable[[], str] = input,
        **more: float,
    ) -> None:
        pass


def test_types_bounds_defaults_and_words_of_the_docstrings():
    assert parameters_of(Search, ["config"]) == [
        ParameterInfo("depth", "a whole number from 1 to 8", None, True, "how far, in turns"),
        ParameterInfo("width", "a whole number", 3, False, "It visits `width` children at each node."),
        ParameterInfo("style", "bold or calm", "calm", False, "bold or not. Not an entry: this is text of `style`."),
        ParameterInfo("seed", "a whole number", None, False, ""),
        ParameterInfo("more...", "a number", None, False, ""),
    ]


def test_the_docstring_keeps_what_is_not_about_a_parameter():
    parts = split_doc("Looks ahead.\n\ndepth: how far.\n\nIt is\ndeterministic.", ["depth"])
    assert parts == ("Looks ahead.\n\nIt is deterministic.", {"depth": "how far."})
    assert split_doc("low, `high`: the bounds.", ["low", "high"]).parameters == dict.fromkeys(
        ("low", "high"), "the bounds."
    )
    assert split_doc("Looks ahead. depth:\nhow far.", ["depth"]).parameters == {"depth": "how far."}
    assert split_doc("depth: how far.", []) == ("depth: how far.", {})
    assert split_doc("", ["depth"]) == ("", {})


def test_a_builtin_without_a_signature_has_no_parameters():
    assert parameters_of(type("Made", (), {"__signature__": 3})) == []


def test_parameters_of_collections():
    (players,) = registry.parameters_of_game("openspiel/kuhn_poker(players=3)")
    assert players == ParameterInfo("players", "a whole number from 2 to 10", 2)
    names = [p.name for p in registry.parameters_of_game("pettingzoo/connect_four")]
    assert names[-2:] == ["max_turns", "payoff"]
    assert "rng_seed" not in [p.name for p in registry.parameters_of_game("openspiel/deep_sea")]
    with pytest.raises(UnknownName, match="kuhn_poker"):
        registry.parameters_of_game("openspiel/kuhn_pokr")


def test_sources_of_games():
    assert str(registry.source_of("openspiel/kuhn_poker")).startswith("package open_spiel ")
    assert registry.source_of("pettingzoo/tictactoe") == "pettingzoo.classic.tictactoe.tictactoe:raw_env"
    entry = registry.source_of("bargain-v1(rounds=3)")
    assert getattr(entry, "name", "") == "bargain-v1"
    with pytest.raises(UnknownName):
        registry.source_of("nowhere/x")
