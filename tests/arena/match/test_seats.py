"""A mistake of the caller raises before the match; it never becomes a forfeit or a void match."""

import asyncio

import pytest

from arena import Decision, MatchPlan, Player, players
from arena.match import play, play_async
from arena.players.bots.random import RandomPlayer
from games import InputError, plugins
from tests.toys.small_games import Race


class Silent(Player):
    """Forgot `act`."""

    name = "silent"


class Deaf(Player):
    """Forgot `act_async`."""

    name, waits = "deaf", True

    def act(self, view):
        return Decision("1")


class Waiting(RandomPlayer):
    waits = True

    async def act_async(self, view):
        return self.act(view)


SEATS = {"player_0": "alice", "player_1": "bob"}
PLAN = MatchPlan("m", "race-v0", 1, SEATS)
A, B = RandomPlayer(), RandomPlayer()
MISTAKES = [
    (Race(), PLAN, {"alice": A, "bob": B}, InputError, r"names of players; give \{seat: players\[name\] for seat"),
    (Race(), PLAN, {"player_0": A}, InputError, "one for each of the seats player_0, player_1"),
    (Race(), PLAN, {**SEATS, "player_0": A}, TypeError, r"make it with arena.players.make\('bob'\)"),
    (Race(), PLAN, {"player_0": A, "player_1": B, "x": A}, InputError, "players are given for player_0, player_1, x"),
    (Race(), PLAN, {"player_0": A, "player_1": "llm(model=m)"}, TypeError, r"make it with arena.players.make"),
    (
        Race(),
        PLAN,
        {"player_0": A, "player_1": RandomPlayer},
        TypeError,
        r"players\['player_1'\]: <class .* is not an arena",
    ),
    (Race(), PLAN, {"player_0": A, "player_1": None}, TypeError, "None is not an arena.players.Player"),
    (Race(), PLAN, {"player_0": A, "player_1": Silent()}, TypeError, r"Silent has no act; write act\(self, view\)"),
    (Race(), PLAN, {"player_0": A, "player_1": Deaf()}, TypeError, "Deaf has no act_async"),
    (Race(), PLAN, [A, B], TypeError, "give a mapping of each seat"),
    (Race(), "race-v0", {"player_0": A, "player_1": B}, TypeError, r"call arena\.play"),
    ("race-v0", PLAN, {"player_0": A, "player_1": B}, TypeError, "give a game"),
    (Race(), MatchPlan("m", "race-v0", 1, {"left": "a"}), {"left": A}, InputError, "the plan seats left; the seats of"),
]


@pytest.mark.parametrize(("game", "plan", "seated", "kind", "said"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_raises_before_the_match(game, plan, seated, kind, said):
    with pytest.raises(kind, match=said):
        play(game, plan, seated)
    with pytest.raises(kind, match=said):
        asyncio.run(play_async(game, plan, seated))


def test_a_player_that_waits_needs_the_other_call():
    seated = {"player_0": A, "player_1": Waiting()}
    with pytest.raises(InputError, match=r"random at player_1 waits for its answers .* call play_async, or arena.play"):
        play(Race(), PLAN, seated)
    assert asyncio.run(play_async(Race(), PLAN, seated)).status == "finished"


@pytest.mark.parametrize(("kind", "said"), [(Silent, "Silent has no act; "), (Deaf, "Deaf has no act_async; ")])
def test_a_plugins_player_without_act_is_refused_when_it_is_made(kind, said):
    plugins.register("arena.players", "unfinished")(kind)
    with pytest.raises(InputError, match=rf"player 'unfinished' of .* cannot play: {said}"):
        players.make("unfinished")
