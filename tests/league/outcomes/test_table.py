"""The table of outcomes: one fold for results that arrive one by one and for a stored log, with written ranks."""

import random
from contextlib import suppress

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import InputError
from league.config.tournament import RatingConfig
from league.outcomes import is_counted
from league.outcomes.outcome import RankDecision
from league.outcomes.table import OutcomeTable
from league.ratings.engine import RatingEngine
from league.records.leaderboard import MatchCounts
from league.records.matches import columns_of
from tests.league.outcomes.units import rows_of
from tests.league.ratings.factories import DEAL, GAMES, POKER, ZERO, logs, result, voided


class Log:
    """A log in memory, read as a stored one is."""

    def __init__(self, log):
        self.log = log

    def columns(self):
        return columns_of(self.log)

    def results(self):
        return list(self.log)


def decided(log, games=GAMES):
    """The results as a store writes them that receives them in this order."""
    decision = RankDecision(games)
    return [msgspec.structs.replace(one, seq=seq, ranks=decision.ranks(one)) for seq, one in enumerate(log, 1)]


def outcomes(rows):
    """Each row with its outcomes."""
    return list(zip(rows.index.tolist(), rows.since.tolist(), [u.outcomes for u in rows.listed()], strict=True))


@settings(max_examples=60, deadline=None)
@given(logs(), st.randoms(use_true_random=False))
def test_written_ranks_are_those_that_the_table_computes_in_any_order_of_commit(log, rng):
    computed = rows_of(GAMES, log)
    written = decided(rng.sample(log, len(log)))
    assert outcomes(rows_of(GAMES, written)) == outcomes(computed)
    assert sum(bool(one.ranks) for one in written) == len(computed.index)


def test_a_pairing_is_written_with_the_match_that_completes_it():
    log = [result(n, names, (50, 10 * n), DEAL, pairing="d") for n, names in enumerate(("xy", "yx"))]
    assert [one.ranks for one in decided(log[::-1])] == [(), ((0, 1), (0, 0))]
    lost = [msgspec.structs.replace(log[0], status="void"), log[1]]
    assert [one.ranks for one in decided(lost)] == [(), ((0, 0),)]
    assert [one.ranks for one in decided([msgspec.structs.replace(one, status="void") for one in log])] == [(), ()]
    assert [one.ranks for one in decided(log, {})] == [(), ()]


def test_the_table_folds_what_was_written():
    [one] = decided([result(0, "xy", (1, -1))])
    swapped = msgspec.structs.replace(one, ranks=((1, 0),))
    [unit] = rows_of(GAMES, [swapped]).listed()
    assert unit.outcomes[0].ranks == (1, 0)
    with pytest.raises(InputError, match="is not that of 1 matches; type: arena rebuild"):
        rows_of(GAMES, [msgspec.structs.replace(one, ranks=((1, 0), (0, 1)))])


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry"])
def test_the_board_of_a_stored_log_is_the_live_one(method):
    rng, log = random.Random(4), [voided(0, "uv", "bid")]
    for n in range(1, 120, 2):
        game, two = rng.choice([ZERO, DEAL, POKER]), rng.sample("uvwxyz", 2)
        for index, names in ((n, two), (n + 1, two[::-1])):
            cell = abs(hash((game, *names))) >> 33
            log.append(result(index, names, (rng.randrange(3), 1), game, pairing=f"p{n}"))
            log[-1] = msgspec.structs.replace(log[-1], transcript=cell << 32 | 1 + int(log[-1].seats[0].score))
    live, stored = (RatingEngine(GAMES, RatingConfig(method=method), "uvwxyz") for _ in range(2))
    for one in log:
        live.add([one])
        if one.index % 30 == 0:
            live.snapshot("r", MatchCounts())
    stored.fill(Log(decided(rng.sample(log, len(log)))))
    board = stored.final("r", MatchCounts())
    assert board == live.final("r", MatchCounts())
    assert {row.player: row.voids for row in board.standings}["u"] == 1
    assert board.repetition


def test_a_log_without_a_match_that_counts():
    assert rows_of(GAMES, []).index.shape == (0,)
    rows = rows_of(GAMES, [voided(3, "xy", "play"), result(4, "xx", (1, -1)), result(5, "xy", (1, 0), DEAL)])
    assert (len(rows.index), [times for _, times in rows.void]) == (0, [1])
    assert isinstance(rows.unit, np.ndarray)


DAMAGE = [("index", ["x"]), ("content", ["["]), ("content", ["7"]), ("content", ["[][7]"])]


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_column_is_refused_in_one_line(column, value):
    parts = [msgspec.structs.replace(part, **{column: value}) for part in columns_of([result(0, "xy", (1, -1))])]
    with pytest.raises(InputError, match=r"^a stored result is damaged \(.*\); `arena verify` names the match$"):
        OutcomeTable(GAMES).extend(parts)
    with pytest.raises(InputError, match="is of game 'other'; known: openspiel/tic_tac_toe"):
        OutcomeTable(GAMES).extend([msgspec.structs.replace(part, game="other") for part in parts])


def test_results_that_come_one_by_one_become_columns_together(monkeypatch):
    """Each took 130 us, most of them of arrays of one."""
    log = [result(index, "xy", (1, -1)) for index in range(7)]
    table, parts = OutcomeTable(GAMES), list[object]()
    monkeypatch.setattr(table, "_numbered", lambda part: parts.append(part) or OutcomeTable._numbered(table, part))
    for one in log[:5]:
        table.add([one])
    assert not parts
    assert len(table.rows().index) == 5
    assert len(parts) == 1
    monkeypatch.setattr("league.outcomes.table._AT_ONCE", 2)
    for one in log[5:]:
        table.add([one])
    assert len(parts) == 2
    assert outcomes(table.rows()) == outcomes(rows_of(GAMES, log))
    table.add([msgspec.structs.replace(log[0], index=9, seats=log[0].seats[:1])])
    with pytest.raises(InputError, match="a stored result is damaged"):
        table.rows()


def costly(log, rng):
    """The log with costs that no two seats share."""
    faults = [{}, {}, {"illegal": 1}, {"illegal": 2, "timeout": 1}]

    def spent(seat):
        numbers = {name: rng.randrange(2000) for name in ("turns", "tokens", "prompt_tokens")}
        return msgspec.structs.replace(seat, faults=rng.choice(faults), **numbers)

    return [msgspec.structs.replace(one, seats=tuple(map(spent, one.seats))) for one in log]


@settings(max_examples=60, deadline=None)
@given(logs(), st.randoms(use_true_random=False))
def test_costs_make_no_kinds_and_are_added_to_those_who_paid_them(log, rng):
    log = costly(log, rng)
    table = OutcomeTable(GAMES)
    for start in range(0, len(log), 5):
        table.add(log[start : start + 5])
        rows = table.rows()
    plain = rows_of(GAMES, [msgspec.structs.replace(one, seats=tuple(map(free, one.seats))) for one in log])
    assert outcomes(rows) == outcomes(plain)
    assert len(rows.units) == len(plain.units)
    assert spent(rows) == paid(log, rows)


def free(seat):
    """The seat without what it cost."""
    return msgspec.structs.replace(seat, turns=0, tokens=0, prompt_tokens=0, faults={})


def spent(rows):
    """What the table says that each player spent in each game and role."""
    out = {key: [*numbers, 0] for key, *numbers in zip(rows.spent.keys, *rows.spent.numbers.tolist(), strict=True)}
    for place, faults in rows.spent.faults:
        out[rows.spent.keys[place]][3] += sum(faults.values())
    return {key: numbers for key, numbers in out.items() if key is not None and any(numbers)}


def paid(log, rows):
    """The same, added up one by one over the matches of all units."""
    size = {game: info.size if info.by_pairing else 1 for game, info in GAMES.items()}
    ends, out = set(rows.index.tolist()), {}
    for one in log:
        if not is_counted(one, GAMES[one.game]):
            continue
        unit = [m.index for m in log if m.pairing == one.pairing] if size[one.game] > 1 else [one.index]
        if unit[-1] in ends:
            for seat in one.seats:
                numbers = out.setdefault((one.game, seat.role, seat.player), [0, 0, 0, 0])
                for k, more in enumerate((seat.turns, seat.tokens, seat.prompt_tokens, sum(seat.faults.values()))):
                    numbers[k] += more
    return {key: numbers for key, numbers in out.items() if any(numbers)}


@settings(max_examples=60, deadline=None)
@given(logs(), st.randoms(use_true_random=False))
def test_ranks_that_do_not_follow_are_noticed(log, rng):
    written = decided(rng.sample(log, len(log)))
    table = OutcomeTable(GAMES)
    table.add(written)
    assert table.follows()
    place = rng.randrange(len(written))
    one, other = written[place], rng.choice([(), ((0, 0),), ((0, 1),), ((1, 0),), ((0, 0), (0, 0)), ((0, 0, 0),)])
    written[place] = msgspec.structs.replace(one, ranks=other)
    table = OutcomeTable(GAMES)
    table.add(written)
    with suppress(InputError):  # ranks of other matches
        assert table.follows() == (one.ranks == other)


@pytest.mark.parametrize("name", ['a},{"b', 'x"turns":1,"tokens":2,"faults":{},"prompt_tokens":3,', "][", "{}"])
def test_names_that_look_like_json_are_names(name):
    rows = rows_of(GAMES, [result(0, (name, "y"), (1, -1), faults={"second": {"illegal": 3}})])
    assert [entry.player for unit in rows.listed() for entry in unit.outcomes[0].entries] == [name, "y"]
    assert spent(rows) == {(ZERO, "first", name): [2, 10, 0, 0], (ZERO, "second", "y"): [2, 10, 0, 3]}
