"""Many matches at once in one process: matches of bots run straight through, the others share an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Protocol

import games
from arena.match import Episode, IllegalPolicy, MatchPlan, play, play_async
from arena.players import Player
from games.errors import RunPaused

# Bots hold the event loop at most this long (s) before models' answers are looked at again; a decision of SmolLM2 on
# two cores takes 7 ms or more, so the engine is never left waiting for long.
SLICE = 0.01

Source = Callable[[int], Sequence[MatchPlan]]
Sink = Callable[[list[Episode]], None]


class Plays(Protocol):
    """Who plays matches: this process (`Runner`), or the workers of a cluster (`arena.workers.RayRunner`)."""

    @property
    def in_flight(self) -> int:
        """Matches being played now."""
        ...

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        ...

    def workers(self) -> list[tuple[str, int]]:
        """The workers that are there, `host/node:process`, and their matches in flight; none where it plays itself."""
        ...

    def stop(self) -> None:
        """Take no new match; those in flight are played to their end."""
        ...

    async def run(self, source: Source, sink: Sink) -> None:
        """As `Runner.run`."""
        ...


class Runner:
    """Plays what a source hands out and gives the episodes to a sink.

    `players` maps the names in the plans' seats to players. A game object is made once per match in flight and used
    again for later matches of the same id.
    """

    def __init__(
        self, players: Mapping[str, Player], policy: IllegalPolicy | None = None, concurrency: int = 32
    ) -> None:
        self.players, self.policy, self.concurrency = players, policy or IllegalPolicy(), concurrency
        self._idle: dict[str, list[games.TextGame]] = {}
        self._blocking: dict[str, bool] = {}
        self._tasks: set[asyncio.Task[Episode]] = set()
        self._stopping = False
        self._paused: RunPaused | None = None

    @property
    def in_flight(self) -> int:
        """Matches being played now that wait for a model, a human or an endpoint."""
        return len(self._tasks)

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stopping

    def workers(self) -> list[tuple[str, int]]:
        """None: it plays itself."""
        return []

    def stop(self) -> None:
        """Take no new match; those in flight are played to their end."""
        self._stopping = True

    async def run(self, source: Source, sink: Sink) -> None:
        """Play until `source(n)`, asked for up to n plans, gives none while nothing is in flight.

        `sink` gets every episode exactly once, in batches, in the order they ended. When the task that awaits `run`
        is cancelled, matches in flight are abandoned and never reach the sink. So is one that raises RunPaused; the
        others are then played to their end, and the first RunPaused is raised.
        """
        self._stopping, self._paused = False, None
        try:
            while True:
                plans = [] if self._stopping else source(self.concurrency - len(self._tasks))
                direct = [plan for plan in plans if not self._start(plan)]
                if not direct and not self._tasks:
                    break
                await self._step(direct, sink)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._tasks.clear()
        if self._paused is not None:
            raise self._paused

    def _start(self, plan: MatchPlan) -> bool:
        """Start a match that waits for somebody or something; False where bots play one that does not."""
        if not any(self.players[name].waits for name in plan.seats.values()) and not self._is_blocking(plan.game):
            return False
        self._tasks.add(asyncio.create_task(self._play_async(plan)))
        return True

    async def _step(self, direct: Sequence[MatchPlan], sink: Sink) -> None:
        """Play the bots' matches, handing over in slices; without any, wait for the next match to end."""
        ended: list[Episode] = []
        slice_end = perf_counter() + SLICE
        for plan in direct:
            try:
                ended.append(self._play(plan))
            except RunPaused as pause:  # those that ended before it count
                self._pause(pause)
                break
            if perf_counter() > slice_end:
                sink(ended + self._collect())
                ended = []
                await asyncio.sleep(0)
                slice_end = perf_counter() + SLICE
        if direct:
            await asyncio.sleep(0)  # whoever shares the loop (models, the board, Ctrl-C) gets a turn
        else:
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        if ended := ended + self._collect():
            sink(ended)

    def _collect(self) -> list[Episode]:
        """Episodes of the tasks that are done. Any failure but RunPaused is a fault of ours and is raised."""
        done = [task for task in self._tasks if task.done()]
        self._tasks.difference_update(done)
        ended: list[Episode] = []
        for task in done:
            try:
                ended.append(task.result())
            except RunPaused as pause:
                self._pause(pause)
        return ended

    def _pause(self, pause: RunPaused) -> None:
        """Take no new match; `run` raises the first pause when those in flight have ended."""
        self._paused, self._stopping = self._paused or pause, True

    def _play(self, plan: MatchPlan) -> Episode:
        game = self._take(plan.game)
        episode = play(game, plan, self._seated(plan), self.policy)
        self._idle[plan.game].append(game)
        return episode

    async def _play_async(self, plan: MatchPlan) -> Episode:
        game = self._take(plan.game)
        episode = await play_async(game, plan, self._seated(plan), self.policy)
        self._idle[plan.game].append(game)
        return episode

    def _seated(self, plan: MatchPlan) -> dict[str, Player]:
        return {seat: self.players[name] for seat, name in plan.seats.items()}

    def _is_blocking(self, id: str) -> bool:
        if id not in self._blocking:
            game = self._take(id)
            self._blocking[id] = game.blocking
            self._idle[id].append(game)
        return self._blocking[id]

    def _take(self, id: str) -> games.TextGame:
        idle = self._idle.setdefault(id, [])
        return idle.pop() if idle else games.make(id)
