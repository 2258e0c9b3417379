"""Parameters of games: reading, checking and describing them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Interval, Le, Lt

from games import InputError, UnknownName, plugins, registry
from games.parameter_info import ParameterInfo, parameters_of, split_doc
from games.parameters import canonical, in_words

if TYPE_CHECKING:
    from decimal import Decimal


class Thing:
    def __init__(
        self,
        whole: int = 1,
        share: float | None = 0.5,
        flag: bool = False,
        text: str = "",
        kind: Literal["a", "b"] | None = None,
        size: int | Literal["auto"] = 1,
        folder: Path | str = "",
        other: Path = Path(),
        anything: Any = None,
        bare=None,
        **more: int,
    ) -> None:
        self.given = {k: v for k, v in locals().items() if k not in ("self", "more")} | more


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("whole", -3), ("share", 2), ("share", float("inf")), ("flag", True), ("text", "5"), ("kind", "b"),
        ("size", "auto"), ("size", 4), ("folder", "x"), ("other", "x"), ("anything", 5), ("bare", "x"), ("new", "x"),
    ],
)  # fmt: skip
def test_what_fits_is_passed_on_as_it_is(key, value):
    assert plugins.call("thing", "thing", Thing, {key: value}).given[key] is value


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("whole", 1.0, "thing(whole=1.0): whole must be a whole number"),
        ("whole", True, "thing(whole=True): whole must be a whole number"),
        ("whole", "abc", "thing(whole='abc'): whole must be a whole number"),
        ("share", "abc", "thing(share='abc'): share must be a number"),
        ("share", True, "thing(share=True): share must be a number"),
        ("share", float("nan"), "thing(share=nan): share must be a number"),
        ("flag", 1, "thing(flag=1): flag must be true or false"),
        ("text", 5, "thing(text=5): text must be text; write text='5'"),
        ("kind", "c", "thing(kind='c'): kind must be a or b"),
        ("kind", 1, "thing(kind=1): kind must be a or b"),
        ("size", "all", "thing(size='all'): size must be a whole number or auto"),
        ("folder", 5, "thing(folder=5): folder must be text; write folder='5'"),
    ],
)
def test_what_does_not_fit_is_one_line(key, value, said):
    with pytest.raises(InputError) as caught:
        plugins.call("thing", "thing", Thing, {key: value})
    assert str(caught.value) == said


def test_what_the_caller_adds_is_not_judged_and_neither_is_a_name_that_cannot_be_looked_up():
    def factory(config: Thing, amount: Decimal = 1) -> object:  # type: ignore[assignment]
        return config, amount

    thing = Thing()
    assert plugins.call("thing", "f", factory, {"config": thing, "amount": "x"}) == (thing, "x")


def bounded(
    seats: Annotated[int, Interval(ge=2, le=8)] = 2,
    rounds: Annotated[int, Ge(1)] | None = None,
    rate: Annotated[float, Gt(0), Le(1)] = 0.5,
    noise: Annotated[float, Lt(1)] | Literal["off"] = "off",
):
    return locals()


@pytest.mark.parametrize(
    ("key", "value"),
    [("seats", 2), ("seats", 8), ("rounds", 1), ("rate", 1), ("rate", 0.1), ("noise", -3), ("noise", "off")],
)
def test_a_number_within_its_bounds_is_accepted(key, value):
    assert plugins.call("thing", "thing", bounded, {key: value})[key] == value


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("seats", 1, "seats must be a whole number from 2 to 8"),
        ("seats", 9, "seats must be a whole number from 2 to 8"),
        ("seats", 2.0, "seats must be a whole number from 2 to 8"),
        ("rounds", 0, "rounds must be a whole number >= 1"),
        ("rate", 0, "rate must be a number > 0 and <= 1"),
        ("rate", 1.5, "rate must be a number > 0 and <= 1"),
        ("rate", float("nan"), "rate must be a number > 0 and <= 1"),
        ("noise", 1, "noise must be a number < 1 or off"),
    ],
)
def test_a_number_out_of_bounds_is_refused(key, value, said):
    with pytest.raises(InputError) as caught:
        plugins.call("thing", "thing", bounded, {key: value})
    assert str(caught.value) == f"thing({key}={value!r}): {said}"


def test_bounds_do_not_change_the_canonical_form():
    assert canonical(bounded, {"rate": 1, "seats": 2, "rounds": 3}) == {"rounds": 3, "rate": 1.0}


def test_a_choice_that_may_be_empty_is_said_in_words():
    assert in_words(Literal["", "seller", "buyer"]) == "seller, buyer or nothing ('')"
    assert in_words(Literal["seller", "buyer"]) == "seller or buyer"


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
    assert names[-3:] == ["max_turns", "payoff", "returns_range"]
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
