"""Tables rebuilt from a stored log are those of its results one by one, in either database."""

import threading
import zlib

import msgspec
import pytest
from sqlalchemy import func, select

from games import InputError
from league.runs.ratings import ratings_for
from league.runs.rebuild import compute, rebuild
from league.store import Store, columns, schema
from league.store.stored_log import read_ahead
from tests.league.specs import KUHN, KUHN_INFO, stored
from tests.league.store.episodes import finished, planned, transaction

NAMES = ("alice", "bob", 'a},{"b')


def filled(store, stakes):
    """A run whose results came in another order than the plan's, some of them void."""
    plays = {name: [KUHN] for name in NAMES}
    run = store.start_run("cup", stored(rated={KUHN: KUHN_INFO | {"stakes": stakes}}) | {"plays": plays})
    plan = []
    for index in range(60):
        two = [NAMES[(index // 2 + k * (1 + index // 30)) % 3] for k in range(2)]
        first, second = two if index % 2 else two[::-1]
        plan.append(planned(index, seats={"player_0": first, "player_1": second}))
    store.plan(run, plan)
    for start in range(0, 55, 5):
        ended = sorted(plan[start : start + 5], key=lambda match: match.match.seed % 5)
        store.finish([finished(match, "void" if match.index % 11 == 3 else "finished") for match in ended])
    return run


@pytest.mark.parametrize("stakes", [False, True])
@pytest.mark.parametrize(("part", "block"), [(4000, 20_000), (7, 20_000), (7, 16), (4000, 5)])
def test_a_rebuild_gives_what_the_results_give_one_by_one(url, monkeypatch, stakes, part, block):
    monkeypatch.setattr(columns, "JOINED", part)
    monkeypatch.setattr(columns, "BLOCK", block)
    with Store.open(url) as store:
        run = filled(store, stakes)
        engine = ratings_for(run.spec)
        for result in store.results(run):
            engine.add([msgspec.structs.replace(result, ranks=())])
        board = compute(store, run)
        assert board == engine.final(run.name, store.counts(run))
        assert sum(row.tokens for row in board.standings)
        assert sum(row.faults.get("illegal", 0) for row in board.standings) == 55 - stakes  # half a pairing
        assert "NOT" not in rebuild(store.url if url.startswith("sqlite") else url)


def blocks(store):
    with transaction(store) as connection:
        b = schema.blocks.c
        return connection.execute(select(b.since, b.seq, func.length(b.data)).order_by(b.since)).all()


def edit_block(store, change):
    with transaction(store) as connection:
        b = schema.blocks
        data = connection.execute(select(b.c.data).where(b.c.since == 1)).scalar_one()
        connection.execute(b.update().where(b.c.since == 1).values(data=change(bytes(data))))


def test_blocks_hold_their_results_whatever_commits_filled_them(url, monkeypatch):
    monkeypatch.setattr(columns, "BLOCK", 8)
    with Store.open(url) as store:
        run = filled(store, False)
        assert [row[:2] for row in blocks(store)] == [(1, 8), (9, 16), (17, 24), (25, 32), (33, 40), (41, 48)]
        assert store.block_faults(run) == []
        before, board = blocks(store), compute(store, run)
        edit_block(store, lambda data: zlib.compress(zlib.decompress(data).replace(b"alice", b"bobby")))
        (fault,) = store.block_faults(run)
        assert fault.startswith("the block of results 1 to 8, from which tables are made, holds others")
        assert store.decide_again(run) == 0
        assert (store.block_faults(run), blocks(store), compute(store, run)) == ([], before, board)


def test_a_rebuild_makes_a_damaged_block_again(url, monkeypatch):
    monkeypatch.setattr(columns, "BLOCK", 8)
    with Store.open(url) as store:
        run = filled(store, False)
        board = compute(store, run)
        edit_block(store, lambda data: data[:-9])
    with Store.open(url) as store, pytest.raises(InputError, match="is damaged: a block of results cannot be read"):
        compute(store, run)
    rebuild(url)
    with Store.open(url) as store:
        assert (store.block_faults(run), compute(store, run)) == ([], board)


@pytest.mark.parametrize("column", ["text", "names", "ends", "texts"])
def test_a_block_whose_columns_do_not_fit_is_refused(tmp_path, monkeypatch, column):
    monkeypatch.setattr(columns, "BLOCK", 8)

    def cut(data):
        first, *rest = msgspec.msgpack.decode(zlib.decompress(data))
        place = ["text", "names", "ends", "texts"].index(column) + 4
        first[place] = first[place][:-8]
        return zlib.compress(msgspec.msgpack.encode([first, *rest]))

    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run = filled(store, False)
        edit_block(store, cut)
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store, pytest.raises(InputError, match="a block of results"):
        compute(store, run)


def test_a_block_that_unpacks_to_more_than_any_arena_writes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "BLOCK", 8)
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store:
        run = filled(store, False)
        edit_block(store, lambda data: zlib.compress(bytes(1 << 20)))
        monkeypatch.setattr("league.outcomes.columns._MOST_BYTES", 1 << 19)
        assert len(store.block_faults(run)) == 1
    with Store.open(f"sqlite:///{tmp_path}/x.db") as store, pytest.raises(InputError, match="more than 524,288 bytes"):
        compute(store, run)


def test_a_large_commit_fills_several_blocks(url, monkeypatch):
    monkeypatch.setattr(columns, "BLOCK", 8)
    with Store.open(url) as store:
        run = store.start_run("cup", stored(rated={KUHN: KUHN_INFO}) | {"plays": {name: [KUHN] for name in NAMES}})
        plan = [planned(index, seats={"player_0": "alice", "player_1": "bob"}) for index in range(27)]
        store.plan(run, plan)
        store.finish([finished(match) for match in plan[:7]])
        store.finish([finished(match) for match in plan])
        assert [row[:2] for row in blocks(store)] == [(1, 8), (9, 16), (17, 24)]
        assert sum(row.games for row in compute(store, run).standings) == 54


def numbers(end, seen, error=None):
    """Reads numbers, and notes what it has read."""

    def read():
        try:
            for n in range(end):
                seen.append(n)
                yield n
            if error is not None:
                raise error
        finally:
            seen.append("closed")

    return read


@pytest.mark.parametrize("most", [1, 3, 50])
def test_all_items_come_in_order(most):
    assert list(read_ahead(numbers(20, []), most)) == list(range(20))


def test_an_error_comes_after_the_items_before_it():
    items = read_ahead(numbers(3, [], OverflowError("late")), 2)
    assert [next(items), next(items), next(items)] == [0, 1, 2]
    with pytest.raises(OverflowError, match="late"):
        next(items)


def test_a_reader_that_leaves_ends_the_reading():
    seen, before = [], threading.active_count()
    reader = read_ahead(numbers(1000, seen), 2)
    assert [next(reader), next(reader)] == [0, 1]
    reader.close()
    assert threading.active_count() == before
    assert seen[-1] == "closed"
    assert len(seen) < 10
