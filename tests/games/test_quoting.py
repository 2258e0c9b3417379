"""`quote` turns any message into one harmless quoted line."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.quoting import MAX_BYTES, quote
from tests import golden

TABLE = golden.rows(__file__, "quoting_table")


@pytest.mark.parametrize(("said", "shown"), TABLE, ids=range(len(TABLE)))
def test_hostile_table(said, shown):
    assert quote(said) == shown


def test_long_text_is_cut_and_stays_fast_on_a_million_tags():
    assert quote("x" * 5000) == '"' + "x" * (MAX_BYTES - 3) + '…"'
    assert quote("<think>" * 200_000) == '""'
    assert quote("</think>" * 200_000 + "ok") == '"ok"'


def test_limit_counts_bytes_between_the_quotes():
    assert quote("abcdef", limit=6) == '"abcdef"'
    assert quote("abcdefg", limit=6) == '"abc…"'
    assert quote("ééé", limit=6) == '"ééé"'
    assert quote("éééé", limit=6) == '"é…"'
    assert quote("\U00012000" * 2, limit=7) == '"\U00012000…"'
    assert quote("\ufdfa" * 100_000, limit=60).endswith('…"')


@pytest.mark.parametrize("character", ["a", "é", "漢", "\U00012000", "<", "\ufdfa", "a\u0301"])
def test_no_writer_can_make_a_quotation_of_more_bytes(character):
    assert 594 < len(quote(character * 4000).encode()) <= MAX_BYTES + 2


TAGS = ["<think>", "</think>", "<|im_start|>", "[GAME]", "[", "]", "<", ">", "＜"]
PIECES = st.sampled_from([*TAGS, '"', "\n", "\u2028", "player_1: "])
HOSTILE = st.lists(PIECES | st.text(max_size=8), max_size=20).map("".join)


@given(HOSTILE | st.text())
@example("\u037e\ufb1d<\u0338")
def test_any_text_becomes_one_line_without_tags(text):
    shown = quote(text)
    assert shown[0] == shown[-1] == '"'
    inside = shown[1:-1]
    assert len(inside.encode()) <= MAX_BYTES
    assert not set('<>[]"') & set(inside)
    assert inside == " ".join(inside.split())
    assert len(shown.splitlines()) == 1
    assert not {unicodedata.category(c) for c in inside} & {"Cc", "Cf", "Cs", "Co"}
    shown.encode()


@given(HOSTILE)
def test_what_is_said_between_think_tags_never_shows(text):
    assert "zebra" not in quote(f"{text}<think>zebra</think>")
    assert "zebra" not in quote(f"zebra</think>{text.replace('<think', '')}")


@given(st.text(alphabet=st.characters(categories=["Ll", "Lu", "Nd"], max_codepoint=0x7F), max_size=60))
def test_plain_words_are_unchanged(words):
    assert quote(words) == f'"{words}"'
