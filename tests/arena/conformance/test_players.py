"""Each planted bug of a player is found by the right check; correct players pass."""

import random

import pytest

import games
from arena import Decision, Player, players
from arena.conformance.players import CHECKS, check_player
from arena.players.bots.random import RandomPlayer
from games import GameSpec, InputError, Observation, RandomStream, TextGame, plugins
from tests.toys.faults import having


def choose(view):
    return Decision(view.rng.choice(view.game.examples(view.seat)))


class Good(Player):
    def act(self, view):
        return choose(view)


class GoodButSlow(Player):
    waits = True

    async def act_async(self, view):
        return choose(view)


class AsyncAct(Player):
    async def act(self, view):
        return choose(view)


class KeepsState(Player):
    turns = 0

    def act(self, view):
        self.turns += 1
        options = view.game.examples(view.seat)
        return Decision(options[self.turns % len(options)])


class OwnGenerator(Player):
    def __init__(self):
        self.stream = random.Random()

    def act(self, view):
        return Decision(self.stream.choice(view.game.examples(view.seat)))


def acting(act):
    """Returns a player that decides by a function."""
    return having(Player, act=lambda self, view: act(view))


def sharing(shares):
    """Returns a player whose probabilities are a function of its listed actions."""

    async def probabilities(self, view):
        return shares(view.legal)

    return having(Good, probabilities=probabilities)


def fail(view):
    raise KeyError(view.seat)


def from_equal_streams(view):
    options = view.legal or view.game.examples(view.seat)
    share, choice = RandomStream(view.seed).random(), RandomStream(view.seed).choice(options)
    return Decision(options[0] if share < 0.5 else choice)


def in_the_game(view):
    decision = choose(view)
    if len(view.game.acting) == 1 and view.turn == 0:
        view.game.apply({view.seat: decision.action or ""})
    return decision


EVEN = sharing(lambda legal: dict.fromkeys(legal, 1 / len(legal)))


def report(player):
    plugins.register("arena.players", "tested")(player)
    return check_player("tested")


@pytest.mark.parametrize("good", [Good, GoodButSlow, EVEN, RandomPlayer])
def test_correct_players_are_clean(good):
    found = report(good)
    assert found.ok, str(found)
    assert [check.name for check in found.checks] == list(CHECKS)
    assert all(check.cases or check.skipped for check in found.checks)


FAULTS = [
    (acting(lambda view: None), "decides", ".act returned None; a player returns arena.match.Decision(action)"),
    (acting(lambda view: Decision("invented" if view.legal else "offer 50: fine")), "decides", "is not a legal action"),
    (acting(fail), "decides", "error: \"KeyError: 'player_0'"),
    (acting(lambda view: Decision(view.legal[0])), "decides", "bargain-v1, seed 1: error"),
    (
        acting(lambda view: Decision(random.choice(view.game.examples(view.seat)))),
        "state",
        "the global generator random; draw from view.rng",
    ),
    (acting(from_equal_streams), "draws", "two random streams with the same seed in one turn"),
    (having(Good, deterministic=True), "draws", "it draws random numbers, but says that it is deterministic"),
    (KeepsState, "seeded", "played again, gives different actions"),
    (OwnGenerator, "seeded", "gives different actions"),
    (acting(in_the_game), "state", "act changed the game"),
    (
        acting(lambda view: None if view.rejected else choose(view)),
        "again",
        "after a refused attempt act returned None",
    ),
    (sharing(lambda legal: [1 / len(legal) for _ in legal]), "probabilities", ".probabilities returned ["),
    (
        having(Good, probabilities=lambda self, view: dict.fromkeys(view.legal or (), 1.0)),
        "probabilities",
        "write `async def probabilities(self, view)`",
    ),
    (sharing(lambda legal: {"a card": 1.0}), "probabilities", "a mapping from them to numbers with the sum 1"),
    (having(Good, supports=lambda self, game: True), "supports", "returned True; it must return a reason"),
    (having(Good, supports=lambda self, game: "it is too hard"), "supports", "nothing was verified"),
]


@pytest.mark.parametrize(("faulty", "check", "words"), FAULTS)
def test_the_right_check_names_the_fault(faulty, check, words):
    found = report(faulty)
    assert not found.ok
    assert any(words in f.message.replace("\\'", "'") for f in found.of(check)), str(found)


class OnlyRace(Player):
    def act(self, view):
        return choose(view)

    def supports(self, game):
        return None if game.spec.id.startswith("race") else "it races"


def test_a_player_of_a_plugins_game_is_checked_in_that_game():
    players.register("only-race")(OnlyRace)
    report = check_player("only-race")
    assert report.ok, str(report)
    assert {check.name: check.cases for check in report.checks}["decides"] > 0


@pytest.mark.parametrize("id", ["policy(name=literal)"])
def test_players_made_for_one_game_are_checked_in_it(id):
    report = check_player(id)
    assert report.ok, report


def test_nobody_sits_at_the_terminal():
    with pytest.raises(InputError, match="a human cannot be checked"):
        check_player("human")
    assert players.make("human").name == "human"


class Spoken(TextGame):
    """One seat says a word, then chooses a number."""

    spec = GameSpec("spoken-v0", {"player_0": "speaker"}, "cooperative", "Speak, then choose.", max_turns=2)

    def reset(self, seed):
        self.done = 0

    @property
    def acting(self):
        return ("player_0",) if self.done < 2 else ()

    def observe(self, seat):
        return Observation("Choose." if self.done else "Speak.")

    def legal(self, seat):
        return (None, ("1", "2"), ())[self.done]

    def examples(self, seat):
        return ("1",) if self.done else ("hello",)

    def apply(self, actions):
        self.done += 1

    def returns(self):
        return {"player_0": 0.0}


class LateShares(Player):
    """Plays only a game that begins with free text; names wrong probabilities for the listed moves after it."""

    def supports(self, game):
        return None if game.spec.id == "spoken-v0" else "it plays another game"

    def act(self, view):
        return choose(view)

    async def probabilities(self, view):
        assert view.legal
        return dict.fromkeys(view.legal, 0.7)


def test_probabilities_are_asked_for_at_the_first_turn_with_listed_actions():
    games.register("spoken-v0")(Spoken)
    found = report(LateShares)
    assert [f.check for f in found.findings if f.severity == "error"] == ["probabilities"], str(found)


def test_an_async_act_is_told_what_to_write():
    with plugins.isolated():
        players.register("eager")(AsyncAct)
        with pytest.raises(InputError, match=r"set waits = True and write `async def act_async\(self, view\)`"):
            check_player("eager")


def test_the_supported_games_are_listed():
    (supports, *_) = report(Good).checks
    assert supports.cases == len(supports.unit.split(", ")) == 4
