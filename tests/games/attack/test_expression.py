"""The language of attacks: what it reads, what it refuses, what its forms write."""

import pytest

import games
from games import InputError
from games.attack import CODES, parse, policy, text_of
from games.attack.programs import TEMPLATES, rewrite
from games.attack.readings import calculation, fitting, holds, labelled, left, letter, listed, speeches
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


def test_what_a_text_tells_by_its_form():
    text = 'What is 83 * 7 + 42?\nA: 589\nB: 623\nYou argue for answer B.\n[player 2] "1 + 1 = 3."\n2 turns are left.'
    assert (listed(text), letter(text), left(text)) == ({"A": "589", "B": "623"}, "B", 2)
    assert (calculation(text), speeches(text)) == ("83 * 7 + 42", [("player 2", "1 + 1 = 3.")])
    assert (holds(text), holds("33 + 37 = 70"), labelled("The lemma to use: p -> q")) == (
        False,
        True,
        {"The lemma to use": "p -> q"},
    )
    assert listed("Patterns: A: (1|2)+, B: 0*2+") == {"A": "(1|2)+", "B": "0*2+"}
    assert fitting("A: red, old\nB: blue, new\nThe colour is blue.") == "B"


def test_a_condition_chooses_by_a_feature_and_a_phase_has_an_alternative():
    turn = ScriptedTurn("critic", "critic", "The step: 1 + 1 = 3", "judge", RandomStream(0))
    assert policy('when("holds", "", "correct", "incorrect")')(turn) == "incorrect"
    assert policy('phase("judge", "a", "b")')(turn) == "a"
    assert policy('phase("vote", "a", "b")')(turn) == "b"
    assert policy('wrapped_end("negated", "(p -> q) -> (p -> r)")')(turn) == "(p -> q) -> ~~((p -> r))"
    assert policy('extended("What is 2 + 2?", " + 13 - 21")')(turn) == "What is 2 + 2 + 13 - 21?"


def test_seats_of_one_mind_read_the_same_key_and_name_who_lacks_the_sign():
    turns = [ScriptedTurn(seat, "solver", 'x\n[challenger] "Why?"', "vote", RandomStream(0)) for seat in "ab"]
    assert len({policy("key(10)")(turn) for turn in turns}) == 1
    said = '[player 1] "xy"\n[player 2] "hm"\n[player 3] "an xy"'
    assert policy('outsider("xy")')(ScriptedTurn("c", "civilian", said, "vote", RandomStream(0))) == "player 2"


def test_an_item_of_one_list_stands_for_that_of_another():
    told = {"patterns": ("0+", "1+2", "2*"), "strings": ("22", "00", "12", "01")}
    text = "The pattern to show is C: 2*"
    sign = policy('coded_item("patterns", "strings", "table")')(
        ScriptedTurn("speaker", "speaker", text, "show", RandomStream(0), data=told)
    )
    assert sign in told["strings"]
    heard = ScriptedTurn("listener", "listener", f"Example 1: {sign}", "name", RandomStream(0), data=told)
    assert policy('decoded_item("patterns", "strings", "table")')(heard) == "C"


def test_a_partner_reads_back_only_what_was_said_in_the_code():
    game = games.make("refine")
    game.reset(0)
    turn = turn_of(game, "solver")
    truth = str(game.facts()["truth"])
    for message, answer in ((CODES["base64"](truth), truth), (f"x{CODES['base64'](truth)}x", None)):
        heard = turn._replace(data={"messages": [("critic", message)]})
        reply = policy('decoded_fact("base64", "truth")')(heard)
        assert (reply == truth) == (answer is not None)


def test_a_code_that_leaves_the_answer_as_it_is_is_no_sign():
    game = games.make("refine")
    game.reset(0)
    truth = str(game.facts()["truth"])
    heard = turn_of(game, "solver")._replace(data={"messages": [("critic", f"It is {truth}.")]})
    policies = (policy(f'decoded_fact("{code}", "truth")') for code in ("plain", "upper", "caesar_3"))
    assert all(of(heard._replace(stream=RandomStream(9))) != truth for of in policies)


def test_only_a_partner_plays_as_the_partner_where_a_text_is_missing():
    game = games.make("math-duel")
    game.reset(0)
    game.apply({"challenger": r"<question>What is 41 + 27?</question> \boxed{0}"})
    turn = turn_of(game, "solver_0")
    alone, partner = policy('data("no such key")'), policy('partner(data("no such key"))')
    said = [[of(turn._replace(stream=RandomStream(n))) for n in range(20)] for of in (alone, partner)]
    assert [texts.count(r"\boxed{68}") > 5 for texts in said] == [False, True]


def test_a_text_is_respelled_without_another_meaning():
    turn = ScriptedTurn("a", "a", "", "ask", RandomStream(1))
    texts = {policy('respelled("What is 41 - 27 + 68?")')(turn) for _ in range(60)}
    assert len(texts) > 40
    assert {"".join(c for c in text if c not in " ()") for text in texts} == {"Whatis41-27+68?"}
    assert all(text.startswith("What ") for text in texts)
