"""A runner in this process: bots play their matches without interruption, all other matches share an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from time import perf_counter

import games
from arena.match import Episode, IllegalPolicy, MatchPlan, Turn, play, play_async
from arena.players import Player
from arena.runner.base import Runner, Sink, Source
from games.errors import RunPaused

# Seconds for which bots may hold the event loop. A decision of SmolLM2 on two cores takes at least 7 ms, so an engine
# never waits long for its next request.
SLICE = 0.01


class LocalRunner(Runner):
    """Plays the matches of a source and passes the episodes to a sink.

    `players` maps the names in a plan's seats to players. Game objects are reused by later matches of the same game.
    """

    def __init__(
        self, players: Mapping[str, Player], illegal: IllegalPolicy | None = None, concurrency: int = 32
    ) -> None:
        super().__init__()
        self.players, self.illegal, self.concurrency = players, illegal or IllegalPolicy(), concurrency
        self._idle_games: dict[str, list[games.TextGame]] = {}
        self._blocking: dict[str, bool] = {}
        self._tasks: set[asyncio.Task[Episode]] = set()
        self._turns: dict[str, list[Turn]] = {}
        self._paused: RunPaused | None = None

    @property
    def in_flight(self) -> int:
        """The matches that now wait for a model, a human or an endpoint."""
        return len(self._tasks)

    def turns_in_flight(self) -> Mapping[str, Sequence[Turn]]:
        """See `Runner.turns_in_flight`. Matches of bots end too soon to be followed."""
        return {match: tuple(turns) for match, turns in self._turns.copy().items()}

    async def run(self, source: Source, sink: Sink) -> None:
        """See `Runner.run`. Episodes reach the sink in batches."""
        self.stopping, self._paused = False, None
        try:
            while True:
                plans = [] if self.stopping else source(self.concurrency - len(self._tasks))
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
        """Start a match with players that wait or a game that blocks. Returns False for all other matches."""
        if not any(self.players[name].waits for name in plan.seats.values()) and not self._is_blocking(plan.game):
            return False
        self._tasks.add(asyncio.create_task(self._play_async(plan)))
        return True

    async def _step(self, direct: Sequence[MatchPlan], sink: Sink) -> None:
        """Play the matches of bots, yielding after each time slice. Without any, wait until another match ends."""
        ended: list[Episode] = []
        slice_end = perf_counter() + SLICE
        for plan in direct:
            try:
                ended.append(self._play(plan))
            except RunPaused as pause:  # matches that ended before it still count
                self._pause(pause)
                break
            if perf_counter() > slice_end:
                sink(ended + self._collect())
                ended = []
                await asyncio.sleep(0)
                slice_end = perf_counter() + SLICE
        if direct:
            await asyncio.sleep(0)  # lets models, the board and Ctrl-C use the event loop
        else:
            await self._wait(self._tasks)
        if ended := ended + self._collect():
            sink(ended)

    def _collect(self) -> list[Episode]:
        """Returns the episodes of finished tasks. Any error but RunPaused is a bug of the arena and is raised."""
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
        """Start no further match. `run` raises the first pause when the matches in flight have ended."""
        self._paused, self.stopping = self._paused or pause, True

    def _play(self, plan: MatchPlan) -> Episode:
        game = self._take_game(plan.game)
        episode = play(game, plan, self._seated(plan), self.illegal)
        self._idle_games[plan.game].append(game)
        return episode

    async def _play_async(self, plan: MatchPlan) -> Episode:
        game = self._take_game(plan.game)
        turns = self._turns.setdefault(plan.id, [])
        try:
            episode = await play_async(game, plan, self._seated(plan), self.illegal, turns=turns)
        finally:
            self._turns.pop(plan.id, None)
        self._idle_games[plan.game].append(game)
        return episode

    def _seated(self, plan: MatchPlan) -> dict[str, Player]:
        return {seat: self.players[name] for seat, name in plan.seats.items()}

    def _is_blocking(self, id: str) -> bool:
        if id not in self._blocking:
            game = self._take_game(id)
            self._blocking[id] = game.blocking
            self._idle_games[id].append(game)
        return self._blocking[id]

    def _take_game(self, id: str) -> games.TextGame:
        idle = self._idle_games.setdefault(id, [])
        return idle.pop() if idle else games.make(id)
