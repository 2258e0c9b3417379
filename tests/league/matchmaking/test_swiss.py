"""Swiss: no avoidable rematch, fair byes, like meets like, and a plan that depends on the log and the seed alone."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import InputError, plugins
from league.matchmaking import Matchmaker, Pairing, ids, make, register
from league.ratings import GameInfo
from tests.league.matchmaking.fields import PAIR, TRIO, field, run


def fewest_rematches(names, met, byes):
    """By trying everything: the least number of repeated meetings, a bye going to one with the fewest byes."""
    if not names:
        return 0
    if len(names) % 2:
        least = min(byes[p] for p in names)
        return min(fewest_rematches([q for q in names if q != p], met, byes) for p in names if byes[p] == least)
    first, rest = names[0], names[1:]
    best = len(names)
    for p in rest:
        again = met[frozenset((first, p))] > 0
        if again < best:
            best = min(best, again + fewest_rematches([q for q in rest if q != p], met, byes))
        if best == 0:
            break
    return best


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 17), st.integers(1, 6), st.integers(0, 1000))
def test_no_rematch_that_could_be_avoided_and_fair_byes(n, rounds, seed):
    of = field(n, rounds=rounds, seed=seed)
    played, planned, _ = run(make("swiss"), of, seed=seed)
    assert len(played) == rounds
    assert len(planned) == make("swiss").total(of)
    met, byes = Counter(), Counter(dict.fromkeys(of.players, 0))
    for pairings in played:
        seen = [p for pairing in pairings for p in pairing.players]
        assert len(seen) == len(set(seen)) == n - n % 2
        if n <= 9 or len(met) < n:  # the exhaustive count is exponential
            again = sum(met[frozenset(p.players)] > 0 for p in pairings)
            assert again == fewest_rematches(list(of.players), met, byes)
        met.update(frozenset(p.players) for p in pairings)
        byes.update(set(of.players) - set(seen))
        assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize("n", [3, 4, 5, 8, 16])
def test_a_short_swiss_has_no_rematch_at_all(n):
    rounds = {3: 3, 4: 2, 5: 3, 8: 3, 16: 6}[n]
    for seed in range(10):
        played, _, _ = run(make("swiss"), field(n, rounds=rounds, seed=seed), seed=seed)
        counts = Counter(frozenset(p.players) for pairings in played for p in pairings)
        assert max(counts.values()) == 1


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 12), st.integers(0, 1000), st.booleans())
def test_the_plan_depends_on_log_and_seed_and_not_on_the_order_of_arrival(n, seed, trio):
    of = field(max(n, 3), {"g-v0": TRIO if trio else PAIR}, rounds=4, seed=seed)
    one = run(make("swiss"), of, void=0.1)
    two = run(make("swiss"), of, void=0.1, shuffle=True)
    assert one[:2] == two[:2]


def test_the_first_round_is_drawn_by_lot():
    plans = {tuple(run(make("swiss"), field(8, seed=seed))[0][0]) for seed in range(5)}
    assert len(plans) > 1


def test_later_results_are_not_looked_at():
    of = field(8, rounds=3)
    played, _, log = run(make("swiss"), of)
    assert [list(make("swiss").next(of, k, log)) for k in range(3)] == played
    assert make("swiss").next(of, 3, log) is None


def test_winners_meet_winners():
    of = field(8, rounds=2, seed=3)
    played, _, log = run(make("swiss"), of)
    points = Counter(dict.fromkeys(of.players, 0.0))
    for r in log:
        if r.round == 0:
            a, b = r.seats
            points[a.player if a.score > b.score else b.player] += 1
    # The least possible sum of squared differences over pairings without a rematch.
    met = {frozenset(p.players) for p in played[0]}
    spent = sum((points[a] - points[b]) ** 2 for a, b in (p.players for p in played[1]))
    assert spent == min(cost(list(of.players), points, met))


def cost(names, points, met):
    if not names:
        yield 0.0
        return
    first, rest = names[0], names[1:]
    for p in rest:
        if frozenset((first, p)) not in met:
            for more in cost([q for q in rest if q != p], points, met):
                yield (points[first] - points[p]) ** 2 + more


def test_the_bye_goes_to_the_last_and_counts_as_a_win():
    swept = 0
    for seed in range(12):
        of = field(3, rounds=3, seed=seed)
        played, _, log = run(make("swiss"), of, seed=seed)
        idle = [set(of.players) - {p for pairing in pairings for p in pairing.players} for pairings in played]
        assert set.union(*idle) == set(of.players)
        wins = Counter(max(r.seats, key=lambda s: s.score).player for r in log if r.round == 0)
        if len(wins) == 1:  # one won both games of the first round: the other is last, behind the bye's full points
            swept += 1
            assert idle[1] == set(of.players) - idle[0] - set(wins)
    assert swept > 0


def test_a_void_match_is_no_meeting_and_no_bye():
    of = field(2, rounds=2)
    played, _, _ = run(make("swiss"), of, void=1.0)
    assert {frozenset(p.players) for p in played[1]} == {frozenset(of.players)}
    three = field(3, rounds=3)
    rounds, _, _ = run(make("swiss"), three, void=1.0)
    idle = Counter(p for pairings in rounds for p in set(three.players) - {q for x in pairings for q in x.players})
    assert set(idle.values()) == {1}


@pytest.mark.parametrize("n", [3, 4, 5, 7, 9, 12])
def test_three_seats_fill_tables_and_share_byes(n):
    of = field(n, {"g-v0": TRIO}, rounds=6)
    played, planned, _ = run(make("swiss"), of)
    assert len(planned) == make("swiss").total(of)
    byes = Counter(dict.fromkeys(of.players, 0))
    for pairings in played:
        seen = [p for pairing in pairings for p in pairing.players]
        assert len(seen) == len(set(seen)) == n - n % 3
        byes.update(set(of.players) - set(seen))
    assert max(byes.values()) - min(byes.values()) <= 1


def test_every_game_has_its_own_swiss():
    of = field(6, {"g-v0": PAIR, "h-v0": GameInfo("general_sum", ("seller", "buyer"))}, rounds=5)
    played, _, _ = run(make("swiss"), of)
    for game in of.games:
        counts = Counter(frozenset(p.players) for pairings in played for p in pairings if p.game == game)
        assert sum(counts.values()) == 15
        assert max(counts.values()) <= 2


def test_swiss_needs_an_opponent():
    with pytest.raises(InputError, match="has one: use round-robin"):
        run(make("swiss"), field(2, {"g-v0": GameInfo("general_sum", ("only",))}))


def test_a_file_plugin_offers_a_matchmaker():
    plugins.forget()

    @register("ladder")
    class Ladder(Matchmaker):
        def __init__(self, step: int = 1) -> None:
            self.step = step

        def next(self, field, round, log):
            names = list(field.players)
            return None if round else [Pairing("g-v0", pair) for pair in zip(names, names[self.step :], strict=False)]

    assert "ladder" in ids()
    assert [p.players for p in run(make("ladder(step=2)"), field(4))[0][0]] == [("p00", "p02"), ("p01", "p03")]
    assert make("ladder").total(field(4)) is None
    register("broken")(lambda: 5)
    with pytest.raises(InputError, match="made a int, not Matchmaker"):
        make("broken")


def test_met_and_rematch_helper():
    names = list("abcd")
    met = Counter({frozenset(pair): 1 for pair in combinations(names, 2)})
    assert fewest_rematches(names, met, Counter()) == 2
    assert fewest_rematches(names, Counter(), Counter()) == 0
