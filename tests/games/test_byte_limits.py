"""Limits of texts are in bytes of UTF-8, which bound the tokens of a reader; rare characters buy no longer message."""

import pytest

import games
from arena.players.behaviour_tree.parser import BadTree, parse_tree
from games import IllegalAction
from games.dialogue.messages import check_message
from games.quoting import byte_length
from games.verifiers.plain_data import NotPlain, literal


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
