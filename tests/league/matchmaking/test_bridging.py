"""Bridging matches: a declared share of every adaptive pairing tests the gaps that results hardly test."""

import random
from collections import Counter

import msgspec
import numpy as np
import pytest

from games import InputError
from league.matchmaking import expand, make
from league.matchmaking.bridging import bridges, bridging_count, fit_wide
from tests.league.matchmaking.fields import TRIO, field, play, run

PAIRINGS = ("rank-all", "uncertainty", "information", "find-best", "swiss")


def two_groups(n=8, each=6):
    """Wins in a field of two halves: much played within a half, and across it twice, both won by the upper half."""
    rng = np.random.default_rng(0)
    wins = np.zeros((n, n))
    for half in (range(n // 2), range(n // 2, n)):
        for i in half:
            for j in half:
                if i < j:
                    wins[i, j] = rng.binomial(each, 0.5)
                    wins[j, i] = each - wins[i, j]
    wins[0, n // 2] += 1.0
    wins[1, n // 2 + 1] += 1.0
    return wins


def across(groups, n=8):
    return sum((i < n // 2) != (j < n // 2) for i, j in groups)


def test_bridging_matches_cross_the_gap_that_is_not_tested():
    groups = bridges(two_groups(), 4, 2, 1.0, np.random.default_rng(1))
    assert across(groups) == 4
    assert max(Counter(i for group in groups for i in group).values()) == 1  # spread over the players


def test_without_a_gap_they_go_to_who_is_known_least():
    wins = np.full((6, 6), 10.0)
    np.fill_diagonal(wins, 0.0)
    wins[5, :5] = wins[:5, 5] = 0.5
    groups = bridges(wins, 3, 2, 1.0, np.random.default_rng(1))
    assert 5 in groups[0]


def test_skills_without_a_prior_are_not_held_back():
    wins = two_groups()
    wins[:4, 4:] += 3.0  # 50 matches across, none lost
    mean = fit_wide(wins).mean
    assert mean[:4].mean() - mean[4:].mean() > 4.0


@pytest.mark.parametrize("share", [0.0, 0.1, 0.25, 0.37, 1.0])
def test_the_share_is_exact_in_the_long_run(share):
    counts = [bridging_count(share, round, 5) for round in range(40)]
    assert sum(counts) == int(share * 200 + 1e-9)
    assert max(counts) - min(counts) <= 1


def clustered(name, rounds, n=8, seed=3):
    """A league in which half of the players beat the other half, and are even among themselves."""
    of = field(n, rounds=rounds, seed=seed)
    rng, log, pairings, maker = random.Random(seed), [], [], make(name)
    upper = {f"p{i:02d}" for i in range(n // 2)}
    while (now := maker.next(of, len(pairings), log)) is not None:
        planned = expand(now, of.games, run="r", seed=of.seed, round=len(pairings), start=len(log))
        for one in play(planned, rng):
            seats = tuple(msgspec.structs.replace(s, score=rng.random() + (s.player in upper)) for s in one.seats)
            log.append(msgspec.structs.replace(one, seats=seats))
        pairings.append(list(now))
    late = [p.players for round in pairings[len(pairings) // 2 :] for p in round]
    return sum((a in upper) != (b in upper) for a, b in late) / len(late), pairings, log, of


def test_adaptive_pairings_go_on_crossing_a_gap():
    across = [
        np.mean([clustered(f"rank-all(batch=8, bridge={share})", 24, seed=seed)[0] for seed in range(3, 7)])
        for share in (0.25, 0)
    ]
    assert across[0] >= 0.15
    assert across[0] > across[1] + 0.05


def test_swiss_pairs_across_a_gap_too():
    share = clustered("swiss(bridge=0.25)", 40, 16)[0]
    assert share > clustered("swiss(bridge=0)", 40, 16)[0] + 0.03


@pytest.mark.parametrize("name", PAIRINGS)
def test_a_resumed_run_plans_the_same_bridges_whatever_the_order_of_the_log(name):
    call = f"{name}(bridge=0.3)" if name == "swiss" else f"{name}(batch=8, bridge=0.3)"
    of = field(6, rounds=6)
    whole = run(make(call), of, seed=2)
    shuffled = run(make(call), of, seed=2, shuffle=True)
    assert whole[:2] == shuffled[:2]
    again = make(call)
    assert [list(again.next(of, k, whole[2])) for k in range(of.rounds)] == whole[0]
    assert len(whole[1]) == make(call).total(of)


def test_every_table_is_filled_in_games_of_three_seats_and_odd_fields():
    of = field(7, {"g-v0": TRIO}, rounds=5)
    for call in ("rank-all(batch=12, bridge=0.5)", "swiss(bridge=0.5)"):
        for pairings in run(make(call), of)[0]:
            assert all(len(set(p.players)) == 3 for p in pairings)
    rounds = run(make("swiss(bridge=0.5)"), field(7, rounds=8))[0]
    for pairings in rounds:
        assert Counter(p for pairing in pairings for p in pairing.players).most_common(1)[0][1] == 1
        assert len(pairings) == 3


@pytest.mark.parametrize(
    "name",
    ["rank-all(bridge=2)", "swiss(bridge=-0.1)", "uncertainty(bridge=true)"],
)
def test_a_wrong_share_is_told(name):
    with pytest.raises(InputError, match="bridge"):
        make(name)


def test_pairings_of_a_training_keep_their_published_mixes():
    assert make("random").bridge == 0.0
