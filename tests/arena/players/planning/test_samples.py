"""Players that sample several answers of another: which one they play, and what it costs."""

from collections.abc import Sequence

import games
from arena import Decision, MatchPlan, Player, View, players
from arena.match import play
from arena.records import Sample
from league.records.matches import PlannedMatch, summarize


class Uncertain(Player):
    """Gives the listed answers in turn; each costs three tokens, the n-th with log probability -n each."""

    name = "uncertain"

    def __init__(self, answers: Sequence[str]) -> None:
        self.answers, self.views = list(answers), list[View]()

    def act(self, view):
        number = len(self.views)
        self.views.append(view)
        text = self.answers[number % len(self.answers)]
        sample = Sample((1, 2), (3, 4, 5), (-1.0 - number,) * 3)
        return Decision(text, sample=sample) if text else Decision(None, "unparsable", sample=sample)


def turn(legal=("a", "b", "c")):
    return View(games.make("openspiel/tic_tac_toe"), "player_0", "player", legal, 7, 0)


def wrapped(id, inner):
    player = players.make(id)
    player._parts = {"player": inner}  # type: ignore[attr-defined]
    player.player = inner  # type: ignore[attr-defined]
    return player


def test_best_of_picks_by_votes():
    inner = Uncertain(["", "a", "b", "z", "b"])  # one unusable, one illegal
    decision = wrapped("best-of(k=5)", inner).act(turn())
    assert decision.action == "b"
    assert decision.sample is not None
    assert decision.spent == 4 * 3
    assert len({view.seed for view in inner.views}) == 5


def test_no_usable_answer_is_a_failed_attempt():
    for id in ("best-of(k=3)", "revise", "lookahead"):
        decision = wrapped(id, Uncertain([""])).act(turn())
        assert decision.action is None
        assert decision.category == "unparsable"
        assert decision.spent >= 6


def test_revise_shows_earlier_answers_as_notes():
    inner = Uncertain(["a", "b", "b", "c", "c"])
    decision = wrapped("revise(k=2)", inner).act(turn())
    notes = [tuple(view.notes) for view in inner.views]
    assert notes[:2] == [(), ()]
    assert notes[2][0].startswith("Your earlier answer: a\n")
    assert notes[3][0].startswith("Your earlier answer: b\n")
    assert notes[4][:2] == ("Earlier answer 1: b", "Earlier answer 2: c")
    assert decision.action == "c"  # of equally many votes, the last one given
    assert decision.spent == 4 * 3


def test_lookahead_plays_the_proposal_that_wins():
    game = games.make("openspiel/tic_tac_toe")
    game.reset(0)
    for move in ("x(0,0)", "o(2,2)", "x(0,1)", "o(2,1)"):
        game.apply({game.acting[0]: move})
    view = View(game, "player_0", "player", game.legal("player_0"), 5, 4)
    proposals = ["x(1,0)", "x(1,0)", "x(1,0)", "x(0,2)"]
    assert wrapped("lookahead(rollouts=8)", Uncertain(proposals)).act(view).action == "x(0,2)"
    assert "no OpenSpiel state" in str(players.make("lookahead").supports(games.make("bargain-v1")))


def test_all_tokens_of_a_decision_count():
    game, player = games.make("openspiel/tic_tac_toe"), wrapped("best-of(k=4)", Uncertain(["x(0,0)"]))
    plan = MatchPlan("m", game.spec.id, 1, {"player_0": "p", "player_1": "q"})
    other = players.make("random", "q")
    player.name = "p"
    episode = play(game, plan, {"player_0": player, "player_1": other})
    result = summarize(PlannedMatch(0, 0, "p", plan), episode)
    assert episode.status == "forfeit"  # its only answer is taken after the first turn
    assert result.seats[0].tokens == 4 * 3 * (result.seats[0].turns + len(episode.failure) - 1)
