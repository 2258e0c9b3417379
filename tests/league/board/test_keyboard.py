import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.board.keyboard import Click, Key, KeyParser, Wheel
from league.board.keys import BINDINGS, COMMANDS


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"jq?", ["j", "q", "?"]),
        (b"\x1b[A\x1bOA\x1b[B", ["up", "up", "down"]),
        (b"\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[1~\x1bOF", ["pageup", "pagedown", "home", "end", "home", "end"]),
        (b"\r\n\t\x1b[Z\x7f", ["enter", "enter", "tab", "s-tab", "backspace"]),
        ("é".encode(), ["é"]),
        (b"\x1bOP", ["f1"]),
    ],
)
def test_keys(data, names):
    assert KeyParser().feed(data) == [Key(name) for name in names]


def test_the_mouse_reports_presses_and_the_wheel_and_nothing_else():
    parser = KeyParser()
    assert parser.feed(b"\x1b[<0;12;5M\x1b[<0;12;5m") == [Click(11, 4)]
    assert parser.feed(b"\x1b[<64;1;1M\x1b[<65;200;60M") == [Wheel(-1), Wheel(1)]
    assert parser.feed(b"\x1b[<2;12;5M\x1b[<32;12;5M\x1b[<0;12M\x1b[M !!") == []


def test_escape_is_a_key_once_nothing_follows():
    parser = KeyParser()
    assert parser.feed(b"\x1b") == []
    assert parser.flush() == [Key("escape")]
    assert parser.feed(b"\x1b") == []
    assert parser.feed(b"[B") == [Key("down")], "the start of a sequence"


@pytest.mark.parametrize("data", [b"\x1b[200~q\ny\x1b[201~", b"\x1b[27;6;113~", b"\x1b[113;5u", b"\x1b[3;4R"])
def test_pasted_text_and_unknown_sequences_are_no_commands(data):
    parser = KeyParser()
    assert parser.feed(data) + parser.flush() == []
    assert parser.feed(b"j") == [Key("j")]


@given(st.binary(max_size=60), st.integers(0, 60))
def test_any_bytes_in_any_pieces_are_read(data, cut):
    parser = KeyParser()
    for piece in (data[:cut], data[cut:]):
        assert all(isinstance(event, Key | Click | Wheel) for event in parser.feed(piece))
    parser.flush()


def test_each_key_has_one_command():
    assert len(COMMANDS) == sum(len(binding.keys) for binding in BINDINGS)
