import gc
import logging
import sqlite3
from contextlib import closing

import msgspec
import pytest
from msgspec.structs import astuple
from sqlalchemy import event

from games import InputError, UnknownName
from league.outcomes.outcome import RankDecision
from league.records.leaderboard import MatchCounts
from league.records.matches import summarize, to_json
from league.runs.rebuild import rebuild
from league.store import Store
from tests.league.specs import KUHN, KUHN_INFO, stored
from tests.league.store.episodes import episode, finished, plan_of, planned


def test_plan_is_idempotent_and_kept_in_order(store, run):
    matches = plan_of(10)
    assert store.plan(run, matches[:6]) == 6
    assert store.plan(run, list(reversed(matches))) == 4
    assert store.plan(run, matches) == 0
    assert store.planned(run) == matches


def test_order_of_seats_survives(store, run):
    seats = {"solver_2": "x", "judge": "y", "a": "z"}
    store.plan(run, [planned(0, seats=seats)])
    assert list(store.planned(run)[0].match.seats) == list(seats)
    with pytest.raises(InputError, match="planned already and differs"):
        store.plan(run, [planned(0, seats=dict(reversed(seats.items())))])


def test_a_plan_that_changes_is_refused_whole(store, run):
    store.plan(run, plan_of(4))
    with pytest.raises(
        InputError, match=r"match 3 of run 'cup' is planned already and differs \(m0003, now other0003\)"
    ):
        store.plan(run, [planned(4), planned(3, "other")])
    assert len(store.planned(run)) == 4


def test_a_plan_with_a_gap_is_refused(store, run):
    with pytest.raises(ValueError, match="would jump from 0 to 1"):
        store.plan(run, [planned(1)])


def test_match_ids_are_unique_over_runs(store, run):
    store.plan(run, plan_of(2))
    other = store.start_run("other", {})
    with pytest.raises(ValueError, match="ids must be unique"):
        store.plan(other, plan_of(2))
    assert store.planned(other) == []


def test_lease_gives_the_lowest_first_and_nothing_twice(store, run):
    store.plan(run, plan_of(7))
    assert [(p.index, attempt) for p, attempt in store.lease(run, "a", 3)] == [(0, 1), (1, 1), (2, 1)]
    assert [p.index for p, _ in store.lease(run, "b", 2)] == [3, 4]
    assert [p.index for p, _ in store.lease(run, "a", 9)] == [5, 6]
    assert store.lease(run, "a", 9) == []
    assert store.lease(run, "a", 0) == []
    assert store.counts(run).in_flight == 7


def test_released_matches_come_back_first_with_the_next_attempt(store, run):
    store.plan(run, plan_of(4))
    a = store.lease(run, "a", 2)
    store.lease(run, "b", 1)
    store.finish([finished(a[0][0])])
    assert store.release(run, "a") == 1
    assert [(p.index, attempt) for p, attempt in store.lease(run, "c", 9)] == [(1, 2), (3, 1)]


def test_a_lease_that_ran_out_is_free_and_a_renewed_one_is_not(store, run, clock):
    store.plan(run, plan_of(2))
    store.lease(run, "dead", 1)
    store.lease(run, "alive", 1)
    clock.now += 59
    assert store.heartbeat(run, "alive") == 1
    assert store.reclaim(run) == 0
    clock.now += 2
    assert store.counts(run).in_flight == 1
    assert [(p.index, attempt) for p, attempt in store.lease(run, "new", 9)] == [(0, 2)]


def test_own_matches_are_never_handed_out_again_however_long_they_take(store, run, clock):
    store.plan(run, plan_of(2))
    store.lease(run, "a", 2)
    clock.now += 1000
    assert store.lease(run, "a", 2) == []
    assert store.lease(run, "b", 2) == []  # asking for more renewed them


def test_reclaim_takes_only_dead_leases_unless_the_run_is_held(store, run, clock):
    store.plan(run, plan_of(3))
    store.lease(run, "a", 2)
    assert store.reclaim(run) == 0
    with store.exclusive(run):
        assert store.reclaim(run) == 2
    store.lease(run, "a", 1)
    clock.now += 61
    assert store.reclaim(run) == 1


def test_results_are_what_summarize_says_numbered_in_order_of_commit(store, run):
    matches = plan_of(5)
    store.plan(run, matches)
    first = store.finish([finished(matches[3]), finished(matches[1], "forfeit")])
    second = store.finish([finished(matches[0], "void")])
    want = [msgspec.structs.replace(summarize(m, episode(m)), seq=1) for m in matches[3:4]]
    assert first[:1] == want
    assert [r.seq for r in first + second] == [1, 2, 3]
    assert store.results(run) == first + second
    assert store.results(run, after_seq=2) == second
    assert [r.index for r in store.results_in_plan_order(run)] == [0, 1, 3]
    assert store.counts(run) == MatchCounts(planned=5, finished=2, void=1, in_flight=0)
    assert second[0].reason == "the engine died"
    assert first[0].seats[0].tokens == 3
    assert first[0].seats[0].faults == {"illegal": 1}


def test_the_first_result_stands(store, run, caplog):
    matches = plan_of(3)
    store.plan(run, matches)
    store.finish([finished(matches[0])])
    with caplog.at_level(logging.WARNING):
        late = store.finish([(matches[0], episode(matches[0], salt=1)), finished(matches[1]), finished(matches[1])])
    assert [(r.match, r.seq) for r in late] == [("m0001", 2)]
    assert "2 of 3 matches had a result already" in caplog.text
    assert store.episode("m0000") == episode(matches[0])
    assert store.finish([]) == []


def test_a_batch_with_an_unplanned_match_changes_nothing(store, run):
    store.plan(run, plan_of(1))
    with pytest.raises(ValueError, match="m0001 has a result but was never planned"):
        store.finish([finished(planned(0)), finished(planned(1))])
    with pytest.raises(ValueError, match="planned at 0, its result says 5"):
        store.finish([finished(msgspec.structs.replace(planned(0), index=5))])
    with pytest.raises(ValueError, match="episode of match m0001 was given for match m0000"):
        store.finish([(planned(0), episode(planned(1)))])
    assert store.results(run) == []


def test_runs_number_their_results_apart(store, run):
    other = store.start_run("other", {})
    store.plan(run, plan_of(2))
    store.plan(other, plan_of(2, "x"))
    written = store.finish([finished(planned(0, "x")), finished(planned(0)), finished(planned(1))])
    assert [(r.match, r.seq) for r in written] == [("m0000", 1), ("m0001", 2), ("x0000", 1)]
    assert [r.match for r in store.results(other)] == ["x0000"]


def test_episodes_come_back_whole_by_id_prefix_and_index(store, run):
    matches = plan_of(12)
    store.plan(run, matches)
    store.finish([finished(m) for m in matches if m.index != 5])
    assert store.episode("m0011") == store.episode(11) == store.episode("11", run) == episode(matches[11])
    with pytest.raises(InputError, match="'m001' could be m0010, m0011; write more of it"):
        store.episode("m001")
    with pytest.raises(InputError, match="m0005 is planned but has not ended yet; `arena watch` follows"):
        store.episode("m0005")
    for missing in ("zz", "", "99", "²"):
        with pytest.raises(InputError, match="give an id, the start of one, or a place in the plan"):
            store.episode(missing)
    assert [(r.index, e) for r, e in store.episodes(run, batch=3)] == [
        (m.index, episode(m)) for m in matches if m.index != 5
    ]


def test_a_run_continues_with_the_same_configuration(store, run):
    grown = {"seed": 7, "rounds": 5, "concurrency": 2, "db": "elsewhere", "plugins": ["p.py"]}
    again = store.start_run("cup", grown)
    assert (again.id, again.seed, again.settings) == (run.id, 7, grown)
    assert store.run() == store.run("cup") == again
    assert store.runs() == [again]
    assert store.start_run("cup", grown) == again


def test_a_run_with_another_configuration_is_refused(store):
    players = [{"name": "a", "player": "random"}, {"name": "b", "player": "solver"}]
    store.start_run("cup", {"seed": 7, "rounds": 3, "players": players})
    other = [players[0], {"name": "b", "player": "mcts"}]
    with pytest.raises(InputError) as refused:
        store.start_run("cup", {"seed": 8, "rounds": 2, "players": other})
    message = str(refused.value)
    assert "seed was 7, is 8; rounds was 3, is 2; players.1.player was 'solver', is 'mcts'" in message
    assert "give this one another name" in message
    assert "\n" not in message
    with pytest.raises(InputError, match="players had 2 entries, has 3"):
        store.start_run("cup", {"seed": 7, "rounds": 3, "players": [*players, players[0]]})


def test_a_key_that_an_older_version_did_not_know_is_no_difference(store, run):
    assert store.start_run("cup", {"seed": 7, "rounds": 2, "new_setting": 1}).settings["new_setting"] == 1


def test_a_run_played_elsewhere_keeps_its_configuration(store, run, url):
    with (
        Store.open(url) as other,
        other.exclusive(run),
        pytest.raises(InputError, match="run 'cup' is already played by"),
    ):
        store.start_run("cup", {"seed": 7, "rounds": 9})
    assert store.run("cup").settings["rounds"] == 2


def test_runs_that_do_not_exist(store):
    with pytest.raises(InputError, match="holds no run yet"):
        store.run()
    store.start_run("cup", {})
    with pytest.raises(UnknownName, match="unknown run 'cub'; did you mean 'cup'"):
        store.run("cub")


def test_status_is_kept(store, run):
    store.set_status(run, "interrupted")
    assert store.run("cup").status == "interrupted"


def test_standings_cache_is_replaced_and_belongs_to_an_algorithm(store, run):
    assert store.load_standings(run, "trueskill/1") is None
    store.save_standings(run, b"old", 3, "trueskill/1")
    store.save_standings(run, b"\x00new", 5, "trueskill/1")
    assert store.load_standings(run, "trueskill/1") == (b"\x00new", 5)
    assert store.load_standings(run, "trueskill/2") is None


def test_the_diary_is_read_on_from_a_line(store, run, clock):
    store.add_event(run, "fault", "an engine died")
    store.add_event(run, "resume", "3 matches given back")
    first, second = store.events(run)
    assert (first.kind, first.text, first.time) == ("fault", "an engine died", clock.now)
    assert store.events(run, after=first.seq) == [second]


def test_only_one_holds_a_run(store, run, url):
    other_run = store.start_run("other", {})
    with Store.open(url) as second, store.exclusive(run):
        with pytest.raises(InputError, match=r"run 'cup' is already played by .*process.* \d+.*`arena watch --db"):
            second.exclusive(run).__enter__()
        with second.exclusive(other_run):
            pass
    with store.exclusive(run):
        pass


def test_the_next_round_is_that_after_the_last_planned_one(store, run):
    assert store.next_round(run) == (0, 0)
    store.plan(run, plan_of(3))
    assert store.next_round(run) == (store.planned(run)[-1].round + 1, len(store.planned(run)))
    store.plan(run, [msgspec.structs.replace(planned(3), round=7)])
    assert store.next_round(run)[0] == 8
    assert store.next_round(store.start_run("other", {})) == (0, 0)


def test_joined_columns_hold_what_the_results_hold(store, run, monkeypatch):
    monkeypatch.setattr("league.store.columns.JOINED", 4)
    matches = [planned(i, game=("kuhn", "leduc")[i % 2]) for i in range(11)]
    store.plan(run, matches)
    store.finish([finished(one, "void" if one.index == 5 else "finished") for one in reversed(matches)])
    read = []
    for part in store.log(run).columns():
        label, columns = astuple(part)[:3], astuple(part)[3:]
        read += [(*label, *row) for row in zip(*columns, strict=True)]
    wanted = [
        (
            r.game,
            r.worker,
            r.status,
            r.index,
            r.seed,
            r.transcript,
            r.task,
            r.pairing,
            to_json(r.seats) + to_json(r.ranks),
        )
        for r in store.results(run)
    ]
    assert sorted(read) == sorted(wanted)
    assert len({row[:3] for row in read}) == 3


def opened_by(store):
    """Returns the list of connections that the driver hands to a store from now on."""
    connections = []
    event.listen(store._db.engine, "checkout", lambda connection, *_: connections.append(connection))
    return connections


def all_closed(connections):
    assert connections
    for connection in connections:
        with pytest.raises(Exception, match="closed"):
            connection.execute("SELECT 1")
    return True


def test_a_reader_that_outlives_the_store_leaves_no_open_database(store, run, monkeypatch):
    """As a thread that reads ahead, or the iterator in the traceback of an error."""
    monkeypatch.setattr("league.store.columns.JOINED", 1)
    plans = [planned(i) for i in range(20)]
    store.plan(run, plans)
    store.finish([finished(one) for one in plans])
    connections = opened_by(store)
    parts = store.log(run).columns()
    next(parts)
    store.close()
    parts.close()
    assert all_closed(connections)


def test_a_store_that_nobody_closes_is_closed_when_it_is_dropped(url):
    store = Store.open(url)
    connections = opened_by(store)
    assert store.runs() == []
    del store
    gc.collect()
    assert all_closed(connections)


def test_runs_are_listed_by_kind_without_decoding_their_settings(tmp_path, monkeypatch):
    """A training may be called x.gate: kind and parent are columns, not parts of the name."""
    path = f"{tmp_path}/x.db"
    with Store.open(path) as store:
        for name, more in (
            ("cup", {}),
            ("x.gate", {"kind": "training"}),
            ("x.gate.gate", {"kind": "gate", "parent": "x.gate"}),
            ("x.gate.training", {"kind": "record", "parent": "x.gate"}),
        ):
            store.start_run(name, stored(**more))
        monkeypatch.setattr("league.records.run_spec.RunSpec.from_json", None)
        assert [(run.name, run.kind, run.parent) for run in store.runs()] == [
            ("cup", "tournament", ""),
            ("x.gate", "training", ""),
            ("x.gate.gate", "gate", "x.gate"),
            ("x.gate.training", "record", "x.gate"),
        ]
        for kind, name in (("training", "x.gate"), ("gate", "x.gate.gate"), ("record", "x.gate.training")):
            assert [run.name for run in store.runs(kind)] == [name]
    with closing(sqlite3.connect(path)) as connection, connection:
        assert "gate" not in str(connection.execute("SELECT config FROM runs").fetchall())


def test_an_outcome_is_written_once_with_the_match_that_completes_it(tmp_path):
    """A pairing of Kuhn poker is rated as one, whatever the order and the transactions in which its matches end."""
    with Store.open(f"{tmp_path}/x.db") as store:
        run = store.start_run("cup", stored(rated={KUHN: KUHN_INFO | {"stakes": True}}))
        store.plan(run, plan_of(6))
        for index in (3, 0, 2):
            store.finish([finished(planned(index))])
        [last] = store.finish([finished(planned(1)), finished(planned(1))])
        assert store.finish([finished(planned(5), "void"), finished(planned(4))])[1].ranks
        results = {r.index: r for r in store.results(run)}
        assert {index for index, r in results.items() if r.ranks} == {1, 2, 4}
        assert last == results[1]
        decision = RankDecision(run.spec.games)
        assert all(decision.ranks(r) == r.ranks for r in results.values())
        assert rebuild(store.url) == "cup: standings rebuilt from 6 results; none were cached"
    with closing(sqlite3.connect(f"{tmp_path}/x.db")) as connection, connection:
        connection.execute("UPDATE results SET ranks = CASE seq WHEN 1 THEN x'ff' WHEN 3 THEN '[]' ELSE ranks END")
    assert "; the stored outcomes of 2 did NOT follow from them; identical" in rebuild(f"{tmp_path}/x.db")
    with Store.open(f"{tmp_path}/x.db", read_only=True) as store:
        assert {r.index: r for r in store.results(store.run())} == results


def test_settings_that_were_damaged_do_not_lose_a_match(store, run):
    store.plan(run, plan_of(2))
    with pytest.raises(InputError, match="rated"):
        store.run().spec  # noqa: B018
    assert [r.ranks for r in store.finish([finished(planned(0)), finished(planned(1))])] == [(), ()]
