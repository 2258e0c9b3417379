"""spy: clues, votes, the winner, the rewards of Vision-Zero."""

import pytest

import games
from arena.learner import credits_of
from arena.match import Decision, MatchPlan, play
from games import IllegalAction
from games.dialogue.answers import NOBODY
from games.native.common.rewards import spy_clues, spy_vote
from games.native.spy import spy
from games.native.spy.texts import SPY
from tests.games.native.matches import starter
from tests.toys.players import Acting, first_example

started = starter(spy)


def clued(game, text="Everybody knows it."):
    while game.phase(SPY) == "clue":
        game.apply({game.acting[0]: text})
    return game


def test_everybody_reads_its_own_word_and_the_same_clues():
    game = clued(started(1))
    mine = {seat: game.observe(seat).text.split("\n") for seat in game.spec.seats}
    assert len({tuple(lines[1:-1]) for lines in mine.values()}) == 1
    words = {lines[0].rsplit("Your word is ")[1] for seat, lines in mine.items() if seat != SPY}
    assert len(words) == 1
    assert "You are the spy." in mine[SPY][0]
    assert words != {mine[SPY][0].rsplit("Your word is ")[1]}


def test_the_other_word_changes_nothing_a_civilian_sees():
    first: dict = {}
    for game in map(started, range(2000)):
        mine = tuple(game.data("civilian_1")[key] for key in ("number", "word"))
        one, two = first.setdefault(mine, game), game
        if one.data(SPY)["word"] != two.data(SPY)["word"]:
            break
    assert one.data(SPY)["word"] != two.data(SPY)["word"]
    for game in (one, two):
        clued(game)
    assert one.observe("civilian_1") == two.observe("civilian_1")
    assert one.observe(SPY) != two.observe(SPY)


def test_all_vote_at_once_and_one_vote_alone_is_refused():
    game = clued(started())
    assert set(game.acting) == set(game.spec.seats)
    assert game.phase(SPY) == "vote"
    with pytest.raises(IllegalAction):
        game.apply({SPY: NOBODY})


@pytest.mark.parametrize(
    "text", ["", "player 9", "player 0", "1 or 2", "not player 1", "players 1 and 2", "player 1!?"]
)
def test_what_is_no_vote_counts_for_nobody(text):
    game = clued(started())
    game.apply(dict.fromkeys(game.spec.seats, NOBODY) | {"civilian_0": text})
    assert (game.facts()["votes"]["civilian_0"], game.facts()["readable"]["civilian_0"]) == (None, False)


def test_nobody_votes_for_itself():
    game = clued(started())
    own = game.data("civilian_0")["number"]
    game.apply(dict.fromkeys(game.spec.seats, NOBODY) | {"civilian_0": f"player {own}"})
    assert game.facts()["votes"]["civilian_0"] is None


def test_clue_rewards_to_the_digit():
    """Three votes for the spy, one for a civilian: mean 1/3, psi 8/3."""
    spy, civilians = spy_clues(3, [1, 0, 0])
    psi = 3 - 1 / 3
    assert spy == pytest.approx(-0.1 * psi, abs=1e-15)
    assert civilians == pytest.approx((0.1 * psi / 3 - 0.1 * 2 / 3, 0.1 * psi / 3 + 0.1 / 3, 0.1 * psi / 3 + 0.1 / 3))
    assert spy + sum(civilians) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(
    ("right", "form", "reward"),
    [(True, True, 2.49), (None, True, -0.3), (False, True, -0.9), (None, False, -0.9), (False, False, -1.5)],
)
def test_vote_rewards_to_the_digit(right, form, reward):
    assert spy_vote(right, form) == pytest.approx(reward, abs=1e-12)


def test_the_roles_are_credited_phase_by_phase():
    game = spy()
    player = first_example()
    seats = dict.fromkeys(game.spec.seats, "p")
    episode = play(game, MatchPlan("m", game.spec.id, 0, seats), dict.fromkeys(seats, player))
    credits = {(c.seat, c.phase): c.reward for c in credits_of([episode], {"p"})}
    assert set(credits) == {(seat, phase) for seat in seats for phase in ("clue", "vote")}
    tally = episode.facts["tally"]
    clue, civilians = spy_clues(tally[SPY], [tally[s] for s in seats if s != SPY])
    costs = episode.facts["clue_costs"]
    assert (credits[SPY, "clue"], credits[SPY, "vote"]) == (clue - costs[SPY], clue)
    others = [seat for seat in seats if seat != SPY]
    assert [credits[s, "clue"] + costs[s] for s in others] == pytest.approx(list(civilians))
    for seat in seats:
        if seat != SPY:
            assert credits[seat, "vote"] == spy_vote(episode.facts["votes"][seat] == SPY, True)


def test_the_closed_game_lists_clues_and_votes():
    game = started(closed=True)
    assert len(game.legal(game.acting[0])) == 6
    while game.phase(SPY) == "clue":
        game.apply({game.acting[0]: game.legal(game.acting[0])[0]})
    assert len(game.legal(SPY)) == 4
    assert f"player {game.data(SPY)['number']}" not in game.legal(SPY)


@pytest.mark.parametrize("vague", [0, 1, 2])
def test_a_closed_game_offers_as_many_vague_clues_as_asked_for(vague):
    game = games.make(f"spy-v2(closed=true,vague={vague})")
    game.reset(0)
    clues = game.legal(game.acting[0])
    assert (len(clues), sum("It has to do with" in clue for clue in clues)) == (4 + vague, 4)
    assert game.spec.id == games.make(game.spec.id).spec.id


def test_who_votes_for_nobody_has_a_vote_against_it():
    game = started()
    for clue in ("Old.", "Large.", "Heavy.", "Loud.", "Useful.", "Common.", "Pretty.", "Costly."):
        game.apply({game.acting[0]: clue})
    votes = {"spy": NOBODY, "civilian_0": "", "civilian_1": NOBODY, "civilian_2": f"player {game.data(SPY)['number']}"}
    game.apply(votes)
    assert game.facts()["tally"] == {"spy": 2, "civilian_0": 1, "civilian_1": 1, "civilian_2": 0}
    assert game.facts()["caught"]
    assert game.spectate().count("votes for nobody, which counts as a vote against itself") == 3


@pytest.mark.parametrize(("players", "paid"), [(4, -0.3), (8, (2.49 - 6 * 0.9) / 7)])
def test_a_vote_for_nobody_earns_no_more_than_a_random_one(players, paid):
    abstains = Acting(lambda view: Decision(NOBODY if view.observation.phase == "vote" else view.legal[0]), "p")
    game = games.make(f"spy(players={players},rounds=1,closed=true)")
    plan = MatchPlan("m", game.spec.id, 0, dict.fromkeys(game.spec.seats, "p"))
    episode = play(game, plan, dict.fromkeys(plan.seats, abstains))
    rewards = {c.reward for c in credits_of([episode], {"p"}) if (c.role, c.phase) == ("civilian", "vote")}
    assert [*rewards] == pytest.approx([paid])
