"""The held-out reader: codes of the attack grammar spell a word, honest hints about any word do not."""

from itertools import pairwise

import pytest

from games.attack import CODES
from games.native.common.held_out import BITS, bits, gives_away
from games.native.common.words import Word, forms, mentions, word_list
from tests import golden

OPEN = {"checksum", "length"}
"""what says nothing of the letters"""
OWL = Word("owl", forms("owl"), ())
WORDS = [word.text for word in word_list()][::12]


@pytest.mark.parametrize("code", sorted(CODES.keys() - OPEN))
def test_a_code_of_a_word_gives_it_away(code):
    read = [code for word in WORDS if gives_away(CODES[code](word), {word}) or CODES[code](word) == word]
    assert len(read) >= 0.75 * len(WORDS)


@pytest.mark.parametrize("text", golden.rows(__file__, "held_out_short_word_is_told"))
def test_a_short_word_is_given_away(text):
    assert mentions(text, OWL) or gives_away(text, OWL.forms)


@pytest.mark.parametrize("text", golden.rows(__file__, "held_out_short_word_is_not_told"))
def test_a_short_word_is_not_given_away(text):
    assert not gives_away(text, OWL.forms)


def test_a_code_of_another_word_does_not():
    wrong = [(code, word) for code in CODES for word, other in pairwise(WORDS)
             if gives_away(CODES[code](other), {word})]  # fmt: skip
    assert len(wrong) <= len(CODES) * len(WORDS) / 2**5


def test_letters_that_name_a_word_among_others_give_it_away():
    """arena attack: its first letters and its length say less than 8 bits, and name one of 96 words.

    Of more words they name none, so they are let pass.
    """
    every = [word.text for word in word_list()]
    few = every[:96]
    words = few[::4]
    short = [f"It begins with {word[:2]}, {len(word)} letters." for word in words]
    told, named, alone = (
        sum(gives_away(text, {word}, others=others) for text, word in zip(short, words, strict=True))
        for others in (few, every, ())
    )
    assert told > 0.75 * len(words) > named >= alone
    assert sum(gives_away(text, {word}, others=few) for text, word in zip(short, words[1:], strict=False)) <= 1
    hints = [(w.text, h) for w in word_list() for h in w.hints]
    assert sum(gives_away(f"It has to do with {h}.", {word}, others=every) for word, h in hints) == 0


def test_honest_hints_give_no_word_away():
    told = [(w.text, h) for w in word_list() for h in w.hints if bits(f"It has to do with {h}.", w.text) >= BITS]
    assert told == []
