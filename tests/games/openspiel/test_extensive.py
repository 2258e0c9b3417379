"""Games in extensive form are played in words."""

import pytest

import games

TEXT = """EFG 2 R "penny" { "A" "B" } ""
c "" 1 "" { "heads" 1/4 "" 3/4 } 0
p "" 1 1 "sees heads" { "show" "hide" } 0
t "" 1 "" { 1 -1 }
p "" 2 1 "" { "call" "leave" } 0
t "" 2 "" { 2 -2 }
t "" 3 "" { 1 0 }
p "" 2 1 "" { "call" "leave" } 0
t "" 4 "" { -2 2 }
t "" 5 "" { 1 0 }
"""
RULES = """A game for 2 players. It goes on as follows:
- at the start: chance draws heads (0.25) or event 2 (0.75)
- after heads: player_0, set 1 (sees heads), chooses show or hide
- after heads, hide or after event 2: player_1, set 1, chooses call or leave
Returns of player_0, player_1 at each end:
- heads, show: 1, -1
- heads, hide, call: 2, -2
- heads, hide, leave: 1, 0
- event 2, call: -2, 2
- event 2, leave: 1, 0
An action is one of the names listed for your set."""


@pytest.fixture
def penny(tmp_path):
    file = tmp_path / "penny.efg"
    file.write_text(TEXT)
    return games.make(f"openspiel/efg_game(filename={file})")


def test_the_rules_are_the_whole_game(penny):
    assert penny.spec.rules == RULES


def test_only_the_acting_seat_reads_its_information_set(penny):
    """OpenSpiel's text for another player names the set of the one who acts, and with it what that one saw."""
    seed = next(seed for seed in range(50) if penny.reset(seed) or penny.acting == ("player_0",))
    assert penny.observe("player_0").text == "You are player_0. It is your turn. You are at set 1 (sees heads)."
    assert penny.observe("player_1").text == "You are player_1. It is player_0's turn."
    penny.apply({"player_0": "hide"})
    hidden = penny.observe("player_1").text
    assert hidden == "You are player_1. It is your turn. You are at set 1."
    other = next(seed for seed in range(50) if penny.reset(seed) or penny.acting == ("player_1",))
    assert seed != other
    assert penny.observe("player_1").text == hidden


def test_it_is_checked_and_disguised(penny):
    games.check(penny, episodes=10).raise_if_failed()
    veiled = games.make(f"veil(of={penny.spec.id})")
    assert not {"heads", "show", "hide", "leave"} & set(veiled.spec.rules.replace(",", " ").split())
    assert penny.spec.rules.count("\n- ") == veiled.spec.rules.count("\n  - ")
