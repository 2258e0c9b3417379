"""AlphaStar's and OpenAI Five's opponents: the published mixes, and no league in which they fail."""

import random
from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import InputError
from games.randomness import Stream
from league.matchmaking import expand, make, openai_five
from league.matchmaking.alphastar import MAX_STEPS, MIN_STEPS, Member, Payoff, opponent, ready, reset
from tests.league.matchmaking.fields import PAIR, TRIO, field, play, run

MAIN, MAIN2 = Member("m", "main"), Member("m2", "main")
HUNTER, WOLF = Member("x", "main-exploiter"), Member("l", "league-exploiter")
PAST = [Member(f"m-{i}", "main", "m") for i in range(4)]
TRAP = Member("x-0", "main-exploiter", "x")


def payoff(rates):
    """Each (a, b) with that win rate of a."""
    table = Payoff()
    for (a, b), rate in rates.items():
        table.record(a, b, rate)
    return table


def mix(player, league, table, n=4000):
    rng = Stream(5)
    drawn = [opponent(player, league, table, rng) for _ in range(n)]
    return {k: v / n for k, v in Counter(d.branch for d in drawn).items()}, Counter(d.name for d in drawn), drawn


def test_main_player_half_pfsp_rest_self_play():
    shares, _, drawn = mix(MAIN, [MAIN, *PAST], payoff({("m", p.name): 0.8 for p in PAST}))
    assert shares["pfsp"] == pytest.approx(0.5, abs=0.03)
    assert shares["self-play"] == pytest.approx(0.5, abs=0.03)  # nothing to verify: those 15% are self-play too
    assert all(d.live == (d.name == "m") for d in drawn)


def test_main_player_weights_are_squared():
    rates = {"m-0": 0.9, "m-1": 0.5, "m-2": 0.1}
    _, _, drawn = mix(MAIN, [MAIN, *PAST[:3]], payoff({("m", k): v for k, v in rates.items()}))
    pfsp = Counter(d.name for d in drawn if d.branch == "pfsp")
    total = sum((1 - v) ** 2 for v in rates.values())
    for name, rate in rates.items():
        assert pfsp[name] / pfsp.total() == pytest.approx((1 - rate) ** 2 / total, abs=0.03)


def test_main_player_goes_back_to_an_exploiter_it_loses_to():
    shares, _, drawn = mix(MAIN, [MAIN, HUNTER, *PAST, TRAP], payoff({("m", "x-0"): 0.2}))
    assert shares["verification"] == pytest.approx(0.15, abs=0.02)
    assert shares["self-play"] == pytest.approx(0.35, abs=0.03)
    assert {d.name for d in drawn if d.branch == "verification"} == {"x-0"}


def test_main_player_goes_back_to_a_self_it_has_forgotten():
    rates = {("m", "m-0"): 0.9, ("m", "m-1"): 0.4, ("m", "m-2"): 0.8, ("m", "m-3"): 0.6}
    shares, _, drawn = mix(MAIN, [MAIN, *PAST], payoff(rates))
    assert shares["forgetting"] == pytest.approx(0.15, abs=0.02)
    assert {d.name for d in drawn if d.branch == "forgetting"} <= {"m-0", "m-1", "m-2"}  # m-3: the falling tail
    falling = {("m", p.name): 0.9 - 0.1 * i for i, p in enumerate(PAST)}
    assert "forgetting" not in mix(MAIN, [MAIN, *PAST], payoff(falling))[0]


def test_main_player_meets_the_past_of_a_main_player_that_is_too_strong():
    table = payoff({("m", "m2"): 0.1})
    past = [Member("m2-0", "main", "m2")]
    _, _, drawn = mix(MAIN, [MAIN, MAIN2, *past], table)
    assert {d.name for d in drawn if d.branch == "checkpoint"} == {"m2-0"}
    assert "m2" not in {d.name for d in drawn}


def test_main_exploiter_meets_main_players_or_their_past():
    assert mix(HUNTER, [MAIN, HUNTER, *PAST], payoff({("x", "m"): 0.2}))[0] == {"main": 1.0}
    shares, names, _ = mix(HUNTER, [MAIN, HUNTER, *PAST], payoff({("x", "m"): 0.05, ("x", "m-0"): 0.5}))
    assert shares == {"checkpoint": 1.0}
    assert set(names) == {p.name for p in PAST}
    assert mix(HUNTER, [MAIN, HUNTER], payoff({("x", "m"): 0.0}))[0] == {"main": 1.0}  # no past yet


def test_league_exploiter_meets_all_of_the_past():
    shares, names, drawn = mix(WOLF, [MAIN, WOLF, *PAST, TRAP], payoff({("l", "x-0"): 0.9}))
    assert shares == {"pfsp": 1.0}
    assert names["x-0"] / names.total() == pytest.approx(0.1 / 2.1, abs=0.02)  # linear, capped at one half
    assert not any(d.live for d in drawn)


@pytest.mark.parametrize("player", [MAIN, HUNTER, WOLF])
def test_who_beats_everyone_still_has_opponents(player):
    league = [MAIN, HUNTER, WOLF, *PAST, TRAP]
    mix(player, league, payoff({(player.name, m.name): 1.0 for m in league}), n=200)


def test_freezing():
    league = [MAIN, HUNTER, *PAST]
    strong = payoff({("m", p.name): 0.8 for p in PAST} | {("x", "m"): 0.8})
    weak = payoff({("m", p.name): 0.6 for p in PAST} | {("x", "m"): 0.6})
    for player in (MAIN, HUNTER):
        assert not ready(player, league, strong, MIN_STEPS - 1)
        assert ready(player, league, strong, MIN_STEPS)
        assert not ready(player, league, weak, MAX_STEPS)
        assert ready(player, league, weak, MAX_STEPS + 1)
    assert not ready(MAIN, [MAIN], strong, MIN_STEPS)  # nobody to beat is not everybody beaten


def test_resets():
    rng = Stream(1)
    assert [sum(reset(p, rng) for _ in range(2000)) / 2000 for p in (MAIN, HUNTER, WOLF)] == [
        0.0,
        1.0,
        pytest.approx(0.25, abs=0.03),
    ]


def test_payoff_fades_and_self_meetings_say_nothing():
    table = Payoff()
    for _ in range(200):
        table.record("a", "a", 1.0)
    assert table.win_rate("a", "a") == table.win_rate("a", "b") == 0.5
    table.record("a", "b", 1.0)
    table.record("a", "b", 0.0)
    assert table.win_rate("a", "b") == pytest.approx(0.99 / 1.99)
    assert table.win_rate("b", "a") == pytest.approx(1.0 / 1.99)
    with pytest.raises(ValueError, match=r"0\.\.1"):
        table.record("a", "b", 2.0)
    with pytest.raises(ValueError, match="checkpoint"):
        opponent(TRAP, [TRAP], table, Stream(1))
    with pytest.raises(ValueError, match="none"):
        opponent(HUNTER, [HUNTER], table, Stream(1))


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20), st.data())
def test_openai_five_qualities(qualities, data):
    p = openai_five.probabilities(qualities)
    assert p.sum() == pytest.approx(1.0)
    i = data.draw(st.integers(0, len(qualities) - 1))
    if p[i] > 1e-12:
        after = openai_five.beaten(qualities, i)
        assert qualities[i] - after[i] == pytest.approx(0.01 / (len(qualities) * p[i]), rel=1e-6, abs=1e-9)
        assert [q for k, q in enumerate(after) if k != i] == [q for k, q in enumerate(qualities) if k != i]


@pytest.mark.parametrize("name", ["alphastar(mains=2, main_exploiters=1, league_exploiters=1)", "openai-five", "pfsp"])
def test_as_tournaments(name):
    of = field(8, {"g-v0": PAIR, "h-v0": PAIR}, rounds=4)
    one, two = run(make(name), of), run(make(name), of, shuffle=True)
    assert one[:2] == two[:2]
    assert len(one[1]) == make(name).total(of)
    assert all(len(set(p.players)) == 2 for pairings in one[0] for p in pairings)


def test_openai_five_meets_less_often_whom_it_beats():
    of = field(4, rounds=30)
    maker, log, met = make("openai-five(eta=0.3)"), [], []
    for number in range(of.rounds):
        planned = expand(maker.next(of, number, log), of.games, run="r", seed=1, round=number, start=len(log))
        for result in play(planned, random.Random(1)):
            weak = "p01" in {s.player for s in result.seats}
            seats = tuple(msgspec.structs.replace(s, score=float((s.player == "p00") == weak)) for s in result.seats)
            log.append(msgspec.structs.replace(result, seats=seats))
        met += [p.match.seats for p in planned]
    late = Counter(name for seats in met[-200:] for name in seats.values())
    assert late["p01"] < 0.5 * late["p02"]
    qualities = maker.qualities(of, "g-v0", of.rounds, log)
    assert qualities[0] < qualities[1] == qualities[2] == 0.0


def test_bad_input_is_told():
    with pytest.raises(InputError, match="main player"):
        make("alphastar(mains=0)")
    with pytest.raises(InputError, match="eta"):
        make("openai-five(eta=0)")
    with pytest.raises(InputError, match="two sides"):
        make("alphastar").next(field(4, {"g-v0": TRIO}), 0, ())
