"""Which parts of a text are renamed."""

import pytest

from games.exact.lexicon import Lexicon
from games.exact.tokens import lemma, tokens
from games.exact.veil import in_other_order
from games.randomness import RandomStream


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a card for a 6-sided die on a 3x3 board", "card for sided die on board"),
        ("ranks a to k, cell a", "ranks a to k cell a"),
        ("player_0's card(s): I have x3", "player card have x"),
        ("AllIn BWJack a(0,2)x(0,1)", "AllIn BW Jack a x"),
        ("to_play=W", "to play W"),
    ],
)
def test_tokens(text, words):
    assert [match[0] for match in tokens(text)] == words.split()


def test_bases():
    others = {"bet", "raise", "pass", "die"}
    words = "bets betting raised passes passing dice beds"
    assert [lemma(word, others) for word in words.split()] == [
        ("bet", "s"), ("bet", "ing"), ("raise", "ed"), ("pass", "es"), ("pass", "ing"), ("die", "s"), ("beds", ""),
    ]  # fmt: skip


def test_words_with_one_base_share_a_made_up_word():
    rules = "Bet to raise the pot. Betting raises the pot; a bet is one chip, bets are chips. Up is up."
    lexicon = Lexicon([rules], rules, ["Bet", "Up"], 3)
    bet = lexicon.write("bet")
    assert lexicon.write("BET Bet bets betting") == f"{bet.upper()} {bet.capitalize()} {bet}s {bet}ing"
    assert "up" not in lexicon.write(rules).lower().split()  # a move, so renamed although any game has the word
    assert lexicon.write("the chip of a player") == f"the {lexicon.write('chip')} of a player"
    rare = lexicon.write("zeppelin")  # a word that no sample has
    assert (lexicon.read(rare), len(rare)) == ("zeppelin", 7)
    assert lexicon.read(lexicon.write(rules)) == rules


def test_boards_keep_their_shape():
    board = "oox\n.x.\n\nx(0,1) ♠K"
    moves = ["x(0,1)", "o(0,1)"]
    lexicon = Lexicon([board, *moves], "", moves, 3)
    written = lexicon.write(board)
    assert [len(line) for line in written.split("\n")] == [len(line) for line in board.split("\n")]
    assert not set("xoK♠") & set(written)
    assert lexicon.read(written) == board


def test_sentences_that_lean_on_others_stay_behind_them():
    rules = "Take a card. It is yours. For each, pay:\n- king: 2\n- queen: 1\nThe last wins.\nActions: A, B, C."
    orders = {in_other_order(rules, RandomStream(seed)) for seed in range(20)}
    assert len(orders) > 6
    for order in orders:
        assert "* Take a card. It is yours. For each, pay:\n  - king: 2\n  - queen: 1" in order
        assert sorted(order.partition("Actions: ")[2][:7]) == sorted("A, B, C")
