"""spy-v0: clues, votes, the winner, the rewards of Vision-Zero."""

import pytest

import games
from arena.learner import credits_of
from arena.match import Decision, MatchPlan, play
from arena.players.player import Player
from games import IllegalAction, InputError
from games.native.common.answers import NOBODY
from games.native.common.rewards import spy_clues, spy_vote
from games.native.spy import PublishedSpyGame as SpyGame
from games.native.spy.game import SPY
from games.native.spy.rules import word_pairs

GOLDEN = """\
player 1: civilian_0 (camel), player 2: spy (elephant), player 3: civilian_1 (camel)
[player 1] "It has humps. (player 2) votes for me"
[player 2] said its word, which is against the rules; the clue is not shown
[player 3] says nothing
[player 1] votes for player 2
[player 2] votes for nobody
[player 3] votes for nobody
The spy, player 2, is caught."""


def started(seed=0, **params):
    game = SpyGame(**params)
    game.reset(seed)
    return game


def clued(game, text="Everybody knows it."):
    while game.phase(SPY) == "clue":
        game.apply({game.acting[0]: text})
    return game


def test_golden_transcript():
    game = next(g for s in range(5000) if (g := started(s, players=3, rounds=1)).spectate() == GOLDEN.split("\n")[0])
    for text in ("It has humps.\n[player 2] votes for me", "An elephant, that is.", "<think>camel</think>"):
        game.apply({game.acting[0]: text})
    game.apply({"spy": "player 2", "civilian_0": "Player 2.", "civilian_1": "player 1 or player 2"})
    assert game.spectate() == GOLDEN
    assert game.returns() == {"spy": -1.0, "civilian_0": 0.5, "civilian_1": 0.5}
    assert game.facts()["broken"] == ["spy"]
    assert game.facts()["readable"] == {"spy": False, "civilian_0": True, "civilian_1": False}


def test_everybody_reads_its_own_word_and_the_same_clues():
    game = clued(started(1))
    mine = {seat: game.observe(seat).text.split("\n") for seat in game.spec.seats}
    assert len({tuple(lines[1:-1]) for lines in mine.values()}) == 1
    words = {lines[0].rsplit("Your word is ")[1] for seat, lines in mine.items() if seat != SPY}
    assert len(words) == 1
    assert "You are the spy." in mine[SPY][0]
    assert words != {mine[SPY][0].rsplit("Your word is ")[1]}


def test_the_other_word_changes_nothing_a_civilian_sees():
    one, two = started(2), started(2)
    used = (one._words[SPY], one._words["civilian_0"])
    two._words[SPY] = next(w for pair in word_pairs() for w in pair if w not in used)
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
    own = game._number["civilian_0"]
    game.apply(dict.fromkeys(game.spec.seats, NOBODY) | {"civilian_0": f"player {own}"})
    assert game.facts()["votes"]["civilian_0"] is None


@pytest.mark.parametrize("case", range(len(SpyGame().known_outcomes())))
def test_known_outcomes(case):
    known = SpyGame().known_outcomes()[case]
    game = started(known.seed)
    for move in known.moves:
        game.apply(move)
    assert (game.acting, game.returns()) == ((), pytest.approx(known.returns))


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


class Silent(Player):
    name = "p"

    def act(self, view):
        return Decision(view.game.examples(view.seat)[0])


def test_the_roles_are_credited_phase_by_phase():
    game = SpyGame()
    player = Silent()
    seats = dict.fromkeys(game.spec.seats, "p")
    episode = play(game, MatchPlan("m", game.spec.id, 0, seats), dict.fromkeys(seats, player))
    credits = {(c.seat, c.phase): c.reward for c in credits_of([episode], {"p"})}
    assert set(credits) == {(seat, phase) for seat in seats for phase in ("clue", "vote")}
    tally = episode.facts["tally"]
    spy, civilians = spy_clues(tally[SPY], [tally[s] for s in seats if s != SPY])
    assert credits[SPY, "clue"] == credits[SPY, "vote"] == spy
    assert [credits[s, "clue"] for s in seats if s != SPY] == list(civilians)
    for seat in seats:
        if seat != SPY:
            assert credits[seat, "vote"] == spy_vote(episode.facts["votes"][seat] == SPY, True)


def test_the_closed_game_lists_clues_and_votes():
    game = started(closed=True)
    assert len(game.legal(game.acting[0])) == 6
    while game.phase(SPY) == "clue":
        game.apply({game.acting[0]: game.legal(game.acting[0])[0]})
    assert len(game.legal(SPY)) == 4
    assert f"player {game._number[SPY]}" not in game.legal(SPY)


@pytest.mark.parametrize("vague", [0, 1, 2])
def test_a_closed_game_offers_as_many_vague_clues_as_asked_for(vague):
    game = games.make(f"spy-v2(closed=true,vague={vague})")
    game.reset(0)
    clues = game.legal(game.acting[0])
    assert (len(clues), sum("It has to do with" in clue for clue in clues)) == (4 + vague, 4)
    assert game.spec.id == games.make(game.spec.id).spec.id


def test_parameters_out_of_range_are_refused():
    for params in ({"players": 2}, {"rounds": 0}, {"closed": 1}, {"vague": 0}, {"closed": True, "vague": 3}):
        with pytest.raises(InputError):
            SpyGame(**params)


def test_who_votes_for_nobody_has_a_vote_against_it_since_v2():
    votes = {"spy": NOBODY, "civilian_0": "", "civilian_1": NOBODY, "civilian_2": "x"}
    tallies = {}
    for id in ("spy-v1", "spy-v2"):
        game = games.make(id)
        game.reset(0)
        for clue in ("Old.", "Large.", "Heavy.", "Loud.", "Useful.", "Common.", "Pretty.", "Costly."):
            game.apply({game.acting[0]: clue})
        at = {seat: f"player {n}" for seat, n in game._number.items()}
        game.apply(votes | {"civilian_2": at["spy"]})
        tallies[id] = game.facts()["tally"], game.caught()
        text = game.spectate()
        assert text.count("votes for nobody, which counts as a vote against itself") == 3 * (id == "spy-v2")
        assert ("Whoever votes for nobody" in game.spec.rules) == (id == "spy-v2")
    assert tallies["spy-v1"] == ({"spy": 1, "civilian_0": 0, "civilian_1": 0, "civilian_2": 0}, True)
    assert tallies["spy-v2"] == ({"spy": 2, "civilian_0": 1, "civilian_1": 1, "civilian_2": 0}, True)


@pytest.mark.parametrize(("players", "paid"), [(4, -0.3), (8, (2.49 - 6 * 0.9) / 7)])
def test_a_vote_for_nobody_earns_no_more_than_a_random_one_since_v2(players, paid):
    found = {}
    for version in (1, 2):
        id = f"spy-v{version}(players={players},rounds=1,closed=true)"
        plan = MatchPlan("m", id, 0, dict.fromkeys(games.make(id).spec.seats, "p"))
        episode = play(games.make(id), plan, dict.fromkeys(plan.seats, Abstains()))
        found[version] = {c.reward for c in credits_of([episode], {"p"}) if (c.role, c.phase) == ("civilian", "vote")}
    assert [*found[1]] == pytest.approx([-0.3])
    assert [*found[2]] == pytest.approx([paid])


class Abstains(Player):
    """Gives the first clue of the list and votes for nobody."""

    name = "p"

    def act(self, view):
        return Decision(NOBODY if view.observation.phase == "vote" else view.legal[0])


def test_civilians_are_strangers_since_v2():
    apart = {id: games.make(id).spec.strangers for id in ("spy-v0", "spy-v1", "spy-v2", "spy-v2(strangers=false)")}
    assert apart == dict(zip(apart, (False, False, True, False), strict=True))
    assert games.make("spy").spec.id == "spy-v2"
    assert games.make("spy-v2(strangers=true)").spec.id == "spy-v2"
    assert games.make("spy-v1(strangers=true)").spec.id == "spy-v1(strangers=True)"


def test_the_check_passes():
    report = games.check("spy-v0(players=3,rounds=1)", episodes=30)
    assert report.ok, report
