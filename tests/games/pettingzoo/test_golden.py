"""The exact text of observations."""

import pytest

import games

GOLDEN = {
    "connect_four_v3": (
        "4 4 3 4 7",
        "player_1",
        """\
You are player_1 and play o.
1 2 3 4 5 6 7
. . . . . . .
. . . . . . .
. . . . . . .
. . . o . . .
. . . o . . .
. . x x . . x
It is your turn.""",
    ),
    "tictactoe_v3": (
        "5 1 6",
        "player_1",
        """\
You are player_1 and play x.
o 2 3
4 x x
7 8 9
It is the turn of player_2.""",
    ),
    "chess_v6": (
        "e2e4 f7f6 d2d4 g7g5 d1h5",
        "player_1",
        """\
You are player_1 and play Black, the lower case letters.
8 r n b q k b n r
7 p p p p p . . p
6 . . . . . p . .
5 . . . . . . p Q
4 . . . P P . . .
3 . . . . . . . .
2 P P P . . P P P
1 R N B . K B N R
  a b c d e f g h
FEN: rnbqkbnr/ppppp2p/5p2/6pQ/3PP3/8/PPP2PPP/RNB1KBNR b KQkq - 1 3
Last moves: e2e4 f7f6 d2d4 g7g5 d1h5
The match is over.""",
    ),
    "go_v5(board_size=5)": (
        "B1 A1 A2 pass C3",
        "white_0",
        """\
You are white_0 and play O.
 5 . . . . .
 4 . . . . .
 3 . . X . .
 2 X . . . .
 1 . X . . .
   A B C D E
Captured by X: 1, by O: 0.
Last moves: B1 A1 A2 pass C3
It is your turn.""",
    ),
    "leduc_holdem_v4": (
        "call check raise",
        "player_1",
        """\
You are player_1.
Your hand: king of hearts.
Public cards: jack of hearts.
Chips put in: player_0 6, player_1 2.
Betting so far: player_0 call, player_1 check, player_0 raise.
It is your turn.""",
    ),
    "texas_holdem_v4": (
        "raise call check",
        "player_1",
        """\
You are player_1.
Your hand: jack of hearts, ten of diamonds.
Public cards: 5 of hearts, queen of diamonds, 9 of diamonds.
Chips put in: player_0 4, player_1 4.
Betting so far: player_0 raise, player_1 call, player_0 check.
It is your turn.""",
    ),
    "texas_holdem_no_limit_v6": (
        "pot call half",
        "player_1",
        """\
You are player_1.
Your hand: 7 of clubs, 5 of hearts.
Public cards: queen of diamonds, 9 of diamonds, 8 of diamonds.
Chips put in: player_0 8, player_1 4.
Betting so far: player_0 pot, player_1 call, player_0 half.
It is your turn.""",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_observation(name):
    moves, seat, text = GOLDEN[name]
    game = games.make(f"pettingzoo/{name}")
    game.reset(3)
    for move in moves.split():
        game.apply({game.acting[0]: move})
    assert game.observe(seat).text == text


def test_rounds_of_rock_paper_scissors():
    game = games.make("pettingzoo/rps_v2(max_cycles=3)")
    game.reset(0)
    game.apply({"player_0": "rock", "player_1": "paper"})
    game.apply({"player_0": "rock", "player_1": "scissors"})
    assert game.observe("player_0").text == (
        "You are player_0.\n"
        "Round 1: you rock, opponent paper.\n"
        "Round 2: you rock, opponent scissors.\n"
        "Your score is +0.\n"
        "Round 3 of 3. It is your turn; all seats act at once."
    )
    assert game.legal("player_1") == ("rock", "paper", "scissors")


def test_moves_in_order():
    def legal(name, *moves):
        game = games.make(f"pettingzoo/{name}")
        game.reset(3)
        for move in moves:
            game.apply({game.acting[0]: move})
        return game.legal(game.acting[0])

    assert legal("connect_four_v3", *"444444") == ("1", "2", "3", "5", "6", "7")
    assert legal("tictactoe_v3", "5") == tuple("12346789")
    assert legal("leduc_holdem_v4") == ("call", "raise", "fold")
    assert legal("texas_holdem_no_limit_v6") == ("fold", "call", "pot", "all-in")
    assert legal("go_v5(board_size=2)") == ("A2", "B2", "A1", "B1", "pass")
