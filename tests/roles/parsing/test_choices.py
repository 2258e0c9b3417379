"""Choices of legal actions and offers of a bargain are read as a person reads them, or refused; none is inverted."""

from collections import Counter

import pytest

import roles
from games.errors import IllegalAction
from games.native.bargain.messages import understood
from roles import ParseError
from roles.parsing import parse
from tests import golden
from tests.roles.parsing.styled_choices import GAMES, choices
from tests.roles.parsing.unseen_styles import STYLES


def _deal(message):
    read = understood("seller", message, True)
    return read.verb, read.price


def reading(game, text):
    """What the game understands; None if the role or the game refuses it."""
    try:
        if game == "bargain":
            return _deal(roles.make("seller").parse(text, None))
        return parse(text, GAMES[game])
    except (ParseError, IllegalAction):
        return None


@pytest.mark.parametrize("seed", [0, 1])
def test_a_corpus_of_choices_has_no_inversion(seed):
    """Of about 480 clear answers 24 are refused; a correction without a mark is read as it is meant, or refused."""
    clear, unread, unclear = Counter(), Counter(), 0
    for choice in choices(600, seed):
        answer = reading(choice.game, choice.text)
        action = _deal(choice.action) if choice.game == "bargain" else choice.action
        assert answer in (action, None), (choice, answer)
        clear[choice.game] += not choice.unclear
        unread[choice.game] += not choice.unclear and answer is None
        unclear += choice.unclear
    assert clear.keys() == GAMES.keys()
    assert unread.total() <= 24, unread
    assert all(6 * unread[game] <= count for game, count in clear.items()), unread
    assert unclear >= 60


@pytest.mark.parametrize(
    ("game", "action", "other"),
    [("kuhn", "Bet", "Pass"), ("connect four", "column 4", "column 2"), ("chess", "e2e4", "g1f3"), ("cells", "4", "7")],
)
def test_styles_that_the_reader_was_not_written_for(game, action, other):
    """Read as a person reads them, or refused; most of them read."""
    words = {"v": action, "o": other, "n": "move", "N": "Move", "who": "The opponent"}
    words |= {"s": f"the best move is {action}", "t": f"the best move is {other}"}
    words |= {"last v": action, "last o": other}
    words |= {"V": action[:1].upper() + action[1:], "O": other[:1].upper() + other[1:]}
    refused = [style for style, label in STYLES if label and reading(game, style.format(**words)) is None]
    for style, label in STYLES:
        answer = reading(game, style.format(**words))
        assert answer in (label and words[label], None), style
    assert len(refused) <= 15, refused  # of 143


@pytest.mark.parametrize(
    ("text", "legal", "action"), golden.rows(__file__, "choices_what_stands_beside_an_answer_does_not_replace_it")
)
def test_what_stands_beside_an_answer_does_not_replace_it(text, legal, action):
    assert parse(text, legal) == action


@pytest.mark.parametrize(("text", "legal"), golden.rows(__file__, "choices_a_withdrawn_or_foreign_answer_is_refused"))
def test_a_withdrawn_or_foreign_answer_is_refused(text, legal):
    with pytest.raises(ParseError):
        parse(text, legal)


@pytest.mark.parametrize(
    ("text", "legal", "action"),
    [
        ("paris", GAMES["cities"], "Paris"),
        ("Answer: new york", GAMES["cities"], "New York"),
        ("YES", GAMES["questions"], "Yes"),
        ("\\boxed{no}", GAMES["questions"], "No"),
        ("LIMA", ("Paris", "lima"), "lima"),
        ("bxc3", GAMES["chess in letters"], "bxc3"),
    ],
)
def test_the_case_of_a_word_has_no_meaning(text, legal, action):
    assert parse(text, legal) == action


@pytest.mark.parametrize(("text", "legal"), [("bxc3", ("Bxc3", "e4")), ("B", ("b", "Nf3")), ("bet", ("BET", "Bet"))])
def test_where_case_has_a_meaning_it_is_kept(text, legal):
    with pytest.raises(ParseError):
        parse(text, legal)


@pytest.mark.parametrize(
    ("text", "message"), golden.rows(__file__, "choices_the_message_of_a_bargain_is_the_strongest_one")
)
def test_the_message_of_a_bargain_is_the_strongest_one(text, message):
    assert roles.make("buyer").parse(text, None) == message


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{offer 60: Fair.} Sorry, offer 50.",
        "Final answer: accept\n\nHmm, reject.",
        "accept: Fine. Make that reject",
        "accept: Make that reject",
        "offer 60: It is new. Sorry, accept: Fine.",
    ],
)
def test_a_withdrawn_message_of_a_bargain_is_refused(text):
    assert reading("bargain", text) is None
