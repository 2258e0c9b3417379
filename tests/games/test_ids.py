"""Names and canonical ids of games."""

import inspect
from importlib import import_module
from typing import Literal, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games import InputError, MissingPackage, plugins
from games.naming import Name, parse_name
from games.native import NATIVE
from games.openspiel.catalog import WITH_PARAMETERS
from tests import golden

STONES = golden.text(__file__, "canonical_ids_stones.py.txt")


@pytest.fixture
def stones(tmp_path):
    file = tmp_path / "stones.py"
    file.write_text(STONES)
    plugins.load_file(file)


@pytest.mark.usefixtures("stones")
@pytest.mark.parametrize(("written", "id"), golden.rows(__file__, "canonical_ids_a_plugins_game_has_the_registrys_id"))
def test_a_plugins_game_has_the_registrys_id(written, id):
    game = games.make(written)
    again = games.make(id)
    assert game.spec.id == again.spec.id == id
    assert game.given == again.given  # type: ignore[attr-defined]
    assert [type(v) for v in game.given.values()] == [type(v) for v in again.given.values()]  # type: ignore[attr-defined]


@pytest.mark.usefixtures("stones")
def test_a_spec_that_cannot_be_set_is_refused_in_one_line():
    with pytest.raises(InputError, match=r"'fixed-v0' calls itself 'other-v0' and its spec cannot be set"):
        games.make("fixed-v0")


def _values(parameter):
    """A few values of a parameter's type other than its default."""
    for wanted in get_args(parameter.annotation) or (parameter.annotation,):
        if get_origin(wanted) is Literal:
            yield from get_args(wanted)
        elif isinstance(wanted, str):
            yield wanted
        elif wanted is bool:
            yield not parameter.default
        elif wanted is int:
            yield from ((parameter.default or 0) + n for n in (1, 2, -1))
        elif wanted is float:
            yield from (0.25, 1, 0.5)
    yield parameter.default


def _native():
    for base, target in NATIVE.items():
        module, _, attribute = target.partition(":")
        yield base
        for name, parameter in inspect.signature(
            getattr(import_module(module), attribute), eval_str=True
        ).parameters.items():
            for value in _values(parameter):
                yield str(Name(base, {name: value}))


def test_every_id_of_ours_makes_the_same_game_again():
    checked = set()
    for id in _native():
        try:
            game = games.make(id)
        except InputError:  # out of range, or requires another parameter
            continue
        again = games.make(game.spec.id)
        assert again.spec == game.spec, id
        assert parse_name(game.spec.id).base == parse_name(id).base
        checked.add(game.spec.id)
    assert set(NATIVE) - {"efg-v2", "starling-v1"} <= {parse_name(id).base for id in checked}
    assert len(checked) > 60


PARAMETERS = (
    "openspiel/kuhn_poker(players=2)",
    "openspiel/kuhn_poker(players = 3)",
    "openspiel/goofspiel(points_order=descending, num_cards=4, imp_info=true)",
    "openspiel/go(komi=7)",
    "openspiel/nim(pile_sizes='1;2;3')",
    *(f"openspiel/{id}" for id in WITH_PARAMETERS.values() if "filename" not in id),
)


def test_every_shipped_id_round_trips():
    for id in (*games.ids(), *PARAMETERS):
        try:
            game = games.make(id)
        except MissingPackage:
            continue
        again = games.make(game.spec.id)
        assert again.spec.id == game.spec.id, id
        if id in games.ids():
            assert game.spec.id == id


@pytest.mark.parametrize(("one", "other"), golden.rows(__file__, "ids_order_spacing_and_defaults_do_not_matter"))
def test_order_spacing_and_defaults_do_not_matter(one, other):
    assert games.make(one).spec.id == games.make(other).spec.id


@pytest.mark.parametrize(("text", "base", "params"), golden.rows(__file__, "naming_names_are_read"))
def test_names_are_read(text, base, params):
    name = parse_name(text)
    assert (name.base, dict(name.params)) == (base, params)
    assert parse_name(str(name)) == name


@pytest.mark.parametrize("text", ["", "(a=1)", "x(a=1", "x(1)", "x(a=1))", "x)(", "x(a=1) y", "x(a=1,a=2)", "x(a='1)"])
def test_broken_names_are_refused_in_one_line(text):
    with pytest.raises(InputError) as error:
        parse_name(text)
    assert "\n" not in str(error.value)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
        st.one_of(
            st.booleans(),
            st.integers(-(10**9), 10**9),
            st.floats(allow_nan=False, allow_infinity=False),
            st.text(
                st.characters(codec="ascii", exclude_characters="()[]'\",=\\", categories=("L", "N", "P")), max_size=9
            ),
        ),
        max_size=4,
    )
)
def test_the_canonical_form_reads_back(params):
    assert parse_name(str(Name("x", params))).params == params
