"""Turns of bots take short cuts; what is recorded is the same."""

import pytest

import games
from arena.match import Decision, MatchPlan, play
from arena.match.sanitize import sanitize_returns
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from games.openspiel.catalog import PLAYABLE
from games.outcome import FixedReturns

SEATS = {"player_0": "player", "player_1": "player"}


class Answers(Player):
    """Plays a prepared decision."""

    name = "answers"

    def __init__(self, decision: object) -> None:
        self.decision = decision

    def act(self, view):
        return self.decision


@pytest.mark.parametrize(
    ("decision", "category", "action"),
    [
        (Decision("Pass", text="I pa\x1bss"), "ok", "Pass"),
        (Decision("Pass", reason="\x1b[31m"), "ok", "Pass"),
        (Decision(" pa\x1bss"), "illegal", " pass"),
        (Decision(5), "error", None),
        (Decision("Pass", spent=-1), "error", None),
        ("Pass", "error", None),
        (None, "error", None),
    ],
)
def test_a_decision_that_is_more_than_a_legal_action_is_sanitized(decision, category, action):
    players = {"player_0": Answers(decision), "player_1": RandomPlayer()}
    episode = play(
        games.make("openspiel/kuhn_poker"),
        MatchPlan("m", "openspiel/kuhn_poker", 3, dict.fromkeys(SEATS, "a")),
        players,
    )
    first = episode.failure[0] if episode.forfeited_by else episode.turns[0].attempts[0]
    assert (first.category, first.action) == (category, action)
    assert "\x1b" not in f"{first.text}{first.reason}"


def test_fixed_returns_are_checked_when_they_are_made_and_copied_for_each_match():
    returns = FixedReturns(SEATS, (1, -1.0))
    copy = sanitize_returns(returns, SEATS)
    assert type(copy) is dict
    assert copy == {"player_0": 1.0, "player_1": -1.0}
    assert all(type(value) is float for value in copy.values())
    with pytest.raises(ValueError, match="finite"):
        FixedReturns(SEATS, (float("nan"), 0.0))
    with pytest.raises(ValueError, match=r"returns\(\) is for player_"):
        sanitize_returns(returns, {**SEATS, "player_2": "player"})


def test_games_of_openspiel_with_one_phase_have_no_other():
    names = [name for name in sorted(PLAYABLE) if not name.startswith(("python_", "chat_"))]
    kept = 0
    for name in names:
        try:
            game = games.make(f"openspiel/{name}")
        except games.InputError:
            continue
        for _ in range(6 if game.one_phase else 0):
            assert {game.phase(seat) for seat in game.acting} <= {"play"}, name
            if game.acting:
                kept += 1
                game.apply({seat: game.legal(seat)[-1] for seat in game.acting})
    assert kept > 100
