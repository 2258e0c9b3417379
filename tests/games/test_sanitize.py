"""Sanitizing text from outside, for storage and for terminals."""

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Observation
from games.sanitize import clean, cleaned, hidden, one_line, printable, printable_json, spreadsheet_cell
from tests import golden

HARMFUL = golden.table(__file__, "sanitize_harmful")


@pytest.mark.parametrize("text", HARMFUL.values(), ids=HARMFUL.keys())
def test_what_harms_is_neither_kept_nor_shown(text):
    kept, shown = clean(f"a{text}b"), printable(f"a{text}b")
    assert kept != f"a{text}b"
    assert clean(kept) == kept
    kept.encode()
    assert shown.isprintable()
    assert shown.startswith("a\\")
    assert shown.endswith("b")
    assert hidden(f"a{text}b") == f"U+{ord(text[0]):04X}"


@pytest.mark.parametrize(
    "text", ["", "plain", "two\nlines\tand a tab", "día 日本 👍 ❤️ שלום €", "\u3000wide\u00a0space"]
)
def test_honest_text_stays(text):
    assert clean(text) == text
    assert printable(text, lines=True) == text


def test_line_breaks_of_every_kind_are_one_kind():
    assert clean("a\r\nb\rc\x85d\u2028e\x0bf") == "a\nb\nc\nd\ne\nf"


def test_two_halves_of_a_pair_are_joined():
    assert clean("\ud83d\ude00 \ude00\ud83d") == "😀 \ufffd\ufffd"


def test_a_run_of_selectors_that_hides_bytes_is_dropped():
    assert clean("❤" + "\ufe0f\ufe01\ufe0f") == "❤"


def test_data_is_cleaned_with_its_keys():
    assert cleaned({"a\x00": ["\u202eb", 1, None, {"c": ("d\x1b",)}]}) == {"a": ["b", 1, None, {"c": ("d",)}]}


def test_a_line_is_short_and_whole():
    assert one_line("a\n\n  b\x1b", 20) == "a b\\x1b"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"


@given(st.text(st.characters(categories=None)))
def test_any_text_is_safe_behind_the_gate(text):
    kept = clean(text)
    kept.encode()
    assert not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in kept if c not in "\n\t")
    assert clean(kept) == kept
    assert not any(unicodedata.category(c)[0] == "C" for c in printable(text))
    shown = printable_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(shown) == text
    assert printable(shown) == shown


def test_every_character_that_does_not_show_is_escaped():
    bad = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    for code in (*range(0x3200), *range(0xD7F0, 0x11200), *range(0xDFFF0, 0xE0200), sys.maxunicode):
        c = chr(code)
        if unicodedata.category(c) in bad:
            assert printable(c).isascii(), hex(code)


@given(st.text())
def test_an_observation_holds_clean_text(text):
    assert Observation(text).text == clean(text)


FORMULA = "cmd|' /C calc'!A0"


@pytest.mark.parametrize("before", ["", " ", "x;", "x; ", 'x;"', "\t"])
@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20")
def test_a_spreadsheet_runs_no_text(before, sign):
    for cell in spreadsheet_cell(f"{before}{sign}{FORMULA}").split(";"):  # some countries' separator
        assert cell.strip(' "')[0] not in "=+-@\uff1d\uff0b\uff0d\uff20"


@pytest.mark.parametrize("text", ["mcts-100", "openai(model=m)", "a; b", "x@5", "by-role(a=b; c=d)", ""])
def test_other_cells_stay_as_they_are(text):
    assert spreadsheet_cell(text) == text
