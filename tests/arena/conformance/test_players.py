"""Each planted bug of a player is found by the right check; correct players pass."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

import games
from arena import players
from arena.conformance.players import CHECKS, check_player
from arena.match import Decision
from arena.players import Player, View
from arena.players.bots.random import RandomPlayer
from games import GameSpec, InputError, Observation, TextGame, plugins
from games.randomness import RandomStream


def choose(view):
    return Decision(view.rng.choice(view.game.examples(view.seat)))


class Good(Player):
    def act(self, view: View) -> Decision:
        return choose(view)


class GoodButSlow(Player):
    waits = True

    async def act_async(self, view: View) -> Decision:
        return choose(view)


class AsyncAct(Player):
    async def act(self, view: View) -> Decision:  # type: ignore[override]
        return choose(view)


class PlainShares(Good):
    def probabilities(self, view: View) -> Mapping[str, float]:  # type: ignore[override]
        return dict.fromkeys(view.legal or (), 1.0)


class Forgets(Player):
    def act(self, view: View) -> Decision:
        return None  # type: ignore[return-value]


class Invents(Player):
    def act(self, view: View) -> Decision:
        return Decision("an invented action" if view.legal else "offer 50: fine")


class Raises(Player):
    def act(self, view: View) -> Decision:
        raise KeyError(view.seat)


class NoFreeText(Player):
    def act(self, view: View) -> Decision:
        return Decision(view.legal[0])  # type: ignore[index]


class GlobalGenerator(Player):
    def act(self, view: View) -> Decision:
        return Decision(random.choice(view.game.examples(view.seat)))


class EqualStreams(Player):
    def act(self, view: View) -> Decision:
        options = view.legal or view.game.examples(view.seat)
        share, choice = RandomStream(view.seed).random(), RandomStream(view.seed).choice(options)
        return Decision(options[0] if share < 0.5 else choice)


class KeepsState(Player):
    turns = 0

    def act(self, view: View) -> Decision:
        self.turns += 1
        options = view.game.examples(view.seat)
        return Decision(options[self.turns % len(options)])


class OwnGenerator(Player):
    def __init__(self) -> None:
        self.stream = random.Random()

    def act(self, view: View) -> Decision:
        return Decision(self.stream.choice(view.game.examples(view.seat)))


class PlaysInTheGame(Player):
    def act(self, view: View) -> Decision:
        decision = choose(view)
        if len(view.game.acting) == 1 and view.turn == 0:
            view.game.apply({view.seat: decision.action or ""})
        return decision


class DeterministicInWords(Good):
    deterministic = True


class NoSecondAttempt(Player):
    def act(self, view: View) -> Decision:
        return None if view.rejected else choose(view)  # type: ignore[return-value]


class Even(Good):
    async def probabilities(self, view):  # type: ignore[no-untyped-def]
        return dict.fromkeys(view.legal, 1 / len(view.legal))


class ListsShares(Good):
    async def probabilities(self, view):  # type: ignore[no-untyped-def]
        return [1 / len(view.legal) for _ in view.legal]


class SharesOfOthers(Good):
    async def probabilities(self, view):  # type: ignore[no-untyped-def]
        return {"a card": 1.0}


class SaysTrue(Good):
    def supports(self, game):  # type: ignore[no-untyped-def]
        return True


class PlaysNothing(Good):
    def supports(self, game):  # type: ignore[no-untyped-def]
        return "it is too hard"


def report(player):  # type: ignore[no-untyped-def]
    plugins.register("arena.players", "tested")(player)
    return check_player("tested")


@pytest.mark.parametrize("good", [Good, GoodButSlow, Even, RandomPlayer])
def test_correct_players_are_clean(good):
    found = report(good)
    assert found.ok, str(found)
    assert [check.name for check in found.checks] == list(CHECKS)
    assert all(check.cases or check.skipped for check in found.checks)


@pytest.mark.parametrize(
    ("faulty", "check", "words"),
    [
        (Forgets, "decides", "Forgets.act returned None; a player returns arena.match.Decision(action)"),
        (Invents, "decides", "is not a legal action"),
        (Raises, "decides", "error: \"KeyError: 'player_0'"),
        (NoFreeText, "decides", "bargain-v1, seed 1: error"),
        (GlobalGenerator, "state", "the global generator random; draw from view.rng"),
        (EqualStreams, "draws", "two random streams with the same seed in one turn"),
        (DeterministicInWords, "draws", "it draws random numbers, but says that it is deterministic"),
        (KeepsState, "seeded", "played again, gives different actions"),
        (OwnGenerator, "seeded", "gives different actions"),
        (PlaysInTheGame, "state", "act changed the game"),
        (NoSecondAttempt, "again", "after a refused attempt act returned None"),
        (ListsShares, "probabilities", "ListsShares.probabilities returned ["),
        (PlainShares, "probabilities", "write `async def probabilities(self, view)`"),
        (SharesOfOthers, "probabilities", "a mapping from them to numbers with the sum 1"),
        (SaysTrue, "supports", "returned True; it must return a reason"),
        (PlaysNothing, "supports", "nothing was verified"),
    ],
)
def test_the_right_check_names_the_fault(faulty, check, words):
    found = report(faulty)
    assert not found.ok
    assert any(words in f.message.replace("\\'", "'") for f in found.of(check)), str(found)


class OnlyRace(Player):
    def act(self, view: View) -> Decision:
        return choose(view)

    def supports(self, game: TextGame) -> str | None:
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

    def reset(self, seed: int) -> None:
        self.done = 0

    @property
    def acting(self) -> tuple[str, ...]:
        return ("player_0",) if self.done < 2 else ()

    def observe(self, seat: str) -> Observation:
        return Observation("Choose." if self.done else "Speak.")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return (None, ("1", "2"), ())[self.done]

    def examples(self, seat: str) -> tuple[str, ...]:
        return ("1",) if self.done else ("hello",)

    def apply(self, actions: Mapping[str, str]) -> None:
        self.done += 1

    def returns(self) -> dict[str, float]:
        return {"player_0": 0.0}


class LateShares(Player):
    """Plays only a game that begins with free text; names wrong probabilities for the listed moves after it."""

    def supports(self, game: TextGame) -> str | None:
        return None if game.spec.id == "spoken-v0" else "it plays another game"

    def act(self, view: View) -> Decision:
        return choose(view)

    async def probabilities(self, view: View) -> dict[str, float]:
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
