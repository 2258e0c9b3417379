"""The local runner: plans, retries and failures."""

import asyncio
from collections.abc import Sequence

import pytest

from arena import Episode, MatchPlan
from arena.players.bots.random import RandomPlayer
from arena.runner import LocalRunner, RetryQueue
from games import RunPaused


class Late(RandomPlayer):
    """A random player that answers through the event loop."""

    waits = True

    def __init__(self) -> None:
        self.name, self.most, self.now = "late", 0, 0

    async def act_async(self, view):
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return self.act(view)


def plans(n, *names):
    return [MatchPlan(f"m{i}", "race-v0", i, dict(zip(("player_0", "player_1"), names, strict=True))) for i in range(n)]


class Queue:
    """A source and a sink over a list of plans."""

    def __init__(self, todo: Sequence[MatchPlan]) -> None:
        self.todo, self.ended = list(todo), list[Episode]()

    def source(self, n):
        taken, self.todo = self.todo[:n], self.todo[n:]
        return taken

    def sink(self, episodes):
        self.ended += episodes


def players():
    return {"random": RandomPlayer(), "late": Late()}


def test_every_match_is_played_once_with_many_in_flight():
    queue, seats = Queue(plans(200, "late", "random") + plans(50, "random", "random")), players()
    asyncio.run(LocalRunner(seats, concurrency=40).run(queue.source, queue.sink))
    assert len(queue.ended) == 250
    assert seats["late"].most == 40  # type: ignore[attr-defined]


def test_transcripts_do_not_depend_on_what_else_runs():
    def transcripts(concurrency):
        queue = Queue(plans(60, "late", "random"))
        asyncio.run(LocalRunner(players(), concurrency=concurrency).run(queue.source, queue.sink))
        return {e.match: [t.action for t in e.turns] for e in queue.ended}

    assert transcripts(1) == transcripts(7) == transcripts(60)


def test_stop_plays_what_is_in_flight_and_takes_nothing_new():
    queue = Queue(plans(100, "late", "random"))
    runner = LocalRunner(players(), concurrency=8)

    def sink(episodes):
        queue.sink(episodes)
        runner.stop()

    asyncio.run(runner.run(queue.source, sink))
    assert len(queue.ended) == 8
    assert len(queue.todo) == 92


def test_a_pause_of_a_bot_keeps_the_matches_that_ended_before_it():
    class Unlicensed(RandomPlayer):
        def act(self, view):
            raise RunPaused("the licence ended")

    seated = players() | {"unlicensed": Unlicensed()}
    waiting, free, pausing = (plans(9, name, "random") for name in ("late", "random", "unlicensed"))
    queue = Queue([waiting[0], *free[1:5], *pausing[5:7], *free[7:]])
    with pytest.raises(RunPaused, match="the licence ended"):
        asyncio.run(LocalRunner(seated).run(queue.source, queue.sink))
    assert sorted(e.match for e in queue.ended) == ["m0", "m1", "m2", "m3", "m4"]


def test_cancelling_abandons_matches_in_flight():
    class Stuck(Late):
        async def act_async(self, view):
            await asyncio.Event().wait()
            raise AssertionError

    queue = Queue(plans(10, "late", "random"))
    runner = LocalRunner({"late": Stuck(), "random": RandomPlayer()}, concurrency=4)

    async def interrupted():
        task = asyncio.create_task(runner.run(queue.source, queue.sink))
        await asyncio.sleep(0.01)
        assert runner.in_flight == 4
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    assert queue.ended == []
    assert runner.in_flight == 0


def test_a_fault_in_the_sink_is_raised_not_swallowed():
    def sink(episodes):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        asyncio.run(LocalRunner(players()).run(Queue(plans(3, "random", "random")).source, sink))


def test_a_match_that_is_given_up_is_void_and_names_its_task():
    retries = RetryQueue(5, isolate_after=2)
    plan = MatchPlan("m1", "openspiel/kuhn_poker", 7, {"player_0": "a", "player_1": "b"}, task="the task")
    for _ in range(4):
        assert retries.add_all([plan], "its worker died 5 times") == []
        retries.clear()
    (episode,) = retries.add_all([plan], "its worker died 5 times")
    assert (episode.status, episode.task, episode.turns) == ("void", "the task", ())
    assert episode.reason == "its worker died 5 times"
    assert set(episode.returns) == set(plan.seats)
    assert not any(episode.returns.values())


def test_a_match_that_failed_often_is_a_suspect_and_no_longer_taken_with_the_others():
    retries = RetryQueue(5, isolate_after=2)
    plans = [MatchPlan(f"m{i}", "openspiel/kuhn_poker", i, {"player_0": "a", "player_1": "b"}) for i in range(3)]
    assert retries.add(plans[1])
    assert retries.take(9) == [plans[1]]
    assert all(retries.add(plan) for plan in plans)
    assert retries.suspect() == plans[1]
    assert [plan.id for plan in retries.take(9)] == ["m0", "m2"]
    retries.remove(plans[1])
    assert retries.suspect() is None


def test_a_match_has_three_attempts():
    retries = RetryQueue()
    plan = MatchPlan("m", "openspiel/kuhn_poker", 1, {"player_0": "a", "player_1": "b"})
    for _ in range(2):
        assert retries.add(plan)
        assert retries.take(0) == []
        assert retries.take(9) == [plan]
    assert not retries.add(plan)
    assert retries.take(9) == []
