"""Counting a whole log at once gives what counting match by match gives, bit for bit."""

import random
import zlib
from collections import defaultdict

import msgspec
import numpy as np
import pytest

from games import InputError
from league.config.tournament import RatingConfig
from league.ratings import BradleyTerry, CountTable, GameInfo
from league.ratings.comparisons.bulk import bulk_table
from league.ratings.engine import RatingEngine
from league.ratings.outcomes.plain import read_log
from league.records.leaderboard import MatchCounts
from league.records.matches import SEPARATOR, Result, ResultColumns, SeatResult

SEATS = ("player_0", "player_1")
GAMES = {
    "flat": GameInfo("zero_sum", SEATS, chance=False),
    "dice": GameInfo("constant_sum", SEATS),
    "stakes": GameInfo("zero_sum", SEATS, stakes=True),
    "general": GameInfo("general_sum", SEATS),
    "unrated": GameInfo("zero_sum", SEATS, rated=False),
    "three": GameInfo("zero_sum", (*SEATS, "player_2"), chance=False),
}
PLAYERS = ("zoe", "ann", "bob", "cat", "idle")


def log_of(seed, n):
    rng, log = random.Random(seed), []
    while len(log) < n:
        if len(log) > 50 and rng.random() < 0.3:  # the same match again
            old, index = rng.choice(log), len(log)
            log.append(msgspec.structs.replace(old, index=index, match=f"m{index}", pairing=f"p{index}"))
            continue
        game = rng.choice(list(GAMES))
        group = [rng.choice(PLAYERS[:4]) for _ in GAMES[game].seats] if rng.random() < 0.1 else None
        group = group or rng.sample(PLAYERS[:4], len(GAMES[game].seats))
        pairing = f"p{len(log)}"
        for turn in range(len(group) if rng.random() < 0.9 else 1):
            status = rng.choices(["finished", "void", "truncated", "forfeit"], [80, 5, 5, 10])[0]
            loser = rng.randrange(len(group)) if status == "forfeit" else -1
            order = group[turn:] + group[:turn]
            cell = zlib.crc32(str((game, order)).encode()) >> 1
            draw = random.Random(cell).randrange if cell % 2 else rng.randrange  # half of the cells never vary
            scores = [float(draw(3)) for _ in group]
            seats = tuple(
                SeatResult(
                    f"player_{i}",
                    f"role_{i}",
                    p,
                    s,
                    i == loser,
                    rng.randrange(3),
                    rng.randrange(2),
                    {"timeout": 1} if rng.random() < 0.1 else {},
                    rng.randrange(2),
                    rng.choice(["", "bid"]) if status == "void" else "",
                )
                for i, (p, s) in enumerate(zip(order, scores, strict=True))
            )
            content = (scores, loser, status)
            transcript = 0 if status == "void" or rng.random() < 0.1 else cell << 32 | zlib.crc32(str(content).encode())
            log.append(
                Result(
                    len(log), 0, pairing, f"m{len(log)}", game, rng.randrange(2), status, "", seats, 0.1, len(log) + 1,
                    rng.choice(["w", "bad"]), transcript,
                )
            )  # fmt: skip
    return log


class Log:
    """A log in memory, read as a stored one is."""

    def __init__(self, log):
        self.log = log

    def columns(self):
        groups = defaultdict(list)
        for place, one in enumerate(self.log):
            groups[one.game, one.worker, one.status, place % 2].append(one)
        for (*label, _), rs in groups.items():
            numbers = [",".join(str(getattr(r, name)) for r in rs) for name in ("index", "seed", "transcript")]
            seats = SEPARATOR.join(msgspec.json.encode(r.seats).decode() for r in rs)
            yield ResultColumns(*label, len(rs), *numbers, SEPARATOR.join(r.pairing for r in rs), seats)

    def results(self, games):
        return [r for r in self.log if r.game in games]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("struck", [(), ("bad",)])
def test_bulk_counts_are_the_incremental_ones(seed, struck):
    log = log_of(seed, 500)
    kept = [r for r in log if r.worker not in struck]
    slow = CountTable(GAMES, PLAYERS)
    for one in random.Random(seed).sample(kept, len(kept)):
        slow.add([one])
    fast = bulk_table(read_log(Log(random.Random(seed).sample(log, len(log))), GAMES, struck), GAMES, PLAYERS)
    a, b = slow.counts(), fast.counts()
    assert (a.players, a.games, a.roles) == (b.players, b.games, b.roles)
    np.testing.assert_array_equal(a.columns, b.columns)
    np.testing.assert_array_equal(a.n, b.n)
    for name in ("unit", "cell", "outcome", "count", "game"):
        np.testing.assert_array_equal(getattr(a.units, name), getattr(b.units, name))
    assert slow.repetition() == fast.repetition()
    assert fast.repetition()["flat"].repeats > 0
    one, other = BradleyTerry().fit(a), BradleyTerry().fit(b)
    assert one.ratings.tobytes() == other.ratings.tobytes()
    assert one.covariance.tobytes() == other.covariance.tobytes()


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry", "openskill"])
@pytest.mark.parametrize("seed", [9, 10])
def test_a_board_made_in_bulk_is_the_live_one(seed, method):
    log = log_of(seed, 300)
    live, made = (RatingEngine(GAMES, RatingConfig(method=method), PLAYERS) for _ in range(2))
    for one in log:
        live.add([one])
    made.fill(read_log(Log(log), GAMES))
    assert made.final("r", MatchCounts()) == live.final("r", MatchCounts())
    seats = [seat for one in log for seat in one.seats if seat.player == "ann" and seat.void_phase]
    row = next(row for row in made.final("r", MatchCounts()).standings if row.player == "ann")
    assert row.voids == len(seats) > 0


def test_a_log_without_a_match_that_counts():
    assert bulk_table(read_log(Log([]), GAMES), GAMES, PLAYERS).counts().n.shape == (3, 0)
    void = read_log(Log([r for r in log_of(1, 200) if r.status == "void"]), GAMES)
    assert bulk_table(void, GAMES, PLAYERS).counts().n.sum() == 0


def test_a_match_of_an_unknown_game_is_refused():
    log = log_of(1, 60)
    log[7] = msgspec.structs.replace(log[7], game="other", worker="w")
    with pytest.raises(InputError, match="game 'other'; known: flat"):
        read_log(Log(log), GAMES)
    log[7] = msgspec.structs.replace(log[7], worker="bad")
    assert read_log(Log(log), GAMES, ("bad",)).listed


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("index", "x"),
        ("seed", "1.5"),
        ("transcript", "1,2"),
        ("pairing", f"p{SEPARATOR}q"),
        ("seats", "["),
        ("seats", "7"),
    ],
)
def test_a_damaged_column_is_refused_in_one_line(column, text):
    class Damaged(Log):
        def columns(self):
            return [msgspec.structs.replace(part, **{column: text}) for part in super().columns()]

    with pytest.raises(InputError, match=r"^a stored result is damaged \(.*\); `arena verify` names the match$"):
        read_log(Damaged(log_of(1, 1)), dict.fromkeys(GAMES, GAMES["flat"]))
