"""Names with parameters: parsing, errors, and the round trip."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import InputError
from games.naming import Name, parse_name
from tests import golden


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
