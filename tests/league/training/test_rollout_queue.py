"""The queue of rollouts: free slots, matches that are played again, checkpoints in the middle of steps."""

import asyncio
import zlib
from contextlib import asynccontextmanager

import pytest

from arena.match import MatchPlan, decode
from arena.players import Player
from arena.players.bots.random import RandomPlayer
from arena.runner.local import LocalRunner
from arena.runner.packing import PackedEpisode
from arena.runner.retries import ATTEMPTS
from games.errors import RunPaused
from league.records.matches import PlannedMatch
from league.training.rollout_batch import RolloutBatch
from league.training.rollout_queue import RolloutQueue
from tests.toys.players import Flaky


class Slow(Player):
    """Answers once it may, and counts the answers that wait."""

    waits = True

    def __init__(self) -> None:
        self.name, self.may, self.waiting = "slow", asyncio.Event(), 0
        self._inner = RandomPlayer()

    async def act_async(self, view):
        self.waiting += 1
        await self.may.wait()
        self.waiting -= 1
        return self._inner.act(view)


class Quick(Slow):
    """An engine that answers at once."""

    async def act_async(self, view):
        await asyncio.sleep(0)
        return self._inner.act(view)


def planned(step, *rivals):
    return [
        PlannedMatch(
            100 * step + i,
            step,
            str(i),
            MatchPlan(f"s{step}m{i}", "race-v0", i, {"player_0": rival, "player_1": "bot"}),
        )
        for i, rival in enumerate(rivals)
    ]


def queue_of(flaky=None, *, slow=None, lines=None, finish=None, sessions=None, slots=2):
    """A queue that plays with a local runner, and logs the weights with which it begins to play."""

    @asynccontextmanager
    async def playing(batch):
        if sessions is not None:
            sessions.append((batch.step, batch.weights))
        yield

    players = {"flaky": flaky or Flaky(0), "bot": RandomPlayer(), "quick": Quick(), "slow": slow or Slow()}
    log = [].append if lines is None else lines.append
    return RolloutQueue(LocalRunner(players, concurrency=slots), playing, log, finish)


def played(flaky, *rivals, finish=None):
    lines: list[str] = []

    async def run():
        queue = queue_of(flaky, lines=lines, finish=finish)
        queue.add(RolloutBatch(6, planned(6, *rivals), None))
        try:
            return await queue.take(6)
        finally:
            await queue.close()

    return asyncio.run(run()), lines


async def until(condition):
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it did not happen")


def actions(episodes):
    return [[turn.action for turn in episode.turns] for episode in episodes]


def test_a_match_whose_engine_failed_is_played_again_with_the_same_seed():
    failed, lines = played(Flaky(ATTEMPTS - 1), "flaky", "bot", "bot")
    whole, silent = played(Flaky(0), "flaky", "bot", "bot")
    assert [e.status for e in failed] == ["finished"] * 3
    assert [e.match for e in failed] == ["s6m0", "s6m1", "s6m2"]
    assert actions(failed) == actions(whole)
    assert (lines, silent) == (["s6m0 is played again: the engine is gone"], [])


def test_a_step_that_is_stored_is_packed_in_plan_order_and_learned_from_as_it_was_played():
    stored: list[tuple[PlannedMatch, PackedEpisode]] = []
    episodes, _ = played(Flaky(1), *["flaky"] * 4, finish=stored.extend)
    assert [match for match, _ in stored] == planned(6, *["flaky"] * 4)
    assert [decode(zlib.decompress(packed.data)) for _, packed in stored] == episodes


def test_what_stays_void_is_logged():
    flaky = Flaky(99)
    episodes, lines = played(flaky, "flaky", "bot")
    assert [e.status for e in episodes] == ["void", "finished"]
    assert flaky.asked == ATTEMPTS
    assert lines[-1] == "1 of the 2 matches of step 7 are void: the engine is gone"


def test_a_step_of_void_matches_pauses_with_the_reason():
    with pytest.raises(RunPaused, match="all 2 matches of step 7 are void: the engine is gone; fix the cause"):
        played(Flaky(99), "flaky", "flaky")


def test_free_slots_take_matches_of_the_next_step_also_of_one_that_is_added_later():
    async def run():
        slow, ended = Slow(), []
        queue = queue_of(slow=slow, finish=lambda entries: ended.extend({match.round for match, _ in entries}))
        queue.add(RolloutBatch(0, planned(0, "slow", "quick", "quick"), None))
        queue.add(RolloutBatch(1, planned(1, "quick", "quick"), None))
        await until(lambda: ended == [1])
        queue.add(RolloutBatch(2, planned(2, "quick", "quick", "quick"), None))
        await until(lambda: ended == [1, 2])  # the runner waits for the slow match alone, and is woken
        slow.may.set()
        assert [len(await queue.take(step)) for step in range(3)] == [3, 2, 3]
        await queue.close()

    asyncio.run(run())


def test_steps_with_other_weights_follow_each_other():
    async def run():
        slow, sessions, first, second = Slow(), [], {"a": 1}, {"b": 2}
        queue = queue_of(slow=slow, sessions=sessions)
        queue.add(RolloutBatch(0, planned(0, "slow", "quick"), first))
        queue.add(RolloutBatch(1, planned(1, "quick", "slow"), first))
        queue.add(RolloutBatch(2, planned(2, "quick", "quick"), second))
        await until(lambda: slow.waiting == 2)  # steps 0 and 1 share the slots
        slow.may.set()
        for step in range(3):
            await queue.take(step)
        assert sessions == [(0, first), (2, second)]
        await queue.close()

    asyncio.run(run())


def test_an_engine_that_dies_while_steps_overlap_costs_the_matches_another_attempt():
    async def run(flaky):
        lines = []
        queue = queue_of(flaky, lines=lines, slots=3)
        for step in range(3):
            queue.add(RolloutBatch(step, planned(step, "quick", "flaky", "quick"), None))
        episodes = [await queue.take(step) for step in range(3)]
        await queue.close()
        return [actions(step) for step in episodes], lines

    whole, silent = asyncio.run(run(Flaky(0)))
    failed, lines = asyncio.run(run(Flaky(2)))
    assert failed == whole
    assert (len(lines) > 0, silent) == (True, [])


@pytest.mark.parametrize("more", [0, 1])
def test_a_checkpoint_in_the_middle_of_steps_holds_what_ended_and_the_rest_is_played_after_a_resume(tmp_path, more):
    """`more`: matches that end, and are stored, after the checkpoint was written and before the process is killed."""

    async def killed():
        slow, stored = Slow(), []
        queue = queue_of(slow=slow, finish=stored.extend)
        queue.add(RolloutBatch(0, planned(0, "quick", "quick"), None))
        queue.add(RolloutBatch(1, planned(1, "slow", "quick", "quick"), None))
        await queue.take(0)
        batch = queue._batches[0]
        await until(lambda: len(batch.played()) == 2)
        for name, data in (await queue.files()).items():
            (tmp_path / name).write_bytes(data)
        if more:
            slow.may.set()
            await queue.drain()
        ended = batch.played()
        await queue.close()
        return stored[2:], ended

    async def resumed(log, ended):
        slow, stored = Slow(), []
        slow.may.set()
        queue = queue_of(slow=slow, finish=stored.extend)
        queue.restore(tmp_path, lambda planned: ended if log else [])
        assert (queue.next_step(1), slow.waiting) == (2, 0)
        await asyncio.sleep(0)
        assert queue._task is None  # nothing is played before weights are published
        episodes = await queue.take(1)
        await queue.close()
        return episodes, stored

    log, ended = asyncio.run(killed())
    assert (len(log), len(ended)) == ((3, 3) if more else (0, 2))
    episodes, stored = asyncio.run(resumed(log, ended))
    assert [e.match for e in episodes] == ["s1m0", "s1m1", "s1m2"]
    assert episodes[1:] == ended[-2:]  # bit for bit
    assert len(stored) == (0 if more else 3)  # each match is stored once
    if more:
        assert episodes == ended


def test_a_checkpoint_waits_for_matches_whose_weights_it_does_not_hold():
    async def run():
        slow = Slow()
        queue = queue_of(slow=slow)
        queue.add(RolloutBatch(0, planned(0, "slow"), {"a": 1}))  # type: ignore[dict-item]
        saving = asyncio.ensure_future(queue.files())
        await until(lambda: slow.waiting == 1)
        assert not saving.done()
        slow.may.set()
        await saving
        await queue.close()

    asyncio.run(run())
