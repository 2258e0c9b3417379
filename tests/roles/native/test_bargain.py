"""The roles of bargain-v1: prompts and parsing."""

import pytest

import games
import roles
from roles import Memory
from tests import golden


@pytest.mark.parametrize(
    ("text", "message"), golden.rows(__file__, "bargain_a_marked_answer_or_the_whole_reply_is_the_message")
)
def test_a_marked_answer_or_the_whole_reply_is_the_message(text, message):
    assert roles.make("seller").parse(text, None) == message


def test_each_side_is_told_the_forms_and_shown_messages():
    game = games.make("bargain-v1")
    game.reset(0)
    for seat in ("seller", "buyer"):
        chat = roles.make(seat).messages(game.observe(seat), None, Memory(game.spec, seat))
        assert "offer PRICE: words" in chat[0]["content"].splitlines()[-1]
        assert [m["content"].partition(":")[0] for m in chat if m["role"] == "assistant"] == ["offer 70", "offer 35"]
