"""Matches that repeat others are no further evidence."""

import random
import zlib

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.config.tournament import RatingConfig, SprtConfig
from league.matchmaking import PairingContext
from league.matchmaking.results_table import table_of
from league.outcomes.units import NEVER, evidence_since
from league.ratings import BradleyTerry, CountTable, GameInfo, OnlineRatings, RatingEngine
from league.records.leaderboard import MatchCounts
from league.records.matches import CELL, Result, SeatResult
from league.sprt import Gate
from league.stopping import Sprt
from tests.league.outcomes.units import rows_of

SEATS = ("player_0", "player_1")
FLAT = GameInfo("zero_sum", SEATS, chance=False)
GAMES = {
    "flat": FLAT,
    "dice": GameInfo("zero_sum", SEATS),
    "stakes": GameInfo("zero_sum", SEATS, stakes=True, chance=False),
    "general": GameInfo("general_sum", SEATS, chance=False),
    "three": GameInfo("zero_sum", (*SEATS, "player_2"), chance=False),
}
PLAYERS = ("ann", "bob", "cat", "dan")


def result(index, players, scores, *, game="flat", pairing="", transcript=0, seed=1, status="finished"):
    seats = tuple(
        SeatResult(f"player_{i}", f"role_{i}", p, s) for i, (p, s) in enumerate(zip(players, scores, strict=True))
    )
    pairing = pairing or f"p{index // 2}"
    cell = zlib.crc32(str((game, tuple(players))).encode()) >> 1
    transcript = transcript and cell << 32 | transcript
    return Result(index, 0, pairing, f"m{index}", game, seed, status, "", seats, 0.1, index + 1, "w", transcript)


def pairs(times, transcripts=True):
    """ann beats bob as either, `times` times over."""
    out = []
    for n in range(times):
        for i, order in enumerate((("ann", "bob"), ("bob", "ann"))):
            score = 1.0 if order[0] == "ann" else -1.0
            out.append(result(2 * n + i, order, (score, -score), transcript=(i + 1) * transcripts, seed=n))
    return out


def league(seed, n=100):
    """Matches of every kind of game, most of them repeats."""
    rng = random.Random(seed)
    log = []
    while len(log) < n:
        game = "three" if len(log) % 50 == 9 else rng.choice(list(GAMES)[:4])
        group = rng.sample(PLAYERS, len(GAMES[game].seats))
        pairing, at = f"q{len(log)}", rng.randrange(4)
        for turn in range(len(group)):
            seated = group[turn:] + group[:turn]
            kind = rng.randrange(3) if seated[0] in ("ann", "bob") else 0  # the others play deterministically
            scores = [float((hash_of(p) + kind + i) % 3) for i, p in enumerate(seated)]
            transcript = 1 + kind
            status = "void" if rng.random() < 0.05 else "finished"
            transcript = 0 if status == "void" else transcript
            log.append(
                result(
                    len(log), seated, scores, game=game, pairing=pairing, transcript=transcript, seed=at, status=status
                )
            )
    return log


def hash_of(name):
    return PLAYERS.index(name) + 1


def distinct(results):
    """The results that count, without those that repeat earlier ones."""
    rows, pairing = rows_of(GAMES, results), {}
    for one in results:
        pairing.setdefault((one.game, one.pairing) if GAMES[one.game].by_pairing else one.index, []).append(one)
    units = {max(one.index for one in matches): matches for matches in pairing.values()}
    kept = [one for index in rows.evidence().index.tolist() for one in units[index] if one.status != "void"]
    return sorted(kept, key=lambda result: result.index)


def fitted(results, games=GAMES):
    table = CountTable(games, PLAYERS)
    table.add(results)
    return BradleyTerry().fit(table.counts())


def test_forty_times_the_same_match_is_as_much_evidence_as_once():
    once, often = fitted(pairs(1)), fitted(pairs(40))
    np.testing.assert_array_equal(once.ratings, often.ratings)
    np.testing.assert_array_equal(once.covariance, often.covariance)
    two = often.players[:2]
    assert fitted(pairs(40, transcripts=False)).posterior.above(*two) > 0.95 > often.posterior.above(*two) + 0.05

    ratings, short = OnlineRatings(GAMES), OnlineRatings(GAMES)
    ratings.add(pairs(40))
    short.add(pairs(1))
    assert ratings.rating("ann") == short.rating("ann")
    ann = ratings.tables().overall[0]
    assert (ann.games, ann.wins, ann.distinct) == (80, 80, 2)


def test_the_same_moves_with_other_players_seats_or_chance_are_no_repeat():
    seen = [
        result(0, ("ann", "bob"), (1.0, -1.0), transcript=1),
        result(1, ("bob", "ann"), (1.0, -1.0), transcript=1),
        result(2, ("ann", "bob"), (1.0, -1.0), game="dice", transcript=3, seed=1),
        result(3, ("ann", "bob"), (1.0, -1.0), game="dice", transcript=3, seed=2),
        result(4, ("ann", "bob"), (1.0, -1.0), game="dice", transcript=3, seed=1),
        result(5, ("ann", "bob"), (1.0, -1.0), transcript=1),
    ]
    assert [r.index for r in distinct(seen)] == [0, 1, 2, 3]


def test_a_second_transcript_makes_every_match_of_its_cell_count():
    same = [result(n, ("ann", "bob"), (1.0, -1.0), transcript=1) for n in range(5)]
    assert len(distinct(same)) == 1
    other = result(5, ("ann", "bob"), (-1.0, 1.0), transcript=2)
    assert len(distinct([*same, other])) == 6
    assert len(distinct([other, *reversed(same)])) == 6


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from([0, 0, 0, 1, 2])), min_size=1, max_size=40), st.randoms())
def test_players_that_vary_are_rated_as_without_transcripts(plays, order):
    """In every cell that has shown two transcripts; the property that random players need."""
    seats = (("ann", "bob"), ("bob", "ann"))
    log = [
        result(n, seats[side], ((0.0, 0.0), (1.0, -1.0), (-1.0, 1.0))[move], transcript=1 + move)
        for n, (side, move) in enumerate(plays)
    ]
    for side in (0, 1):  # the last two matches of a cell differ
        n = len(log)
        log += [result(n, seats[side], (0.0, 0.0), transcript=1), result(n + 1, seats[side], (1.0, -1.0), transcript=2)]
    blind = [msgspec.structs.replace(one, transcript=0) for one in log]
    for results in (log, order.sample(log, len(log))):
        table, plain = CountTable(GAMES, PLAYERS), CountTable(GAMES, PLAYERS)
        table.add(results)
        plain.add(blind)
        np.testing.assert_array_equal(table.counts().n, plain.counts().n)
        np.testing.assert_array_equal(table.counts().units.count, plain.counts().units.count)
        assert not table.repetition()
        live, seen = OnlineRatings(GAMES), OnlineRatings(GAMES)
        for one in results:
            live.add([one])
        seen.add(blind)
        counted = [{(r.player, r.games, r.distinct) for r in ratings.tables().overall} for ratings in (live, seen)]
        assert counted[0] == counted[1] == {("ann", len(log), len(log)), ("bob", len(log), len(log))}


def test_a_sequential_test_of_random_players_counts_every_pair():
    """The pairs that looked like repeats count as soon as the players show another match."""
    config = SprtConfig(player="ann", against="bob", max_pairs=400)
    sprt, blind = Sprt(config, GAMES), Sprt(config, GAMES)
    rng = random.Random(3)
    for n in range(120):
        for side, seats in enumerate((("ann", "bob"), ("bob", "ann"))):
            move = rng.choice((0, 0, 0, 1))
            one = result(2 * n + side, seats, ((0.0, 0.0), (1.0, -1.0))[move], transcript=1 + move)
            sprt.add(one)
            blind.add(msgspec.structs.replace(one, transcript=0))
    assert sprt.repeated == 0
    assert sprt.gate.counts == blind.gate.counts
    assert sprt.gate.pairs == 120


def test_a_pairing_rated_as_one_repeats_only_if_all_its_matches_do():
    def pairing(n, first, second):
        two = (("ann", "bob"), first), (("bob", "ann"), second)
        return [
            result(2 * n + i, seats, (1.0, -1.0), game="stakes", pairing=f"s{n}", transcript=t)
            for i, (seats, t) in enumerate(two)
        ]

    same = [match for n in range(4) for match in pairing(n, 1, 2)]
    assert {r.pairing for r in distinct(same)} == {"s0"}
    table = CountTable(GAMES, PLAYERS)
    table.add(same)
    assert table.counts().n.sum() == 1
    assert table.repetition()["stakes"].repeats == 6
    table.add(pairing(4, 1, 3))  # in the second seating they now differ
    assert table.counts().n.sum() == 5
    assert not table.repetition()


@pytest.mark.parametrize("seed", range(5))
def test_tables_do_not_depend_on_the_order_of_arrival(seed):
    log, rng = league(seed), random.Random(seed)
    whole, counted = OnlineRatings(GAMES, players=PLAYERS), CountTable(GAMES, PLAYERS)
    whole.add(log)
    counted.add(log)
    assert sum(r.repeats for r in counted.repetition().values()) > 5
    for _ in range(2):
        shuffled = rng.sample(log, len(log))
        live, table = OnlineRatings(GAMES, players=PLAYERS), CountTable(GAMES, PLAYERS)
        for one in shuffled:
            live.add([one])
            table.add([one])
        assert live.snapshot("", MatchCounts()) == whole.snapshot("", MatchCounts())
        assert table.repetition() == counted.repetition()
        a, b = table.counts(), counted.counts()
        np.testing.assert_array_equal(a.columns, b.columns)
        np.testing.assert_array_equal(a.n, b.n)
        np.testing.assert_array_equal(a.units.count, b.units.count)
        np.testing.assert_array_equal(a.units.cell, b.units.cell)


@pytest.mark.parametrize("seed", range(4))
def test_what_counts_is_what_a_league_without_the_repeats_would_count(seed):
    log = league(seed)
    kept = distinct(log)
    table, few = CountTable(GAMES, PLAYERS), CountTable(GAMES, PLAYERS)
    table.add(log)
    few.add(kept)
    np.testing.assert_array_equal(few.counts().n, table.counts().n[:, table.counts().n.any(0)])
    assert not few.repetition()
    ratings, short = OnlineRatings(GAMES, players=PLAYERS), OnlineRatings(GAMES, players=PLAYERS)
    ratings.add(log)
    short.add(kept)
    for player in PLAYERS:
        assert ratings.rating(player) == short.rating(player)


def test_adaptive_pairing_counts_a_repeat_as_met_but_not_as_won():
    field = PairingContext(dict.fromkeys(("ann", "bob")), {"flat": FLAT}, rounds=9)
    table = table_of(field, "flat", 1, pairs(40))
    assert table.wins.sum() == 2
    assert table.meetings[0, 1] == 40


def test_a_sequential_test_counts_a_pair_once_and_gives_up_on_repeats():
    sprt = Sprt(SprtConfig(player="ann", against="bob", max_pairs=30), GAMES)
    for one in pairs(29):
        sprt.add(one)
    assert (sprt.gate.pairs, sprt.repeated, sprt.gate.verdict) == (1, 28, None)
    for one in pairs(31)[58:]:
        sprt.add(one)
    assert sprt.gate.verdict == "reject"
    open_ended = Gate()
    assert open_ended.verdict is None


def test_the_mean_return_is_as_uncertain_as_that_of_the_distinct_matches():
    log = [result(0, ("ann", "bob"), (1.0, -1.0), transcript=1), result(1, ("bob", "ann"), (1.0, -1.0), transcript=2)]
    again = [result(i, [s.player for s in log[i % 2].seats], (1.0, -1.0), transcript=1 + i % 2) for i in range(2, 100)]
    few, many = OnlineRatings(GAMES), OnlineRatings(GAMES)
    few.add(log)
    many.add(log + again)
    small, large = few.tables().overall[0], many.tables().overall[0]
    assert small.score == large.score == 0.0
    assert large.score_high == pytest.approx(small.score_high, rel=0.3)


def test_the_board_is_told_of_repeats_few_matches_and_scales():
    log = [
        *pairs(20),
        result(100, ("cat", "ann"), (1.0, -1.0), transcript=9),
        result(101, ("ann", "dan"), (1.0, -1.0), game="dice", transcript=10),
    ]
    ratings = RatingEngine(GAMES, RatingConfig(), PLAYERS)
    ratings.add(log)
    shown = ratings.final("r", MatchCounts())
    assert shown.repetition["flat"].repeats == 38
    assert shown.repetition["flat"].matches == 41
    assert "dice" not in shown.repetition
    assert {row.score for row in shown.standings} == {None}
    assert all(row.score is not None for row in shown.games["flat"])


def test_a_row_with_far_fewer_matches_than_the_others_is_provisional():
    players = (*PLAYERS, "new")
    met = [(a, b) for a in PLAYERS for b in PLAYERS if a < b] * 10 + [("ann", "new")] * 4
    log = [result(index, two, (1.0, -1.0)) for index, two in enumerate(met)]
    ratings = RatingEngine({"flat": FLAT}, RatingConfig(), players)
    ratings.add(log)
    marked = {row.player: row.provisional for row in ratings.final("r", MatchCounts()).standings}
    assert marked == dict.fromkeys(PLAYERS, False) | {"new": True}


def is_repeat(matches, at, cell, transcript, until):
    """The match is in a cell with one transcript, and not the cell's first."""
    there = [(n, t) for n, c, t in matches if c == cell and t and n <= until]
    return bool(transcript) and len({t for _, t in there}) == 1 and min(there)[0] < at


@pytest.mark.parametrize("seed", range(200))
def test_every_state(seed):
    rng = random.Random(seed)
    matches = [(n, rng.randrange(3), rng.choice([0, 1, 1, 1, 1, 2])) for n in range(rng.randrange(1, 12))]
    at, cell, move = np.array(matches, np.int64).T
    transcript, chance = np.where(move, (1 + cell // 2) << CELL | move, 0), np.ones(len(at), bool)
    since = evidence_since(at, transcript, cell % 2, chance)
    for (n, c, t), first in zip(matches, since.tolist(), strict=True):
        for until in (*range(n, len(matches)), NEVER - 1):
            assert is_repeat(matches, n, c, t, until) == (until < first)
    alike = evidence_since(at, transcript, np.arange(len(at)), ~chance)  # without chance, seeds decide nothing
    assert (alike == evidence_since(at, transcript, np.zeros_like(at), chance)).all()
