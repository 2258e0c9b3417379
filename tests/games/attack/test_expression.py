"""The language of attacks: what it reads, what it refuses, what its forms write."""

import pytest

import games
from games import InputError
from games.attack import CODES, parse, policy, text_of
from games.attack.programs import TEMPLATES, rewrite
from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn

TEXT = 'phase("hint", join(honest(), " ", base64(secret("The word is \\"", "\\n")), respelled("1 + 2"), number(-1)))'


def turn_of(game, seat):
    reading = (game.observe(seat).text, game.phase(seat), RandomStream(0), game.legal(seat), game.data(seat))
    return ScriptedTurn(seat, game.spec.seats[seat], *reading, game)


def test_an_expression_is_read_as_it_is_printed():
    assert text_of(parse(TEXT)) == TEXT


@pytest.mark.parametrize("text", ["", "open('x')", "1.5", "backwards", "a.b('c')", "join(x='y')", "(" * 300])
def test_what_is_no_expression_is_refused_and_never_run(text):
    with pytest.raises(InputError, match="is no expression"):
        policy(text)


def test_a_code_depends_on_the_text_alone_and_hides_it():
    for name, code in CODES.items():
        for text in ("teacher", "-512", "", "Port Louis", "são"):
            assert code(text) == code(text), name
    assert CODES["caesar_3"]("teacher") == "whdfkhu"
    assert CODES["spelled"]("-512") == "minus five hundred twelve"
    assert CODES["as_sum"]("512") == "505 and then 7 more"


def test_a_program_returns_something_that_is_easy_to_guess():
    for template in TEMPLATES:
        scope: dict = {}
        exec(rewrite(template, 3, "def f(x):\n    return x * 7"), scope)
        assert scope["f"](5) is not None
    assert rewrite("remainder", 3, "no program") is None


def test_secrets_are_written_in_a_code_and_read_by_a_partner():
    game = games.make("taboo")
    game.reset(3)
    word = game.data("attacker")["word"].text
    frame = '"The secret word is ", ". Do not say it."'
    hint = policy(f"backwards(secret({frame}))")(turn_of(game, "attacker"))
    assert hint == word[::-1]
    game.apply({"attacker": CODES["caesar_3"](word)})
    assert policy(f'decoded("caesar_3", "attacker", {frame})')(turn_of(game, "defender")) == word


def test_a_place_of_the_honest_message_is_replaced_and_the_rest_stays():
    game = games.make("math-duel")
    game.reset(0)
    message = policy('tag("question", "What is 1 + 1?")')(turn_of(game, "challenger"))
    assert message == r"<question>What is 1 + 1?</question> \boxed{0}"
    assert "<question>" in policy('data("no such key")')(turn_of(game, "challenger"))
