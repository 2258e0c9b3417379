"""The worker: an actor with players and engines of its own, which plays the batches it is given."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import msgspec

from arena.match import Episode, MatchPlan
from arena.runner import Runner
from arena.workers import scratch
from arena.workers.crew import Recipe
from games import InputError
from games.errors import RunPaused


class Hello(msgspec.Struct, frozen=True):
    """What a worker says when it is there."""

    name: str
    """`host/node:process`"""
    problem: str = ""
    """why it cannot play: the input is wrong"""
    about: Any = None
    """what its crew tells of itself"""


class Played(msgspec.Struct, frozen=True):
    """A batch that was played."""

    episodes: list[Episode]
    seconds: float
    paused: str = ""
    """why matches of the batch were left, with no result"""


class Worker:
    """Batches of matches share the worker's event loop and engines. Made by Ray, and made again after a crash."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._problem = recipe, ""
        self._crew: Any = None
        self.name = worker_name()
        self._seen: dict[str, int] = {}
        self._idle: list[Runner] = []
        """runners between two batches: they keep the games they made"""
        self._updating = asyncio.Lock()
        try:
            self._crew = recipe.prepare()
        except InputError as error:
            self._problem = str(error)

    async def hello(self) -> Hello:
        """Say that the worker is ready."""
        return Hello(self.name, self._problem, None if self._crew is None else self._crew.describe())

    async def leave(self) -> None:
        """Remove the worker's files: it is about to be ended."""
        scratch.remove()

    async def play(self, plans: Sequence[MatchPlan], news: Mapping[str, tuple[int, Any]]) -> bytes:
        """Play a batch with what was published last: channel -> its number and a reference. Returns `Played`."""
        began = perf_counter()
        await self._update(news)
        waiting, ended = list(reversed(plans)), list[Episode]()
        recipe = self._recipe
        runner = self._idle.pop() if self._idle else Runner(self._crew.players, recipe.policy, recipe.concurrency)
        paused = ""
        try:
            await runner.run(lambda room: [waiting.pop() for _ in range(min(room, len(waiting)))], ended.extend)
        except RunPaused as pause:
            paused = str(pause)
        self._idle.append(runner)
        named = [msgspec.structs.replace(episode, worker=self.name) for episode in ended]
        return msgspec.msgpack.encode(Played(named, perf_counter() - began, paused))

    async def _update(self, news: Mapping[str, tuple[int, Any]]) -> None:
        async with self._updating:
            for channel, (number, reference) in news.items():
                if self._seen.get(channel, 0) < number:
                    self._crew.update(channel, await reference)
                    self._seen[channel] = number


def worker_name() -> str:
    """This worker as the board and the log name it: host, start of the node's id, process."""
    import ray

    node = ray.get_runtime_context().get_node_id()
    return f"{socket.gethostname()}/{node[:4]}:{os.getpid()}"
