"""A hidden move changes nothing that a seat without the right to know it reads."""

import copy
import time

import pytest

from games import to_aec
from games.conformance import check_game
from games.conformance.run import run_check
from games.conformance.secrets import secrets
from games.conformance.subject import Subject
from tests.games.conformance import hidden_games as g
from tests.toys.correct_games import Shells


def errors(report):
    return {f.check for f in report.findings if f.severity == "error"}


def leaks(game, episodes=40):
    """The leaks that the check of secrets finds, without the rest of the kit."""
    subject = Subject(lambda: copy.deepcopy(game), to_aec, episodes, 0, time.monotonic() + 60)
    subject.play_matches(0.5)
    findings, _ = run_check("secrets", secrets(subject))
    return [f for f in findings if f.severity == "error"]


@pytest.mark.parametrize("game", [*g.CLEAN, g.OpenMoves])
def test_a_game_that_hides_its_hidden_moves_has_no_finding(game):
    report = check_game(game(), episodes=40)
    assert not errors(report), str(report)
    assert report.status("secrets") == ("not verifiable" if game is g.OpenMoves else "pass"), str(report)


@pytest.mark.parametrize("leak", g.LEAKS)
@pytest.mark.parametrize("game", [g.HiddenMove, g.FreeWord, g.SealedBid, g.Vote])
def test_a_hidden_move_that_changes_what_others_read_is_found(game, leak):
    same = game is g.Vote and leak == "one bit of it"  # both votes read "low"
    assert bool(leaks(g.leaking(game, g.LEAKS[leak]))) is not same


@pytest.mark.parametrize(
    "game", [g.OneLetter, g.SpelledBid, g.Placement, g.QuestionWithAnswer, g.Battleship, g.Hangman]
)
@pytest.mark.parametrize("leak", ["verbatim", "only the hidden word", "to one seat"])
def test_hidden_moves_of_every_form_are_compared(game, leak):
    assert leaks(g.leaking(game, g.LEAKS[leak]))


@pytest.mark.parametrize("leak", g.LATE_LEAKS)
@pytest.mark.parametrize("game", [g.HiddenMove, g.FreeWord, g.SealedBid, g.Vote, g.Placement])
def test_a_leak_after_others_have_acted_is_found(game, leak):
    assert leaks(g.leaking(game, g.LATE_LEAKS[leak]))


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_bid_of_seats_that_act_at_once_is_found_in_a_later_text(rounds):
    """The bid of the first round is shown to one seat after one more round, or at once."""

    def leak(game, reader, hidden):
        return f"a bid {game.bids('a')[0]}" if reader == "b" and len(game.bids("a")) == rounds else ""

    assert leaks(g.leaking(g.Rounds, leak))


def test_a_seat_that_may_know_is_no_leak_and_another_one_is():
    assert not leaks(g.Partners())
    (leak,) = leaks(g.leaking(g.Partners, g.LEAKS["verbatim"]))
    assert "b's observation depends on a's hidden move of turn 0" in leak.message


def test_a_hidden_move_in_the_infos_of_an_environment():
    report = check_game(g.HiddenMove(), episodes=40, aec=g.aec_with_hidden_move)
    assert errors(report) == {"infos"}, str(report)
    assert not errors(check_game(g.HiddenMove(), episodes=40))


def test_a_choice_in_infos_before_all_have_chosen_needs_no_declared_secret():
    report = check_game(Shells(), episodes=20, aec=g.aec_with_hidden_move)
    assert errors(report) == {"infos"}, str(report)
    assert "before all have chosen" in str(report)


def test_what_may_be_known_must_be_disclosed():
    class Undisclosed(g.Hangman):
        def disclosure(self, seat):
            return ""

    report = check_game(Undisclosed(), episodes=40)
    assert errors(report) == {"secrets"}
    assert "belongs in disclosure('a')" in str(report)


def test_without_a_comparison_the_status_is_not_verifiable():
    class Silent(g.HiddenMove):
        def secrets(self, seat):
            return ("the word of the boss",) if seat == "a" and self.log else ()

        def observe(self, seat):
            return g.Observation(f"the word of the boss\n{super().observe(seat).text}")

        spec = g.GameSpec("silent-v0", g.HiddenMove.seats, "cooperative", "Guess the word of the boss.", max_turns=5)

    report = check_game(Silent(), episodes=40)
    assert report.status("secrets") == "not verifiable", str(report)
    assert (report.ok, report.exit_code) == (True, 0)
    assert "note  secrets    nothing to compare, and no fault: no secret differs between matches" in str(report)
