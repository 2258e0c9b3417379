"""One player per role, rated together."""

import asyncio

import pytest

import games
from arena import Decision, Episode, MatchPlan, Player, players
from arena.match import play, play_async
from arena.players.budget import Budget
from games import InputError


def test_each_role_is_played_by_its_own_player():
    game, player = games.make("bargain-v1"), players.make("by-role(seller=policy, buyer=policy(name=haggler))")
    alone = {"seller": players.make("policy"), "buyer": players.make("policy(name=haggler)")}
    plan = MatchPlan("m", game.spec.id, 5, dict.fromkeys(game.spec.seats, "x"))
    for other in alone.values():
        other.name = player.name
    together = play(game, plan, dict.fromkeys(game.spec.seats, player))
    assert [t.action for t in together.turns] == [t.action for t in play(game, plan, alone).turns]
    assert not player.waits
    assert players.make(player.name).name == player.name


def test_what_it_cannot_play_is_told():
    game = games.make("bargain-v1")
    assert players.make("by-role(seller=random, buyer=random)").supports(game) is None
    why = players.make("by-role(seller=random)").supports(game)
    assert why == "it has no player for the role 'buyer', only for seller"
    assert "role 'buyer': " in str(players.make("by-role(seller=random, buyer=solver)").supports(game))
    with pytest.raises(InputError, match="by-role names no role; write by-role"):
        players.make("by-role")
    with pytest.raises(InputError, match="unknown player 'rndom'"):
        players.make("by-role(red-attacker=rndom)")


class Paid(Player):
    """Waits, remembers, costs something, and stores how many earlier turns it receives."""

    waits = remembers = True

    def __init__(self) -> None:
        self.budget, self.exchanges, self.closed = Budget(None, None), list[int](), False

    async def act_async(self, view):
        self.exchanges.append(len(view.exchanges))
        return Decision((view.legal or ("",))[0])

    def close(self):
        self.closed = True


def test_parts_that_wait_remember_and_cost_something():
    paid = Paid()
    players.register("paid")(lambda: paid)
    game, player = games.make("openspiel/tic_tac_toe"), players.make("by-role(first=paid, second=random)")
    assert (player.waits, player.remembers, player.priced) == (True, True, False)
    plan = MatchPlan("m", game.spec.id, 5, dict.fromkeys(game.spec.seats, "x"))
    episode: Episode = asyncio.run(play_async(game, plan, dict.fromkeys(game.spec.seats, player)))
    assert episode.status == "finished"
    assert paid.exchanges == list(range(len(paid.exchanges)))
    player.budget = shared = Budget(5, None)
    assert paid.budget is player.budget is shared
    player.close()
    assert paid.closed
