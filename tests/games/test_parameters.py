"""Parameters are checked against the annotations of a factory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from games import InputError, plugins
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


def bounded(seats=2, rounds=None, rate=0.5, noise="off"):
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
