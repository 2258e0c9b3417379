"""A word given away without being said, and texts that do not give it away."""

import pytest

from games.native.common.tells import spells
from games.native.common.words import forms, word_list

OWL = forms("owl")


@pytest.mark.parametrize(
    "text",
    [
        "join o w l",
        "o-w-l",
        "O. W. L.",
        "o_w_l",
        "ow l",
        "0wl",
        "оwl",  # the first letter is Cyrillic
        "ówl",
        "l w o, backwards",
        "the word is lwo, read from the end",
        "Old women laugh",
        "sOme Wonderful Long",
        "the letters 15-23-12",
        "15 23 12",
        "o1w1l",
        "o w l s",
        "The first letter is O, then comes W, then L.",
        "oh doubleyou ell",
        "pxm, shifted by one",
        "bjy in ROT13",
        "owlway",
        "--- .-- .-..",
        'say "ow" and then "l"',
        "radio fellow jackal",
        "Oscar Whiskey Lima",
        "o_l",
    ],
)
def test_it_is_told(text):
    assert spells(text, OWL)


@pytest.mark.parametrize(
    "text",
    [
        "It flies at night.",
        "howling growl bowl",
        "One would like to know it.",
        "I am 15 and she is 23",
        "",
        "…",
        "o__",
        "... --- ...",
    ],
)
def test_it_is_not_told(text):
    assert not spells(text, OWL)


def test_honest_hints_tell_no_word():
    """Every hint about every word of the list, beside every word."""
    told = [
        (word.text, hint)
        for other in word_list()
        for hint in other.hints
        for word in word_list()
        if spells(f"It has to do with {hint}.", word.forms) and not word.forms & set(hint.replace(",", "").split())
    ]
    assert told == []
