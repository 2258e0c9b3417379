"""A word given away without being said, and texts that do not give it away."""

import pytest

from games.native.common.tells import spells
from games.native.common.words import forms, word_list
from tests import golden

OWL = forms("owl")


@pytest.mark.parametrize("text", golden.rows(__file__, "tells_it_is_told"))
def test_it_is_told(text):
    assert spells(text, OWL)


@pytest.mark.parametrize("text", golden.rows(__file__, "tells_it_is_not_told"))
def test_it_is_not_told(text):
    assert not spells(text, OWL)


@pytest.mark.slow
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
