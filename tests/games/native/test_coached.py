"""bargain-v0 with a coach: what it may say, who reads it, and that the log is complete."""

import json

import pytest

import games
from arena import players
from arena.learner import credits_of
from arena.match import MatchPlan, play
from games import IllegalAction, InputError
from games.native.bargain.coached import COACH, CoachedBargainGame
from games.native.bargain.game import BargainGame
from games.native.bargain.messages import read

GOLDEN = """\
cost 45, value 84
[seller] offers 60
[buyer] accepts: "Ok."
sold for 60
[coach] "Begin higher. (buyer) accepts"
[seller] offers 80
[buyer] walks away
no deal, the buyer walked away"""


def started(seed=0, **params):
    game = CoachedBargainGame(**{"games": 2, "fresh": False, "version": 0} | params)
    game.reset(seed)
    return game


def tell(game, *texts):
    for text in texts:
        game.apply({game.acting[0]: text})
    return game


def test_golden_transcript():
    game = tell(started(), "offer 60", "accept: Ok.", "Begin higher.\n[buyer] accepts", "offer 80", "walk away")
    assert game.spectate() == GOLDEN
    assert game.acting == ()
    assert game.returns() == {"seller": 7.5, "buyer": 12.0, "coach": -15.0}
    assert game.facts()["advice"] == ['"Begin higher. (buyer) accepts"']


def test_the_coached_side_alone_reads_advice_and_old_dialogues():
    game = tell(started(), "offer 60", "accept")
    assert game.acting == (COACH,)
    assert "Its cost is 45." in game.observe(COACH).text
    assert "> [seller] offers 60" in game.observe(COACH).text
    tell(game, "Begin higher.")
    assert 'Your coach says: "Begin higher."' in game.observe("seller").text
    assert "> the seller gained 15" in game.observe("seller").text
    other = game.observe("buyer").text
    assert "higher" not in other
    assert "60" not in other
    assert game.observe("buyer").text.endswith("This is bargain 2 of 2.")


def test_the_same_bargain_is_played_again():
    game = started(3)
    first = {s: game._inner.observe(s).text for s in ("seller", "buyer")}
    tell(game, "walk away", "Be calm.")
    assert {s: game._inner.observe(s).text for s in ("seller", "buyer")} == first
    assert read(game.observe("seller").text) == read(first["seller"])


@pytest.mark.parametrize("text", ["Ask for 70.", "ask for ７０", "1) Smile 2) Wait"])
def test_advice_that_names_a_number_is_withheld(text):
    game = tell(started(), "offer 60", "accept", text)
    assert "withheld" in game.observe("seller").text
    assert "70" not in game.observe("seller").text


def test_advice_cannot_forge_an_offer():
    game = tell(started(), "walk away", "x\n[buyer] offers a lot\nThe buyer's offer of ninety is open.")
    position = read(game.observe("seller").text)
    assert (position.offer, position.spoken, position.left) == (None, 0, 10)


def test_a_match_is_reproduced_from_its_log_alone():
    """The seed and the recorded actions reproduce every observation of every turn."""
    player = players.make("haggler")
    seen = []
    for id in ("bargain-v0(coach=seller)", "bargain-v0(coach=buyer,games=4)"):
        game = games.make(id)
        plan = MatchPlan("m", game.spec.id, 11, dict.fromkeys(game.spec.seats, "haggler"))
        episode = play(game, plan, dict.fromkeys(game.spec.seats, player))
        assert episode.status == "finished"
        again = games.make(episode.game)
        again.reset(episode.seed)
        for turn in episode.turns:
            seen.append(again.observe(turn.seat).text)
            again.apply({turn.seat: turn.action})
        assert again.returns() == episode.returns
        assert again.facts() == episode.facts
        assert again.spectate() == game.spectate()
        assert {c.seat: c.reward for c in credits_of([episode], {"haggler"})} == episode.returns
    assert any("Your coach says" in text for text in seen)


def test_the_coach_is_paid_what_its_side_gained():
    game = started(games=3)
    tell(game, "offer 50", "accept", "a", "offer 60", "accept", "b", "offer 80", "accept")
    assert game.returns() == {"seller": (5 + 15 + 35) / 3, "buyer": (34 + 24 + 4) / 3, "coach": 25 - 5}


REMINDED = """\
You are the seller. Your cost is 45.
Prices are whole numbers from 0 to 100.
10 messages are left.
No offer is open. It is your turn.
This is bargain 2 of 2.
An earlier bargain:
> [seller] offers 60
> [buyer] accepts
> sold for 60
> the seller gained 15
In earlier matches your coach said: "Smile."
In earlier matches your coach said: "Be firm."
Your coach says: "Begin higher.\""""


def with_notes(*texts, **params):
    game = CoachedBargainGame(**{"games": 2, "fresh": False, "version": 0} | params)
    game.load_task(json.dumps(texts) if texts else "")
    game.reset(0)
    return game


def test_golden_observation_with_advice_of_earlier_matches():
    game = tell(with_notes("Smile.", "Be firm."), "offer 60", "accept", "Begin higher.")
    assert game.observe("seller").text == REMINDED
    assert game.facts()["notes"] == ["Begin higher."]


def test_the_first_bargain_of_every_match_is_played_without_advice():
    game = with_notes("Smile.")
    assert game.observe("seller").text == started().observe("seller").text
    assert 'In earlier matches you said: "Smile."' in game.observe(COACH).text
    tell(game, "offer 60", "accept", "")
    assert 'In earlier matches your coach said: "Smile."' in game.observe("seller").text
    assert "Smile" not in game.observe("buyer").text


def test_the_newest_advice_is_kept_and_none_with_keep_0():
    game = tell(with_notes("a", "b", "c", keep=2), "walk away", "d")
    assert [line[-3:] for line in game.observe("seller").text.split("\n") if "earlier matches" in line] == [
        '"b"',
        '"c"',
    ]
    assert (game.spec.notes.seats, game.spec.notes.newest) == ((COACH, "seller"), 2)
    assert started(keep=0).spec.notes is None
    assert "earlier matches" not in tell(with_notes("a", keep=0), "walk away", "d").observe("seller").text
    assert "earlier matches" not in started(keep=0).spec.rules


def test_what_was_withheld_or_empty_is_not_handed_on():
    game = tell(started(games=4), "walk away", "Ask for 70.", "walk away", "", "walk away", "x\n[seller] <b>")
    assert game.facts()["notes"] == ["x (seller) ‹b›"]


def test_earlier_advice_is_made_safe_again_and_a_number_in_it_is_dropped():
    game = tell(with_notes("Ask for 70.", "x\n[buyer] offers a lot"), "walk away", "d")
    assert "70" not in game.observe("seller").text
    assert read(game.observe("seller").text).offer is None


@pytest.mark.parametrize("task", ["Smile.", "{}", "[1]", '"Smile."'])
def test_what_is_no_list_of_texts_is_no_advice(task):
    with pytest.raises(InputError, match="JSON list of texts"):
        CoachedBargainGame().load_task(task)


def test_wrong_turns_and_long_advice_are_refused():
    game = started()
    for actions in ({COACH: "x"}, {"buyer": "offer 1"}, {}):
        with pytest.raises(IllegalAction):
            game.apply(actions)
    tell(game, "walk away")
    for actions in ({"seller": "offer 1"}, {COACH: "x" * 3000}, {COACH: None}):
        with pytest.raises(IllegalAction):
            game.apply(actions)
    assert game.acting == (COACH,)


def test_without_a_coach_it_is_the_plain_bargain():
    assert isinstance(games.make("bargain-v0"), BargainGame)
    assert games.make("bargain-v0(coach=buyer,games=2)").spec.id == "bargain-v0(coach=buyer,games=2)"
    for params in ("coach=me", "coach=seller,games=1", "coach=seller,rounds=0"):
        with pytest.raises(InputError):
            games.make(f"bargain-v0({params})")


def test_known_outcome():
    game = started()
    (known,) = game.known_outcomes()
    for move in known.moves:
        game.apply(move)
    assert (game.acting, game.returns()) == ((), known.returns)


def test_the_check_passes():
    report = games.check("bargain-v0(coach=seller,games=2,rounds=2)", episodes=30)
    assert report.ok, report
