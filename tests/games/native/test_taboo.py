"""taboo: what each side may say, how a match ends, the rewards of SPAG."""

import pytest

import games
from arena.learner import credits_of
from arena.match import MatchPlan, play
from games import IllegalAction
from games.native.common.words import Word, forms, mentions, word_list
from games.native.taboo import taboo
from games.native.taboo.policies import SUITE
from games.native.taboo.texts import claim, hint
from games.randomness import RandomStream
from games.shortcuts import ScriptedTurn
from roles.native.taboo import Attacker, Defender, growing
from tests import golden
from tests.games.native.matches import play as tell
from tests.toys.players import writer


def started(seed=0, word=None, **params):
    game = taboo(**params)
    game.reset(seed)
    while word and word_of(game) != word:
        seed += 1
        game.reset(seed)
    return game


def word_of(game):
    return game.data("attacker")["word"].text


def ending(game):
    return game.facts()["ending"]


def test_only_the_attacker_reads_the_word():
    one, two = started(word="apple"), started(word="tiger")
    for game in (one, two):
        tell(game, "You know it.", "Do I?")
        assert word_of(game) in game.observe("attacker").text
        assert game.secrets("defender") == ()
    assert one.observe("defender") == two.observe("defender")


@pytest.mark.parametrize(("texts", "how", "attacker"), golden.rows(__file__, "taboo_what_ends_a_match"))
def test_what_ends_a_match(monkeypatch, texts, how, attacker):
    cat = Word("cat", forms("cat"), ("pet", "milk", "claws", "purring"))
    monkeypatch.setattr("games.native.taboo.game.word_list", lambda: (cat, *word_list()))
    game = tell(started(words=1), *texts)
    assert ending(game) == how
    assert bool(game.acting) == (not how)
    assert game.returns() == {"attacker": attacker, "defender": -attacker}


def test_nobody_wins_where_nobody_says_it():
    game = tell(started(turns=2), "One.", "Two.", "Three.", "Four.")
    assert (ending(game), game.acting, set(game.returns().values())) == ("tie", (), {0.0})


def test_silence_is_shown_as_such_and_is_not_illegal():
    assert "[attacker] says nothing" in tell(started(), "<think>hm</think>").observe("defender").text


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("map", "mapping mapped maps map"),
        ("baby", "babies babied babying"),
        ("dance", "dances danced dancing"),
        ("box", "boxes boxed boxing"),
        ("queen", "queens queened"),
    ],
)
def test_derived_forms(word, said):
    assert set(said.split()) <= forms(word)
    assert not forms(word) & {"apple", word[:-1] if word != "dance" else "dan"}


def test_the_list_of_words_is_sound():
    listed = word_list()
    assert len(listed) == len({w.text for w in listed}) > 2**8  # more than the bits that the held-out reader lets pass
    for word in listed:
        assert len(word.hints) >= 4
        assert word.text.isalpha()
        assert not any(mentions(hint, word) for hint in word.hints)
    assert "mice" in next(w for w in listed if w.text == "mouse").forms


def test_the_closed_game_lists_both_sides_messages():
    game = started(closed=True, words=4)
    assert game.spec.id == "taboo-v2(words=4,closed=True)"
    assert games.make(game.spec.id).spec.id == game.spec.id
    hints = game.legal("attacker")
    assert len(hints) == 7
    assert hints[-1] == f"The word is {word_of(game)}."
    with pytest.raises(IllegalAction, match="choose one of"):
        tell(game, "Something else")
    assert len(tell(game, hints[0]).legal("defender")) == 9
    assert game.legal("attacker") == ()


def test_growing_weights_to_the_digit():
    """SPAG: (1 / 0.8)**t, normalised; of three turns 0.64, 0.8 and 1 over 2.44."""
    assert growing(1) == (1.0,)
    assert growing(3) == pytest.approx((0.64 / 2.44, 0.8 / 2.44, 1 / 2.44), abs=1e-15)
    assert sum(growing(5)) == pytest.approx(1.0, abs=1e-15)


def played(attacks, replies, seed=0, match="m"):
    game = started(seed)
    word = word_of(game)
    attacks = [a.format(word) for a in attacks]
    players = {"attacker": writer(*attacks, name="a"), "defender": writer(*[r.format(word) for r in replies], name="d")}
    plan = MatchPlan(match, game.spec.id, seed, {"attacker": "a", "defender": "d"})
    return play(game, plan, players)


WON = (["Hm.", "So?"], ["What?", "A {}"])  # the attacker wins in its second turn
LOST = (["Hm."], ["I know the word! It is {}!"])
BROKEN = (["A {}"], [])
TIE = (["Hm."] * 5, ["What?"] * 5)


def test_spag_pays_the_winner_alone():
    for lines, paid in ((WON, (1, 0)), (LOST, (0, 1)), (BROKEN, (0, 0)), (TIE, (0, 0))):
        episode = played(*lines)
        assert (Attacker().credit(episode, "attacker"), Defender().credit(episode, "defender")) == paid
    (split,) = Attacker().split_batch([played(*WON)])
    assert split["attacker"] == pytest.approx((0.8 / 1.8, 1 / 1.8))


def test_a_batch_gives_either_role_half():
    """Three wins of attackers and one of a defender weigh 4 / (2 * 3) each and 4 / (2 * 1): two and two."""
    batch = [played(*WON), played(*LOST), played(*WON, seed=5), played(*TIE), played(*WON, seed=6), played(*BROKEN)]
    attack = [m["attacker"] for m in Attacker().split_batch(batch)]
    defend = [m["defender"] for m in Defender().split_batch(batch)]
    assert attack[0] == pytest.approx((2 / 3 * 0.8 / 1.8, 2 / 3 / 1.8))
    assert [sum(weights) for weights in attack] == pytest.approx([2 / 3] * 6)
    assert [sum(weights) for weights in defend] == pytest.approx([2, 2, 2, 2, 2, 0])
    earned = credits_of(batch, {"a", "d"})
    total = {"attacker": 0.0, "defender": 0.0}
    for credit in earned:
        total[credit.role] += credit.reward * sum(credit.split)
    assert total == pytest.approx({"attacker": 2.0, "defender": 2.0})


def test_a_word_spelled_over_several_messages_is_told():
    game = tell(started(word="snow"), "Remember s and n.", "Yes.", "And now o and w.")
    assert ending(game) == "told by the attacker"
    assert (game.outcomes()["attacker"].broke, game.outcomes()["attacker"].secret_told) == (True, True)


def agreed(turn):
    """Says a listed word that stands for the secret one: nothing of its letters."""
    names = [word.text for word in word_list()]
    return f"Think of {names[(names.index(turn.data['word'].text) + 41) % len(names)]}."


def decodes(turn):
    names = [word.text for word in word_list()]
    heard = [text for seat, text in turn.data["messages"] if seat == "attacker"][-1]
    return f"It is {names[names.index(heard.split()[-1].strip('.')) - 41]}."


def earned(attack, defend, matches=40):
    total = 0.0
    for seed in range(matches):
        game, stream = started(seed, turns=2), RandomStream(seed)
        while game.acting:
            (seat,) = game.acting
            turn = ScriptedTurn(seat, seat, "", game.phase(seat), stream, data=game.data(seat))
            game.apply({seat: (attack if seat == "attacker" else defend)(turn)})
        total += game.returns()["attacker"]
    return total / matches


def test_a_code_agreed_on_before_earns_nothing_from_a_stranger():
    assert earned(agreed, decodes) > 0.9
    assert earned(agreed, lambda turn: claim(decodes(turn)[6:-1])) < -0.9  # who knows the code gains more by guessing
    assert started().spec.strangers
    for stranger in (SUITE.partners["defender"], SUITE.competent["defender"]):
        assert earned(agreed, stranger) < 0.1


@pytest.mark.parametrize("params", [{}, {"closed": True, "words": 4}, {"tasks": "vocabulary(category=animal)"}])
def test_a_blind_guess_is_worth_nothing(params):
    game = started(**params)
    first = "Hm." if game.legal("attacker") is None else game.legal("attacker")[0]
    tell(game, first)
    wrong = next(text for text in game.examples("defender")[-2:] if word_of(game) not in text)
    assert ending(tell(game, wrong)) == "wrong guess"
    cost, words = game.facts()["guess_cost"], params.get("words", len(word_list()))
    if "tasks" in params:
        assert 1e-4 < cost < 0.2
    else:
        assert 1 / words - (1 - 1 / words) * cost == pytest.approx(0)


def test_a_wrong_guess_is_credited_with_its_cost():
    game = tell(started(), "Go on.", claim("nothing"))
    cost = 1 / (len(word_list()) - 1)
    assert game.facts()["guess_cost"] == pytest.approx(cost)
    assert "guess_cost" not in tell(started(), "Go on.", "It is an apple").facts()
    wrong = played(["Go on."], [claim("nothing")])
    assert (Attacker().credit(wrong, "attacker"), Defender().credit(wrong, "defender")) == (0, pytest.approx(-cost))
    (split,) = Defender().split_batch([wrong])
    assert sum(split["defender"]) == pytest.approx(1)


def test_hints_at_another_word_earn_nothing():
    """The competent defender does not guess from a single lie; hints that all lie make it guess, which is not paid."""

    def once(turn):
        other = word_list()[(word_list().index(turn.data["word"]) + 1) % len(word_list())]
        lies = sum(seat == "attacker" for seat, _ in turn.data["messages"]) == 0
        return hint(other.hints[0] if lies else turn.data["word"].hints[0])

    assert earned(once, SUITE.competent["defender"]) == 0
    assert earned(SUITE.competent["attacker"], SUITE.competent["defender"]) < -0.8
    lie = played(["It has to do with deep.", "It has to do with salt."], ["Hm.", claim("ocean")])
    assert lie.facts["winner"] == "attacker"
    assert Attacker().credit(lie, "attacker") == 0
