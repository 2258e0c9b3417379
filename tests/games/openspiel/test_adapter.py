import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games.errors import IllegalAction, InputError
from games.openspiel import adapter
from games.openspiel.known_outcomes import OUTCOMES
from tests import golden
from tests.games.openspiel.play import random_match


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "chess", "matrix_pd", "hanabi", "negotiation"])
@pytest.mark.parametrize("text", ["", " ", "nonsense", "x" * 1_000_000, "Ⅷ♠\u202e\x00", "0", "-1", "x(0,0)\nx(0,1)"])
def test_what_is_no_action_is_refused_and_changes_nothing(name, text):
    game = games.make(f"openspiel/{name}")
    game.reset(4)
    before = (game.acting, game.spectate(), [game.observe(s) for s in game.spec.seats])
    with pytest.raises(IllegalAction) as caught:
        game.apply(dict.fromkeys(game.acting, text))
    assert len(str(caught.value)) < 600
    assert game.legal(game.acting[0])[0] in str(caught.value)
    assert (game.acting, game.spectate(), [game.observe(s) for s in game.spec.seats]) == before


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=12))
def test_any_text_is_played_or_refused(text):
    game = games.make("openspiel/connect_four")
    game.reset(0)
    if text.strip().casefold() in {f"x{i}" for i in range(7)}:
        game.apply({"player_0": text})
        assert game.acting == ("player_1",)
    else:
        with pytest.raises(IllegalAction):
            game.apply({"player_0": text})
        assert game.acting == ("player_0",)


def test_case_and_outer_spaces_do_not_matter():
    game = games.make("openspiel/kuhn_poker")
    game.reset(0)
    game.apply({"player_0": "  bET \n"})
    assert game.acting == ("player_1",)


def test_a_text_that_could_be_two_actions_is_refused():
    game = games.make("openspiel/crazyhouse")
    for seed in range(40):
        game.reset(seed)
        for _ in range(300):
            if not game.acting:
                break
            (seat,) = game.acting
            legal = game.legal(seat)
            folded = [t.casefold() for t in legal]
            twice = [t for t in legal if folded.count(t.casefold()) > 1]
            if twice:
                with pytest.raises(IllegalAction):
                    game.apply({seat: twice[0].swapcase()})
                game.apply({seat: twice[0]})
                return
            game.apply({seat: legal[(seed * 7 + len(legal)) % len(legal)]})
    pytest.fail("no position with two actions that differ in case only was met")


def test_actions_must_come_from_exactly_the_acting_seats():
    game = games.make("openspiel/tic_tac_toe")
    game.reset(0)
    for actions in ({}, {"player_1": "o(0,0)"}, {"player_0": "x(0,0)", "player_1": "o(1,1)"}, {"nobody": "x(0,0)"}):
        with pytest.raises(IllegalAction, match="player_0"):
            game.apply(actions)
    assert game.acting == ("player_0",)


def test_a_finished_match_takes_no_action():
    game = games.make("openspiel/matrix_rps")
    random_match(game, 0)
    assert game.acting == ()
    with pytest.raises(IllegalAction, match="over"):
        game.apply({"player_0": "Rock"})


def test_simultaneous_seats_act_together_and_the_refused_one_is_named():
    game = games.make("openspiel/goofspiel(num_cards=3)")
    game.reset(0)
    assert game.acting == ("player_0", "player_1")
    with pytest.raises(IllegalAction) as caught:
        game.apply({"player_0": "[P0]Bid: 1", "player_1": "[P0]Bid: 1"})
    assert caught.value.seat == "player_1"
    with pytest.raises(IllegalAction):
        game.apply({"player_0": "[P0]Bid: 1"})
    game.apply({"player_0": "[P0]Bid: 1", "player_1": "[P1]Bid: 2"})
    assert "[P0]Bid: 1" not in game.legal("player_0")


def test_a_pending_choice_is_hidden_in_the_turn_based_version():
    game = games.make("openspiel/turn_based_simultaneous_game(game=matrix_pd())")
    texts = []
    for choice in ("Cooperate", "Defect"):
        game.reset(0)
        game.apply({"player_0": choice})
        texts.append(game.observe("player_1"))
    assert texts[0] == texts[1]


def test_matches_of_one_game_share_nothing_that_shows():
    """Two interleaved matches of one id equal two consecutive matches."""
    for name in ("leduc_poker", "connect_four", "negotiation"):
        alone = [random_match(games.make(f"openspiel/{name}"), seed, look=True) for seed in (1, 2)]
        a, b = games.make(f"openspiel/{name}"), games.make(f"openspiel/{name}")
        a.reset(1)
        b.reset(2)
        index = 0
        while a.acting or b.acting:
            for game, told in ((a, alone[0]), (b, alone[1])):
                if game.acting:
                    acting, _, seen, actions = told[index]
                    assert game.acting == acting
                    assert [game.observe(s) for s in game.spec.seats] == seen
                    game.apply(actions)
            index += 1


def test_the_position_handed_out_is_a_copy():
    game = games.make("openspiel/tic_tac_toe")
    game.reset(0)
    state = game.openspiel_state()
    state.apply_action(4)
    assert game.openspiel_state().history() == []
    game.apply({"player_0": "x(1,1)"})
    assert game.openspiel_state().history() == [4]


def test_games_of_another_seed_are_other_games():
    for name in ("negotiation", "tarok", "stones_and_gems", "kuhn_poker", "bargaining"):
        seen = {str(random_match(games.make(f"openspiel/{name}"), seed, 60, look=True)) for seed in range(8)}
        assert len(seen) > 1


def test_secrets_are_where_they_belong_and_nowhere_else():
    found = set()
    names = ["kuhn_poker", "leduc_poker", "liars_dice", "universal_poker", "go_fish", "bargaining", "sheriff"]
    names += ["battleship", "trade_comm", "social_deduction(players=4)", "negotiation", "coin_game", "tiny_hanabi"]
    for name in names:
        game = games.make(f"openspiel/{name}")
        for seed in range(6):
            game.reset(seed)
            for turn in range(12):
                texts = {s: game.observe(s).text for s in game.spec.seats}
                for seat in game.spec.seats:
                    for secret in game.secrets(seat):
                        found.add(name)
                        assert [s for s, text in texts.items() if secret in text] == [seat]
                if not game.acting:
                    break
                game.apply({s: game.legal(s)[(seed + turn) % len(game.legal(s))] for s in game.acting})
    assert found == set(names)


@pytest.mark.parametrize(("name", "roles"), golden.lists(__file__, "adapter_roles"))
def test_roles(name, roles):
    assert list(games.make(f"openspiel/{name}").spec.seats.values()) == roles


def test_phases_name_the_kind_of_turn():
    game = games.make("openspiel/sheriff")
    game.reset(0)
    seen = []
    while game.acting:
        (seat,) = game.acting
        assert game.observe(seat).phase == game.phase(seat)
        seen.append(game.phase(seat))
        game.apply({seat: game.legal(seat)[0]})
    assert seen == ["load"] + ["bribe", "inspect"] * 4


def test_payoff_words_and_bounds():
    spec = games.make("openspiel/hanabi").spec
    assert (spec.payoff, spec.returns_range) == ("cooperative", (0.0, 25.0))
    assert games.make("openspiel/matrix_pd").spec.payoff == "general_sum"
    assert games.make("openspiel/battleship").spec.payoff == "zero_sum"
    assert games.make("openspiel/battleship(loss_multiplier=2.0)").spec.payoff == "general_sum"
    assert games.make("openspiel/goofspiel(num_cards=4)").spec.max_turns == 8


def test_a_journal_cannot_be_entered_in_the_middle():
    game = games.make("openspiel/hanabi")
    game.reset(0)
    with pytest.raises(InputError, match="seats also see earlier observations"):
        game.place(game.openspiel_state())


@pytest.mark.parametrize("name", ["leduc_poker", "tic_tac_toe", "goofspiel"])
def test_full_tables_change_nothing(name, monkeypatch):
    """The transcripts do not depend on the number of kept positions and texts."""
    from games.openspiel import shared_game

    def transcripts():
        monkeypatch.setattr(shared_game, "_loaded", {})
        game = adapter.make(name, {})
        return [random_match(game, seed, look=True) for seed in range(30)]

    plenty = transcripts()
    for positions, texts in ((5, 50), (5, 1000), (0, 0)):
        monkeypatch.setattr(shared_game, "KEPT_POSITIONS", positions)
        monkeypatch.setattr(shared_game, "KEPT_TEXTS", texts)
        assert transcripts() == plenty


@pytest.mark.parametrize("id", sorted(OUTCOMES))
def test_matches_of_known_outcome(id):
    game = games.make(id)
    assert game.spec.id == id
    for known in game.known_outcomes():
        game.reset(known.seed)
        for actions in known.moves:
            game.apply(actions)
        assert game.acting == ()
        assert game.returns() == known.returns


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("tic_tac_toe", "..."),
        ("chess", "2 P P P P P P P P"),
        ("chess", "White to move."),
        ("dark_chess", "5 . . . . . . . ."),
        ("liars_dice", "Your dice: "),
    ],
)
def test_a_spectator_sees_a_board_or_what_each_seat_reads(name, line):
    assert line in games.make(f"openspiel/{name}").spectate()
