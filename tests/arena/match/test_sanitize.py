"""Values of players and games are cleaned before they are recorded, or count against their author."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import games
from arena.match import Decision, MatchPlan, decode, encode, play
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from games import IllegalAction, Notes, Observation
from games.sanitize import clean, printable
from tests.toys.players import Acting
from tests.toys.small_games import Race

WILD = "\ud83d\x00\x1b[31m\x9b\u202e\u200b"


def run(game, one, other=None):
    players = {"player_0": one, "player_1": other or RandomPlayer()}
    episode = play(game, MatchPlan("m", "race-v0", 1, {s: p.name for s, p in players.items()}), players)
    assert decode(encode(episode)) == episode
    return episode


def texts(value):
    return encode(value).decode()


def test_a_players_texts_are_cleaned():
    episode = run(Race(), Acting(lambda view: Decision(None, "unparsable", text=f"a{WILD}b", reason=f"c{WILD}d")))
    assert {(a.text, a.reason) for a in episode.failure} == {("a\ufffd[31mb", "c\ufffd[31md")}
    assert episode.status == "forfeit"


def test_text_of_another_string_type_is_text():
    episode = run(Race(), Acting(lambda view: Decision(np.str_("1"), text=np.str_("one"))))
    assert type(episode.turns[0].action) is str
    assert type(episode.turns[0].attempts[0].text) is str


@pytest.mark.parametrize(
    "decision",
    [
        Decision("1", text=b"bytes"),  # type: ignore[arg-type]
        Decision("1", reason=7),  # type: ignore[arg-type]
        Decision("1", "great"),  # type: ignore[arg-type]
        Decision("1", sample={"ids": []}),  # type: ignore[arg-type]
    ],
)
def test_a_decision_that_cannot_be_kept_counts_against_its_player(decision):
    episode = run(Race(), Acting(lambda view: decision))
    assert (episode.status, episode.forfeited_by) == ("forfeit", "player_0")
    assert {attempt.category for attempt in episode.failure} == {"error"}


class Crash(Player):
    """Fails with an untrusted message."""

    name = "crash"

    def act(self, view):
        raise ValueError(f"no{WILD}\nthing")


def test_the_message_of_an_exception_is_cleaned(caplog):
    episode = run(Race(), Crash())
    assert printable(caplog.text, lines=True) == caplog.text
    assert "Traceback" in caplog.text
    assert episode.reason.isprintable()
    assert all(attempt.reason.isprintable() for attempt in episode.failure)


class Wild(Race):
    """A game with control characters in its texts."""

    def __init__(self, facts: Mapping[str, Any] | None = None, worth: Any = None) -> None:
        super().__init__()
        self._facts, self._worth = facts or {}, worth

    def observe(self, seat):
        return Observation(f"stones{WILD}:\r\n7")

    def facts(self):
        return self._facts

    def returns(self):
        return super().returns() if self._worth is None else {"player_0": self._worth, "player_1": 0.0}


class Reads(RandomPlayer):
    """Stores its observations."""

    def act(self, view):
        self.saw = view.observation.text
        return super().act(view)


def test_an_observation_is_cleaned_before_anybody_reads_it():
    reader = Reads()
    run(Wild(), reader)
    assert reader.saw == "stones\ufffd[31m:\n7"


def test_facts_are_cleaned_and_keep_their_form():
    episode = run(Wild({f"k{WILD}": [f"v{WILD}", {"n": 2**80}]}), RandomPlayer())
    assert episode.facts == {"k\ufffd[31m": ["v\ufffd[31m", {"n": 2**80}]}


class Noted(Wild):
    """It hands notes to later matches."""

    spec = replace(Race.spec, notes=Notes(("player_0",), 3))

    def load_task(self, text):
        """Notes change nothing."""


@pytest.mark.parametrize("notes", [{"player_0": "hello"}, "abc", 7, ["a", 1]])
def test_notes_that_are_no_texts_void_the_match_and_fail_the_check(notes):
    wrong = 'facts()["notes"] is '
    episode = run(Noted({"notes": notes}), RandomPlayer())
    assert episode.status == "void"
    assert wrong in episode.reason
    assert any(wrong in finding.message for finding in games.check(Noted({"notes": notes})).findings)


@pytest.mark.parametrize("fact", [object(), {(1, 2): 3}, np.float64(1.0), print])
def test_facts_that_are_no_json_void_the_match(fact):
    episode = run(Wild({"x": fact}), RandomPlayer())
    assert episode.status == "void"
    assert "facts() cannot be written as JSON" in episode.reason


@pytest.mark.parametrize("worth", [float("nan"), float("inf"), "much", None.__class__])
def test_a_return_that_is_no_number_voids_the_match(worth):
    episode = run(Wild(worth=worth), RandomPlayer())
    assert episode.status == "void"
    assert "the game failed" in episode.reason


@pytest.mark.parametrize("worth", [np.float64(1.0), 1, True])
def test_a_return_of_another_number_type_is_a_float(worth):
    """The log hashes returns: 1 and 1.0 are written differently, and the store reads a float."""
    assert {type(value) for value in run(Wild(worth=worth), RandomPlayer()).returns.values()} == {float}


class Odd(Race):
    """A game whose legal actions contain characters that are removed from answers."""

    def legal(self, seat):
        return tuple(f"{a}\u200d\ufe0f!" for a in super().legal(seat) or ())

    def apply(self, actions):
        ((seat, action),) = actions.items()
        if action not in self.legal(seat):
            raise IllegalAction(f"not {action!r}")
        self.pile -= int(action[0])
        self.mover = 1 - self.mover


def test_a_legal_action_is_played_as_its_game_wrote_it():
    episode = run(Odd(), RandomPlayer())
    assert episode.status == "finished"
    assert all("\u200d" in turn.action for turn in episode.turns)


def test_a_refused_actions_reason_is_cleaned():
    class Refuses(Race):
        def legal(self, seat):  # type: ignore[override]
            return None

        def apply(self, actions):
            raise IllegalAction(f"not{WILD}")

    episode = run(Refuses(), Acting(lambda view: Decision(f"x{WILD}y")))
    assert {a.reason for a in episode.failure} == {"not\ufffd[31m"}
    assert {a.action for a in episode.failure} == {"x\ufffd[31my"}


def test_an_observation_keeps_only_visible_ascii_and_breaks_of_lines():
    for c in map(chr, range(128)):
        observation = Observation(f"a\n{c}b")
        assert observation.text == clean(f"a\n{c}b")
        assert (c in observation.text) == (c in "\n\t" or c.isprintable())
    with pytest.raises(AttributeError):
        observation.text = "\x1b"  # type: ignore[misc]
