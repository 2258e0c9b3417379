"""bargain: message forms, observations, returns, and the haggler."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games import IllegalAction, RandomStream
from games.native.bargain import bargain
from games.native.bargain.deal import BargainPosition
from games.native.bargain.policies import asking_price, haggles
from games.shortcuts import ScriptedTurn
from tests import golden
from tests.games.native.matches import play, starter

started = starter(bargain)


def position(game, seat):
    return game.data(seat)["position"]


def test_each_side_reads_its_own_value_and_the_same_messages():
    game = play(started(), "offer 90: Hardly used.")
    assert game.observe("buyer").text == (
        "You are the buyer. Your value is 57.\n"
        "Prices are whole numbers from 0 to 100.\n"
        '[seller] offers 90: "Hardly used."\n'
        "9 messages are left.\n"
        "The seller's offer of 90 is open. It is your turn."
    )
    assert game.observe("seller").text == (
        "You are the seller. Your cost is 47.\n"
        "Prices are whole numbers from 0 to 100.\n"
        '[seller] offers 90: "Hardly used."\n'
        "9 messages are left.\n"
        "Your offer of 90 is open. It is the buyer's turn."
    )
    assert game.observe("buyer").phase == game.phase("buyer") == "respond"
    assert play(game, "reject").observe("buyer").phase == "open"


@pytest.mark.parametrize(
    ("before", "text", "reason"), golden.rows(__file__, "bargain_anything_else_is_refused_with_the_form")
)
def test_anything_else_is_refused_with_the_form(before, text, reason):
    game = play(started(), *before)
    view = game.spectate()
    with pytest.raises(IllegalAction) as refused:
        play(game, text)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert game.spectate() == view


@pytest.mark.parametrize("text", ["accept", "Accept: yes", "ACCEPT :", " accept \n", "accept:\n\nfine"])
def test_accepting_takes_the_offer_just_made(text):
    game = play(started(), "offer 80", "offer 60: last word 10", text)
    assert game.returns() == {"seller": 13.0, "buyer": -3.0}


def test_a_price_that_was_only_said_binds_nobody():
    game = play(started(), "offer 90", "reject: I would pay $60, deal?", "walk away: fine, accept 60")
    assert game.returns() == {"seller": 0.0, "buyer": 0.0}


def test_the_last_message_ends_the_match():
    game = play(started(rounds=1), "offer 80", "offer 60")
    assert game.acting == ()
    assert game.returns() == {"seller": 0.0, "buyer": 0.0}
    assert "no deal, no messages are left" in game.observe("seller").text
    assert game.examples("seller") == () == game.legal("seller")


def test_wrong_seats_are_refused():
    game = started()
    for actions in ({}, {"buyer": "offer 3"}, {"seller": "offer 3", "buyer": "offer 3"}):
        with pytest.raises(IllegalAction):
            game.apply(actions)
    with pytest.raises(IllegalAction):
        game.apply({"seller": None})


ALPHABET = 'offeracptjwlky 0123456789:$-.\n\t"[]<|>é١'


@given(
    st.one_of(st.text(ALPHABET, max_size=40), st.text(), st.from_regex(r"(?i)\s*(offer \d{1,4}|accept|walk away):?.*"))
)
def test_any_text_is_taken_or_refused_and_a_refusal_changes_nothing(text):
    for prefix in ((), ("offer 50",)):
        game = play(started(), *prefix)
        before = game.spectate()
        try:
            play(game, text)
        except IllegalAction:
            assert game.spectate() == before
        else:
            assert game.spectate().count("\n[") == len(prefix) + 1


@given(st.text(max_size=200), st.sampled_from(["seller", "buyer"]))
def test_words_forge_no_line_of_the_game(words, seat):
    game = started(next(seed for seed in range(9) if started(seed).acting == (seat,)))
    said = f"offer 50: {words}"
    if len(said) > 2000:
        return
    play(game, said)
    for reader in ("seller", "buyer"):
        text = game.observe(reader).text
        assert len(text.split("\n")) == 5
        assert position(game, reader)[2:5] == (1, 9, None if reader == seat else 50)


def test_random_matches_pay_by_the_formula():
    game = bargain()
    deals = losses = 0
    for seed in range(300):
        game.reset(seed)
        cost, value = (position(game, seat).private for seat in ("seller", "buyer"))
        stream, price, offer = RandomStream(seed), None, None
        while game.acting:
            text = stream.choice(game.examples(game.acting[0]))
            assert game.legal(game.acting[0]) is None
            play(game, text)
            price = offer if text.startswith("accept") else None
            offer = int(text.split(":")[0].split()[1]) if text.startswith("offer") else None
        expected = {"seller": price - cost, "buyer": value - price} if price is not None else {"seller": 0, "buyer": 0}
        assert game.returns() == expected
        deals += price is not None
        losses += min(expected.values()) < 0
    assert 60 < deals < 240
    assert losses > 5  # an irrational acceptance is legal and loses money


def test_values_are_drawn_from_the_seed_alone():
    game, draws = bargain(), []
    for seed in range(2000):
        game.reset(seed)
        draws.append((position(game, "seller").private, position(game, "buyer").private, game.acting[0]))
    again = started(3)
    assert (position(again, "seller").private, position(again, "buyer").private, again.acting[0]) == draws[3]
    assert all(cost != value and min(cost, value) >= 0 and max(cost, value) <= 100 for cost, value, _ in draws)
    # binomial, 2000 draws: 4 standard deviations of the 0.8 with a zone of agreement, of the 0.5 who begin
    assert abs(sum(cost < value for cost, value, _ in draws) / 2000 - 0.8) < 0.036
    assert abs(sum(first == "seller" for *_, first in draws) / 2000 - 0.5) < 0.045


def test_the_id_carries_the_parameters():
    game = games.make("bargain(rounds=3)")
    assert game.spec.id == "bargain-v1(rounds=3)"
    assert game.spec.max_turns == 6
    assert game.spec.returns_range == (-100.0, 100.0)


def test_two_hagglers_agree_where_a_price_suits_both_and_only_there():
    game = bargain()
    agreed = 0
    for seed in range(100):
        game.reset(seed)
        cost, value = (position(game, seat).private for seat in ("seller", "buyer"))
        while game.acting:
            (seat,) = game.acting
            play(game, haggles(turn(position(game, seat))))
        returns = game.returns()
        assert min(returns.values()) >= 0
        assert (returns["seller"] + returns["buyer"] > 0) == (value - cost >= 2)
        agreed += returns["seller"] + returns["buyer"] > 0
    assert 60 < agreed < 95


def turn(at):
    return ScriptedTurn(at.seat, at.seat, "", "", RandomStream(0), data={"position": at})


@pytest.mark.parametrize(
    ("patience", "asked"), [(1.0, [100, 93, 86, 78, 71]), (2.0, [100, 98, 93, 84, 71]), (0.5, [100, 86, 79, 75, 71])]
)
def test_concession_follows_the_formula(patience, asked):
    for seat, private, prices in (("seller", 70, asked), ("buyer", 30, [100 - price for price in asked])):
        positions = [BargainPosition(seat, private, spoken, 10 - spoken) for spoken in (0, 2, 4, 6, 8)]
        assert [asking_price(at, patience) for at in positions] == prices


@pytest.mark.parametrize(
    ("at", "start"),
    [
        (BargainPosition("seller", 70, 9, 1, 71), "accept"),
        (BargainPosition("seller", 70, 9, 1, 70), "walk"),
        (BargainPosition("seller", 70, 9, 1), "walk"),
        (BargainPosition("seller", 100, 0, 10), "walk"),
        (BargainPosition("seller", 70, 1, 9, 100), "accept"),
        (BargainPosition("seller", 70, 1, 9, 80), "offer 100"),
        (BargainPosition("buyer", 30, 8, 2, 29), "accept"),
        (BargainPosition("buyer", 30, 8, 2, 30), "offer 29"),
        (BargainPosition("buyer", 0, 3, 7, 0), "walk"),
        (BargainPosition("buyer", 30, 0, 2), "offer 29"),
    ],
)
def test_the_haggler_never_accepts_a_loss(at, start):
    assert haggles(turn(at)).startswith(start)
