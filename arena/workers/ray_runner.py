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

import games
from arena.match import Episode, MatchPlan
from arena.runner import Sink, Source
from arena.workers.actor import Hello, Played, Worker
from arena.workers.cluster import Cluster, connect, disconnect, room
from arena.workers.crew import Recipe
from games import InputError
from games.errors import RunPaused

SHORT, LONG = 0.1, 0.5
"""seconds: a batch that took less is doubled for its worker, one that took more is halved"""
MOST = 1024
"""matches in a batch"""
LOSSES = 5
"""times that a match is played whose worker died meanwhile; then it is void"""

PATIENCE = 30.0
"""seconds between two words about a cluster that has no room yet"""

log = logging.getLogger(__name__)
_played = msgspec.msgpack.Decoder(Played)


@dataclass(eq=False)
class _Slot:
    """One worker as the driver sees it."""

    actor: Any
    name: str = "a worker"
    here: bool = False
    batch: int = 1
    """matches to give it at once"""
    flying: int = 0
    greeting: Any = None
    """what tells that it is there, while it is not"""
    alone: bool = False
    """plays one match, and nothing beside it"""
    played: int = 0


@dataclass(eq=False)
class _Batch:
    """Matches that a worker has."""

    slot: _Slot
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
        self._slots: list[_Slot] = []
        self._batches: dict[asyncio.Task[Any], _Batch] = {}
        self._greetings: dict[asyncio.Task[Any], _Slot] = {}
        self._again: list[MatchPlan] = []
        self._losses: dict[str, int] = {}
        self._news: dict[str, tuple[str, int, Any]] = {}
        self._numbers: dict[str, int] = {}
        self._stopping = False
        self._paused = ""
        try:
            self._slots = [_Slot(actor) for actor in _actors(recipe, cluster)]
            self.about = self._first().about
        except BaseException:
            self.close()
            raise

    def _first(self) -> Hello:
        """Wait for one worker: what is wrong with the players is wrong everywhere."""
        import ray

        greetings = [slot.actor.hello.remote() for slot in self._slots]
        while not (ready := ray.wait(greetings, num_returns=1, timeout=PATIENCE)[0]):
            self.say("waiting for room for a worker in the Ray cluster; `ray status` shows who takes it")
        hello: Hello = ray.get(ready[0])
        if hello.problem:
            raise InputError(hello.problem)
        return hello

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
        import ray

        for slot in self._slots:
            ray.kill(slot.actor)
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
        free = {slot: self._room(slot) for slot in self._slots if slot.here and slot is not draining}
        total = sum(free.values())
        if total <= 0:
            return any(not slot.here for slot in self._slots)
        known = [plan for plan in self._again if not self._suspected(plan)][:total]
        taken = {plan.id for plan in known}
        self._again = [plan for plan in self._again if plan.id not in taken]
        plans: Sequence[MatchPlan] = known
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

    def _suspected(self, plan: MatchPlan) -> bool:
        return self._losses.get(plan.id, 0) > 1

    def _try_suspect(self) -> _Slot | None:
        """A match that lost its worker twice is played alone: if it is what kills them, it costs no other match.

        Returns the worker that is to be left alone until it has nothing else to do.
        """
        suspect = next(filter(self._suspected, self._again), None)
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

    def _room(self, slot: _Slot) -> int:
        if slot.alone:
            return 0
        return max(0, max(self.concurrency, 2 * slot.batch) - slot.flying)

    def _send(self, slot: _Slot, plans: Sequence[MatchPlan]) -> None:
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
            return self._lost(batch, error)
        if played.seconds < SHORT:
            slot.batch = min(MOST, max(slot.batch, 2 * len(batch.plans)))
        elif played.seconds > LONG:
            slot.batch = max(1, slot.batch // 2)
        slot.played += len(played.episodes)
        if played.paused:
            self._paused, self._stopping = self._paused or played.paused, True
        return played.episodes

    def _lost(self, batch: _Batch, error: Exception) -> list[Episode]:
        """A worker died: it is waited for, and what it had is played again, a few times."""
        slot = batch.slot
        if slot.here:
            slot.here = False
            self.say(f"worker {slot.name} is gone ({type(error).__name__}); its matches are played again")
            self._greet(slot)
        void = []
        for plan in batch.plans:
            self._losses[plan.id] = self._losses.get(plan.id, 0) + 1
            if self._losses[plan.id] < LOSSES:
                self._again.append(plan)
            else:
                void.append(_void(plan, f"its worker died {LOSSES} times"))
        return void

    def _greet(self, slot: _Slot) -> None:
        if slot.greeting is None:
            slot.greeting = slot.actor.hello.remote()
        self._greetings[asyncio.ensure_future(_result(slot.greeting))] = slot

    def _arrived(self, slot: _Slot, task: asyncio.Task[Any]) -> None:
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


def _actors(recipe: Recipe, cluster: Cluster) -> list[Any]:
    """The workers; Ray starts one again whenever it dies, on any node with room for it."""
    import ray

    # A greeting waits for a worker that is being started again; a batch goes to somebody else.
    Worker.hello = ray.method(max_task_retries=-1)(Worker.hello)  # type: ignore[method-assign]
    made = ray.remote(Worker).options(
        num_cpus=cluster.cpus,
        num_gpus=cluster.gpus,
        resources=cluster.resources or None,
        max_restarts=-1,
        max_concurrency=1 << 14,
        scheduling_strategy="SPREAD",
    )
    return [made.remote(recipe) for _ in range(cluster.actors or room(cluster))]


async def _result(reference: Any) -> Any:
    return await reference


def _void(plan: MatchPlan, reason: str) -> Episode:
    roles = dict(games.make(plan.game).spec.seats)
    return Episode(plan.id, plan.game, plan.seed, plan.seats, roles, (), dict.fromkeys(roles, 0.0), "void", reason)
