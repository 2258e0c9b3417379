"""A runner whose matches are played by Ray's actors: the league, the store and the learner stay where they are.

Ray places the workers, starts them again and carries calls and weights. What is ours is which matches a worker is
given: batches that take about a fifth of a second, so that calls cost little and nobody is left with a long tail.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import msgspec

from arena.match import Episode, MatchPlan
from arena.runner import Sink, Source
from arena.workers.actor import Hello, Played
from arena.workers.again import Again
from arena.workers.cluster import Cluster, connect, disconnect
from arena.workers.crew import Recipe
from arena.workers.slots import Slot, end, first, start
from games import InputError
from games.errors import RunPaused

log = logging.getLogger(__name__)
_played = msgspec.msgpack.Decoder(Played)


@dataclass(eq=False)
class _Batch:
    """Matches that a worker has."""

    slot: Slot
    plans: Sequence[MatchPlan]
    reference: Any
    task: asyncio.Task[Any] = field(init=False)


class RayRunner:
    """Plays what a source hands out on the workers of a Ray cluster and gives the episodes to a sink.

    Raises InputError where Ray or a player cannot be had. `about` is what the crews tell of themselves.
    """

    def __init__(self, recipe: Recipe, cluster: Cluster | None = None) -> None:
        cluster = cluster or Cluster()
        self.concurrency = recipe.concurrency
        self.say: Callable[[str], None] = log.warning
        self._started = connect(cluster)
        self._slots: list[Slot] = []
        self._batches: dict[asyncio.Task[Any], _Batch] = {}
        self._greetings: dict[asyncio.Task[Any], Slot] = {}
        self._again = Again()
        self._news: dict[str, tuple[str, int, Any]] = {}
        self._numbers: dict[str, int] = {}
        self._stopping = False
        self._paused = ""
        try:
            self._slots = start(recipe, cluster)
            self.about = first(self._slots, self.say).about
        except BaseException:
            self.close()
            raise

    @property
    def in_flight(self) -> int:
        """Matches that workers have."""
        return sum(slot.flying for slot in self._slots)

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stopping

    def stop(self) -> None:
        """Hand out no new match; those in flight are played to their end."""
        self._stopping = True

    def workers(self) -> list[tuple[str, int]]:
        """The workers that are there, each with its matches in flight."""
        return sorted((slot.name, slot.flying) for slot in self._slots if slot.here)

    def publish(self, channel: str, news: Any, players: Iterable[str]) -> None:
        """Have every crew take `news` before it plays a match of one of `players`: weights, or the player itself."""
        import ray

        number = self._numbers[channel] = self._numbers.get(channel, 0) + 1
        reference = ray.put(news)
        self._news |= dict.fromkeys(players, (channel, number, reference))

    def close(self) -> None:
        """End the workers, and Ray where it was started for them."""
        end(self._slots)
        self._slots.clear()
        if self._started:
            disconnect()

    async def run(self, source: Source, sink: Sink) -> None:
        """As `Runner.run`. Matches of a worker that dies are played again, by whoever is free."""
        self._stopping, self._paused = False, ""
        for slot in self._slots:
            if not slot.here:
                self._greet(slot)
        try:
            while self._hand_out(source) or self._batches:
                waited = [*self._batches, *self._greetings]
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                for task in [t for t in self._greetings if t.done()]:
                    self._arrived(self._greetings.pop(task), task)
                ended: list[Episode] = []
                for task in [t for t in self._batches if t.done()]:
                    ended += self._ended(self._batches.pop(task), task)
                if ended:
                    sink(ended)
        finally:
            await self._abandon()
        if self._paused:
            raise RunPaused(self._paused)

    def _hand_out(self, source: Source) -> bool:
        """Give the workers what they have room for; whether there may be more to do although nobody has a match."""
        if self._stopping:
            return False
        draining = self._try_suspect()
        free = {slot: slot.room(self.concurrency) for slot in self._slots if slot.here and slot is not draining}
        total = sum(free.values())
        if total <= 0:
            return any(not slot.here for slot in self._slots)
        plans: Sequence[MatchPlan] = self._again.take(total)
        if len(plans) < total:
            plans = [*plans, *source(total - len(plans))]
        share = ceil(len(plans) / (2 * sum(n > 0 for n in free.values())))
        while plans:
            slot = max(free, key=lambda s: free[s])
            n = min(slot.batch, share, len(plans))
            self._send(slot, plans[:n])
            plans = plans[n:]
            free[slot] -= n
        return False

    def _try_suspect(self) -> Slot | None:
        """Play a match that may be what kills workers on one that has nothing else.

        Returns the worker that is to be left alone until it has nothing else to do.
        """
        suspect = self._again.suspect()
        here = [slot for slot in self._slots if slot.here and not slot.alone]
        if suspect is None or not here:
            return None
        slot = min(here, key=lambda s: s.flying)
        if slot.flying:
            return slot
        self._again.remove(suspect)
        self._send(slot, [suspect])
        slot.alone = True
        return None

    def _send(self, slot: Slot, plans: Sequence[MatchPlan]) -> None:
        news: dict[str, tuple[int, Any]] = {}
        for plan in plans:
            for player in plan.seats.values():
                if player in self._news:
                    channel, *rest = self._news[player]
                    news[channel] = rest[0], rest[1]
        batch = _Batch(slot, plans, slot.actor.play.remote(plans, news))
        batch.task = asyncio.ensure_future(_result(batch.reference))
        slot.flying += len(plans)
        self._batches[batch.task] = batch

    def _ended(self, batch: _Batch, task: asyncio.Task[Any]) -> list[Episode]:
        """The episodes of a batch; none where its worker died."""
        from ray.exceptions import RayError, RayTaskError

        slot = batch.slot
        slot.flying -= len(batch.plans)
        slot.alone = False
        try:
            played = _played.decode(task.result())
        except RayTaskError:
            raise  # a fault of ours
        except RayError as error:
            if slot.here:
                slot.here = False
                self.say(f"worker {slot.name} is gone ({type(error).__name__}); its matches are played again")
                self._greet(slot)
            return self._again.lost(batch.plans)
        slot.learn(len(batch.plans), played)
        if played.paused:
            self._paused, self._stopping = self._paused or played.paused, True
        return played.episodes

    def _greet(self, slot: Slot) -> None:
        if slot.greeting is None:
            slot.greeting = slot.actor.hello.remote()
        self._greetings[asyncio.ensure_future(_result(slot.greeting))] = slot

    def _arrived(self, slot: Slot, task: asyncio.Task[Any]) -> None:
        """A worker is there, for the first time or again; one that Ray gave up is left out."""
        from ray.exceptions import RayError

        slot.greeting = None
        try:
            hello: Hello = task.result()
        except RayError as error:
            self._slots.remove(slot)
            self.say(f"worker {slot.name} does not come back: {str(error).splitlines()[0]}")
            if not self._slots:
                raise
            return
        if hello.problem:
            raise InputError(hello.problem)
        slot.name, slot.here = hello.name, True

    async def _abandon(self) -> None:
        """Forget what is in flight."""
        import ray

        tasks = [*self._batches, *self._greetings]
        for batch in self._batches.values():
            ray.cancel(batch.reference, recursive=False)
            batch.slot.flying -= len(batch.plans)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._batches.clear()
        self._greetings.clear()
        self._again.clear()


async def _result(reference: Any) -> Any:
    return await reference
