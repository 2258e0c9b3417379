"""What tournaments and trainings share: leases, repeats, results, each match once."""

import asyncio

import pytest
from msgspec.structs import replace

import games
from arena.match import MatchPlan, Sample, void
from arena.players.bots.random import RandomPlayer
from arena.runner.local import LocalRunner
from arena.runner.retries import ATTEMPTS
from league.records.matches import PlannedMatch, Result
from league.store import Store
from league.tournament.worker import PlanWorker
from tests.arena.players.endpoint.server import says, serving, status
from tests.toys.players import disconnected


def plan(index, a, b):
    return PlannedMatch(index, 0, f"p{index}", MatchPlan(f"m{index}", "race-v0", index, {"player_0": a, "player_1": b}))


@pytest.fixture
def store(tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/s.db") as store:
        yield store


@pytest.fixture
def run(store):
    return store.start_run("r", {})


def runner():
    return LocalRunner({"a": RandomPlayer(), "b": RandomPlayer(), "broken": disconnected(waits=True)}, concurrency=4)


def test_a_match_whose_engine_fails_is_repeated_and_then_void(store, run):
    store.plan(run, [plan(0, "a", "broken"), plan(1, "a", "b")])
    lines: list[str] = []
    ended: list[Result] = []
    asyncio.run(PlanWorker(store, run, runner(), ended.extend, log=lines.append).run())
    assert [(r.match, r.status) for r in sorted(ended, key=lambda r: r.index)] == [("m0", "void"), ("m1", "finished")]
    assert lines == ["retrying m0: the engine is gone"] * (ATTEMPTS - 1)
    assert store.counts(run).void == 1
    seats = {seat.player: seat.void_phase for r in ended if r.status == "void" for seat in r.seats}
    assert seats == {"a": "", "broken": "play"}


@pytest.mark.parametrize("concurrency", [1, 16])
def test_prompts_that_an_endpoint_refuses_make_voids_and_the_run_goes_on(store, run, concurrency):
    """Void matches are retried first, so only refusals are left at the end, one after the other."""
    pytest.importorskip("openai")
    from arena.players.endpoint.player import Endpoint

    def behave(handler, body):
        king = "King" in body["messages"][-1]["content"]
        (status(400, "filtered") if king else says("\\boxed{Pass}"))(handler, body)

    for i in range(24):
        seats = dict(zip(("player_0", "player_1"), ("m", "bot") if i % 2 else ("bot", "m"), strict=True))
        store.plan(run, [PlannedMatch(i, 0, f"p{i}", MatchPlan(f"m{i}", "openspiel/kuhn_poker", i // 2, seats))])
    ended: list[Result] = []
    with serving(behave) as server:
        players = {"m": Endpoint("m", server.url), "bot": RandomPlayer()}
        asyncio.run(PlanWorker(store, run, LocalRunner(players, concurrency=concurrency), ended.extend).run())
    assert {r.status for r in ended} == {"finished", "void"}
    assert len(ended) == 24


def test_the_turns_of_a_match_in_play_are_published_without_tokens(store, run, monkeypatch):
    monkeypatch.setattr("league.tournament.worker.EVERY", 0.01)
    store.plan(run, [plan(0, "slow", "b")])
    lengths: list[int] = []

    class Slow(RandomPlayer):
        waits = True

        async def act_async(self, view):
            for _ in range(500):
                published = {live.planned.match.id: live.turns for live in store.in_play(run)}.get("m0")
                if published is not None and len(published) == view.turn:
                    lengths.append(len(published))
                    break
                await asyncio.sleep(0.01)
            sample = Sample((1, 2), (3,), (-0.5,))
            return replace(self.act(view), sample=sample)

    playing = LocalRunner({"slow": Slow(), "b": RandomPlayer()}, concurrency=4)
    ended: list[Result] = []
    asyncio.run(PlanWorker(store, run, playing, ended.extend).run())
    turns = store.episode("m0").turns
    assert lengths == [i for i, turn in enumerate(turns) if turn.seat == "player_0"]
    assert store.in_play(run) == []
    assert playing.turns_in_flight() == {}


def test_what_cannot_be_played_yet_is_left_and_given_back(store, run):
    store.plan(run, [plan(i, "a", "later") for i in range(6)] + [plan(6, "a", "b")])
    ended: list[Result] = []
    playing = PlanWorker(store, run, runner(), ended.extend, able=lambda p: "later" not in p.match.seats.values())
    asyncio.run(playing.run())
    assert [r.match for r in ended] == ["m6"]
    assert store.counts(run).in_flight == 0
    assert len(store.lease(run, "somebody", 9)) == 6


def test_more_is_asked_for_when_the_plan_is_played_out(store, run):
    store.plan(run, [plan(0, "a", "b")])
    ended: list[Result] = []

    def more():
        if len(ended) < 3:
            store.plan(run, [plan(len(ended), "a", "b")])
        return len(ended) < 3

    asyncio.run(PlanWorker(store, run, runner(), ended.extend, more=more).run())
    assert [r.match for r in ended] == ["m0", "m1", "m2"]


def test_a_round_that_another_process_ends_is_followed_by_the_next(store, run, monkeypatch):
    store.plan(run, [plan(0, "a", "b")])
    ((other, _),) = store.lease(run, "another process", 1)
    look, looks = store.unfinished, 0

    def unfinished(of, owner):
        nonlocal looks
        looks += 1
        if looks == 2:  # it ends its match while this process waits for it
            store.finish([(other, void(games.make("race-v0"), other.match, "a fault"))])
        return look(of, owner)

    def more():
        return store.next_round(run)[1] == 1 and store.plan(run, [plan(1, "a", "b")]) == 1

    monkeypatch.setattr(store, "unfinished", unfinished)
    ended: list[Result] = []
    asyncio.run(PlanWorker(store, run, runner(), ended.extend, more=more).run())
    assert [r.match for r in ended] == ["m1"]
