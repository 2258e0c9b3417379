"""A void match is booked to the seat that caused it, with what was played and spent before."""

import asyncio

import msgspec
import pytest

from arena import Decision, IllegalPolicy, MatchPlan
from arena.match import play, play_async
from arena.match.replay import contradiction
from arena.players.prompt_shortening import PromptTooLong
from games import InfrastructureError, RunPaused
from league.records.matches import PlannedMatch, summarize
from tests.toys.players import Acting
from tests.toys.small_games import Auction, Race


class Talk(Race):
    """The first seat may write anything."""

    def legal(self, seat):
        return None if seat in self.acting else ()

    def apply(self, actions):
        self.pile, self.mover = self.pile - 1, 1 - self.mover


def one(view):
    return Decision("1", spent=2, prompt_tokens=30)


def raising(error, after=0):
    """Plays `after` turns, then is too late once, then raises."""

    def act(view):
        if view.turn < after:
            return one(view)
        if not view.rejected:
            return Decision(None, "timeout", spent=3)
        raise error

    return act


def ended(game, waits, *acts):
    seats = {seat: Acting(act, waits=waits) for seat, act in zip(game.spec.seats, acts, strict=True)}
    plan = MatchPlan("m", game.spec.id, 1, dict(zip(seats, ("acting", "acting"), strict=True)))
    rule = IllegalPolicy(retries=2)
    return asyncio.run(play_async(game, plan, seats, rule)) if waits else play(game, plan, seats, rule)


def result(episode):
    return summarize(PlannedMatch(0, 0, "p", MatchPlan("m", episode.game, 1, episode.seats)), episode).seats


@pytest.mark.parametrize("waits", [False, True])
def test_a_player_that_fails_made_the_match_void(waits):
    episode = ended(Race(), waits, one, raising(InfrastructureError("the server is down"), after=3))
    assert (episode.status, episode.reason, episode.voided_by) == ("void", "the server is down", "player_1")
    assert [turn.seat for turn in episode.turns] == ["player_0", "player_1", "player_0"]
    assert not any(episode.returns.values())
    assert contradiction(Race(), episode) == ""
    first, second = result(episode)
    assert (first.void_phase, first.turns, first.tokens, first.prompt_tokens) == ("", 2, 4, 60)
    assert (second.void_phase, second.turns, second.tokens, second.prompt_tokens) == ("play", 2, 5, 30)
    assert second.faults == {"timeout": 1}
    assert not first.forfeited
    assert not second.forfeited


@pytest.mark.parametrize("waits", [False, True])
def test_of_seats_that_act_at_once_the_one_that_fails_made_it_void(waits):
    episode = ended(Auction(), waits, one, raising(InfrastructureError("the server is down")))
    assert (episode.voided_by, episode.last_phase) == ("right", "bid")
    assert [seat.void_phase for seat in result(episode)] == ["", "bid"]


@pytest.mark.parametrize("waits", [False, True])
def test_a_paused_run_leaves_no_void_match(waits):
    with pytest.raises(RunPaused):
        ended(Race(), waits, raising(RunPaused("no key")), one)


@pytest.mark.parametrize(("size", "writer"), [(3000, "player_0"), (5000, "player_1")])
def test_a_prompt_that_is_too_long_is_booked_to_the_seat_that_wrote_most_of_it(size, writer):
    def long(view):
        return Decision("1" * 2000)

    episode = ended(Talk(), False, long, raising(PromptTooLong("it has 9,000 tokens", size)))
    assert (episode.status, episode.voided_by) == ("void", writer)
    assert [s.seat for s in result(episode) if s.void_phase] == [writer]


def test_only_a_void_match_has_a_seat_that_made_it_void():
    episode = ended(Race(), False, one, one)
    forged = msgspec.structs.replace(episode, voided_by="player_0")
    assert "its status is finished, but voided_by is 'player_0'" in contradiction(Race(), forged)
    void = msgspec.structs.replace(ended(Race(), False, raising(InfrastructureError("down")), one), voided_by="nobody")
    assert "voided_by is 'nobody'" in contradiction(Race(), void)


def test_the_phase_of_a_forfeit_is_recorded():
    episode = ended(Auction(), False, one, lambda view: Decision(None, "empty"))
    assert (episode.forfeited_by, episode.offender, episode.last_phase) == ("right", "right", "bid")
