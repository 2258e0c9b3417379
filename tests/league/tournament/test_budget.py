"""A tournament with a player behind an endpoint, over real HTTP: outages, budgets and keys."""

import logging
import re

import pytest

from arena.match import MatchPlan
from games import InputError, RunPaused
from league import TournamentConfig, run_tournament
from league.records.matches import PlannedMatch, Result, SeatResult
from league.store import Store
from league.tournament.budget import RunUsageStore
from league.tournament.remaining_time import Remaining
from tests.arena.players.endpoint.server import says, serving, status

pytest.importorskip("openai")

KEY = "test-key-41e7c0aa95"


def config(folder, server, budget=None, **player):
    given = {"backoff": 0.001, "retries": 1, "timeout": 30, "max_tokens": 10, **player}
    id = f"openai(model=m, base_url={server.url}, {', '.join(f'{k}={v}' for k, v in given.items())})"
    return TournamentConfig(
        name="t",
        db=f"sqlite:///{folder}/t.db",
        games=["race-v0"],
        rounds=10,
        concurrency=8,
        budget=budget or {},
        players=[{"name": "model", "player": id}, {"name": "random", "player": "random"}],
    )


def used(conf):
    with Store.open(conf.db, read_only=True) as store:
        return RunUsageStore(store, store.run("t")).total()


def test_a_budget_stops_the_run_and_a_higher_one_goes_on(tmp_path):
    with serving(says("\\boxed{1}", usage=(90, 10))) as server:
        with pytest.raises(RunPaused, match=r"of 3,000 tokens used.*Raise it under \[budget\]"):
            run_tournament(config(tmp_path, server, {"tokens": 3000}), board="off")
        assert used(config(tmp_path, server)).tokens == 100 * len(server.asked) <= 3000
        assert len(server.asked) > 10
        done = run_tournament(config(tmp_path, server, {"tokens": 3_000_000}), board="off")
        assert used(config(tmp_path, server)).tokens == 100 * len(server.asked)
    assert done.complete
    assert (done.snapshot.matches.finished, done.snapshot.matches.void) == (20, 0)
    assert all(s.forfeits == 0 for s in done.snapshot.standings)


def test_a_free_model_has_a_price(tmp_path):
    with serving(says("\\boxed{1}", usage=(90, 10))) as server:
        free = config(tmp_path, server, {"cost": 1.0}, price_in=0, price_out=0)
        done = run_tournament(free, board="off")
    assert done.complete


def test_a_cost_needs_prices(tmp_path):
    with serving(says("\\boxed{1}", usage=(90, 10))) as server:
        with pytest.raises(InputError, match="'model' has no prices; add price_in"):
            run_tournament(config(tmp_path, server, {"cost": 1.0}), board="off")
        assert not server.asked
        prices = {"price_in": 2.0, "price_out": 10.0}
        conf = config(tmp_path / "b", server, {"cost": 0.01}, **prices)
        (tmp_path / "b").mkdir()
        with pytest.raises(RunPaused, match=r"of 0\.0100 spent"):
            run_tournament(conf, board="off")
        assert used(conf).cost == pytest.approx(280e-6 * len(server.asked))
        assert used(conf).cost <= 0.01


@pytest.mark.slow
def test_an_outage_pauses_the_run_and_forfeits_nothing(tmp_path):
    def dies(handler, body):
        """Answers 30 times, then no more."""
        (says("\\boxed{1}") if len(server.asked) <= 30 else status(503, "gone"))(handler, body)

    with serving(dies) as server:
        conf = config(tmp_path, server)
        for _ in range(4):  # as often as it is tried, nothing is lost
            with pytest.raises(RunPaused, match=r"503: gone after 2 attempts.*start the run again"):
                run_tournament(conf, board="off")
        with Store.open(conf.db, read_only=True) as store:
            run = store.run("t")
            assert run.status == "interrupted"
            counts = store.counts(run)
            assert (counts.void, counts.in_flight) == (0, 0)
            assert 0 < counts.finished < 20
            assert all(e.status == "finished" for _, e in store.episodes(run))
        server.usual = says("\\boxed{1}")
        done = run_tournament(conf, board="off")
    assert done.complete
    assert (done.snapshot.matches.finished, done.snapshot.matches.void) == (20, 0)


def test_the_key_is_in_no_file_and_no_log(tmp_path, monkeypatch, caplog, capsys):
    monkeypatch.setenv("MY_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    faults = [status(500, f"key {KEY} met an error")] * 3
    with serving(says("\\boxed{1}"), *faults) as server:
        assert run_tournament(config(tmp_path, server, key="MY_KEY", retries=5), board="plain").complete
    with serving(status(401, f"wrong key {KEY}")) as server, pytest.raises(RunPaused) as caught:
        run_tournament(config(tmp_path / "..", server, key="MY_KEY").model_copy(update={"name": "u"}), board="plain")
    assert server.keys[0] == f"Bearer {KEY}"
    shown = capsys.readouterr()
    assert not any(KEY in text for text in (caplog.text, shown.out, shown.err, str(caught.value)))
    files = [f for f in (*tmp_path.rglob("*"), *tmp_path.parent.glob("t.db*")) if f.is_file()]
    assert len(files) >= 2
    assert not any(re.search(KEY.encode(), f.read_bytes()) for f in files)


def planned(n, a, b, start=0):
    seats = {"x": a, "y": b}
    return [PlannedMatch(start + i, 0, "p", MatchPlan(f"m{start + i}", "g", 1, seats)) for i in range(n)]


def ended(n, a, b, seconds):
    seats = tuple(SeatResult(s, s, p, 0.0) for s, p in (("x", a), ("y", b)))
    return [Result(i, 0, "p", f"m{i}", "g", 1, "finished", "", seats, seconds) for i in range(n)]


def test_nothing_is_said_while_long_matches_have_not_ended_once():
    now = [0.0]
    left = Remaining(lambda: now[0])
    left.plan(planned(900, "bot", "bot2") + planned(100, "bot", "model", 900))
    now[0] = 1.0
    left.ended(ended(900, "bot", "bot2", 0.001))
    assert left.seconds(1000) is None
    now[0] = 21.0
    left.ended(ended(10, "bot", "model", 20.0))  # ten at a time
    assert left.seconds(1000) == pytest.approx(90 * 20 / 10, rel=0.1)
    assert left.seconds(None) is None
    assert left.seconds(2000) > 3 * left.seconds(1000)


def test_what_ended_before_tells_how_long_matches_are_but_not_how_fast_they_are_played_now():
    now = [0.0]
    left = Remaining(lambda: now[0])
    left.plan(planned(100, "a", "b"))
    left.ended(ended(50, "a", "b", 4.0), before=True)
    assert left.seconds(100) is None
    now[0] = 10.0
    left.ended(ended(10, "a", "b", 4.0))
    assert left.seconds(100) == pytest.approx(40 * 4 * 10 / 40)
