"""The haggler: it concedes with time, never loses by accepting, and beats random play."""

import pytest

import games
from arena.players import make
from arena.players.bots.concession import ConcessionPlayer, message, price
from arena.players.player import View
from games import InputError
from games.native.bargain.messages import BargainPosition, read
from games.randomness import derive


def act(player, game, turn):
    (seat,) = game.acting
    view = View(game=game, seat=seat, role=seat, legal=None, seat_seed=derive(turn[0], seat), turn=turn[1])
    return player.act(view).action


def test_beats_random_play_with_the_seats_rotated():
    game = games.make("bargain-v0")
    haggler = make("haggler")
    gain = {"haggler": 0.0, "random": 0.0}
    losses = 0
    for seed in range(100):
        for mine in ("seller", "buyer"):
            game.reset(seed)
            turn = 0
            while game.acting:
                (seat,) = game.acting
                if seat == mine:
                    text = act(haggler, game, (seed, turn))
                else:
                    view = View(game=game, seat=seat, role=seat, legal=None, seat_seed=derive(seed, seat), turn=turn)
                    text = view.rng.choice(game.examples(seat))
                game.apply({seat: text})
                turn += 1
            returns = game.returns()
            losses += returns[mine] < 0
            gain["haggler"] += returns[mine] / 200
            gain["random"] += sum(r for seat, r in returns.items() if seat != mine) / 200
    assert losses == 0
    assert gain["haggler"] > gain["random"] + 10


def test_two_hagglers_agree_where_a_price_suits_both_and_only_there():
    game, haggler = games.make("bargain-v0"), ConcessionPlayer()
    agreed = 0
    for seed in range(100):
        game.reset(seed)
        turn = 0
        while game.acting:
            game.apply({game.acting[0]: act(haggler, game, (seed, turn))})
            turn += 1
        cost, value = game._private["seller"], game._private["buyer"]
        returns = game.returns()
        assert min(returns.values()) >= 0
        assert (returns["seller"] + returns["buyer"] > 0) == (value - cost >= 2)
        agreed += returns["seller"] + returns["buyer"] > 0
    assert 60 < agreed < 95


@pytest.mark.parametrize(
    ("patience", "asked"),
    [(1.0, [100, 93, 86, 78, 71]), (2.0, [100, 98, 93, 84, 71]), (0.5, [100, 86, 79, 75, 71])],
)
def test_concession_follows_the_formula(patience, asked):
    positions = [BargainPosition("seller", 70, 0, 100, spoken, 10 - spoken, None) for spoken in (0, 2, 4, 6, 8)]
    assert [price(p, patience) for p in positions] == asked
    mirrored = [BargainPosition("buyer", 30, 0, 100, spoken, 10 - spoken, None) for spoken in (0, 2, 4, 6, 8)]
    assert [price(p, patience) for p in mirrored] == [100 - a for a in asked]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (BargainPosition("seller", 70, 0, 100, 9, 1, 71), "accept"),
        (BargainPosition("seller", 70, 0, 100, 9, 1, 70), "walk"),
        (BargainPosition("seller", 70, 0, 100, 9, 1, None), "walk"),
        (BargainPosition("seller", 100, 0, 100, 0, 10, None), "walk"),
        (BargainPosition("seller", 70, 0, 100, 1, 9, 100), "accept"),
        (BargainPosition("seller", 70, 0, 100, 1, 9, 80), "offer 100"),
        (BargainPosition("buyer", 30, 0, 100, 8, 2, 29), "accept"),
        (BargainPosition("buyer", 30, 0, 100, 8, 2, 30), "offer 29"),
        (BargainPosition("buyer", 0, 0, 100, 3, 7, 0), "walk"),
        (BargainPosition("buyer", 30, 0, 100, 0, 2, None), "offer 29"),
    ],
)
def test_decisions(position, said):
    assert message(position, 2.0).startswith(said)


def test_it_reads_nothing_but_its_observation():
    """The same observation gives the same action, whatever the hidden value of the other seat."""
    one, two = games.make("bargain-v0"), games.make("bargain-v0")
    for game in (one, two):
        game.reset(0)
    two._private["buyer"] = 46
    assert act(ConcessionPlayer(), one, (0, 0)) == act(ConcessionPlayer(), two, (0, 0))


def test_it_says_what_it_plays():
    assert ConcessionPlayer().supports(games.make("bargain-v0(rounds=3)")) is None
    assert "bargain-v0" in ConcessionPlayer().supports(games.make("pettingzoo/tictactoe_v3"))
    assert read("some other text") is None
    for wrong in ("0", "-1", "x"):
        with pytest.raises(InputError, match="patience"):
            make(f"haggler(patience={wrong})")
