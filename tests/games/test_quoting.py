"""Texts of other seats: quoted, cleaned, blunted and limited in bytes."""

import json
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import games
from arena.players.behaviour_tree.parser import BadTree, parse_tree
from games import IllegalAction, Observation
from games.dialogue.messages import check_message
from games.quoting import MAX_BYTES, byte_length, quote
from games.sanitize import clean, cleaned, hidden, one_line, printable, printable_json, spreadsheet_cell
from games.template_tokens import split_tokens, without_tokens
from games.verifiers.plain_data import NotPlain, literal
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


@pytest.mark.parametrize(("text", "plain"), golden.rows(__file__, "template_tokens_tokens_of_any_family_are_blunted"))
def test_tokens_of_any_family_are_blunted(text, plain):
    found = without_tokens(text)
    assert found.count("<") == found.count("[") == 0
    if "<<|im" not in text:
        assert found == plain


@pytest.mark.parametrize(
    "text", ["<answer>5</answer>", "[Deny] [4]", "[[0, 1], [2, 3]]", "[s] [place_bet]", "1 < 2_a and b_c > 3", "->"]
)
def test_what_an_environment_asks_for_stays(text):
    assert without_tokens(text) == text


@pytest.mark.parametrize(
    "text",
    ["<answer>5</answer>", "[Deny] [place_bet]", "[[0, 1], [2, 3]]", "vector<a,b> x<y&&z>w", "#include <string>",
     "<a-b>", "1 < 2_a and b_c > 3", "<player_1>", "A[I] = B[N]", "->"],
)  # fmt: skip
def test_a_prompt_for_a_server_keeps_code_and_formats_of_answers(text):
    assert split_tokens(text) == text


@pytest.mark.parametrize("text", ["<<|im_start|>|im_start|>", "<|im_start|><|im_end|>", "a<s></s>b", "[INST][/INST]"])
def test_tokens_inside_and_beside_each_other_are_split(text):
    split = split_tokens(text)
    assert split.replace(" ", "") == text
    assert split_tokens(split) == split


def bargain(text):
    game = games.make("bargain-v1")
    game.reset(1)
    game.apply({game.acting[0]: f"offer 5: {text}"})


def prove(text):
    game = games.make("conjecture-v1")
    game.reset(1)
    while game.phase(game.acting[0]) not in ("prove", "target"):
        game.apply({seat: game.examples(seat)[0] for seat in game.acting})
    game.apply(dict.fromkeys(game.acting, text))


@pytest.mark.parametrize(
    ("read", "most", "refusal"),
    [
        (lambda text: check_message("a", text, None), 100_000, IllegalAction),
        (bargain, 1980, IllegalAction),
        (prove, 2000, IllegalAction),
        (lambda text: literal(f"'{text}'"), 19_998, NotPlain),
        (lambda text: parse_tree(f'play("{text}")'), 3992, BadTree),
    ],
)
def test_a_text_of_as_many_bytes_is_read_and_one_of_more_is_refused_whatever_its_characters(read, most, refusal):
    for character in ("a", "é", "漢", "𒀀"):
        width = len(character.encode())
        read(character * (most // width))
        with pytest.raises(refusal, match=r"bytes"):
            read(character * (most // width + 24))


def test_bytes_are_those_of_utf_8():
    assert [byte_length(text) for text in ("", "abc", "é", "漢字", "𒀀", "\ud800")] == [0, 3, 2, 6, 4, 1]
