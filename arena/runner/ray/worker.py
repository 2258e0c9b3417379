"""The Ray actor that plays batches of matches with its own players and engines."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping, Sequence
from datetime import date
from time import perf_counter
from typing import Any

import msgspec

from arena.inference.prompt_date import pin
from arena.match import Episode, MatchPlan
from arena.runner.local import LocalRunner
from arena.runner.ray import scratch
from arena.runner.ray.played_batch import Packing, encode_batch
from arena.runner.ray.worker_spec import WorkerPlayers, WorkerSpec
from games import InputError
from games.errors import RunPaused


class Ready(msgspec.Struct, frozen=True):
    """A worker's report after its start."""

    name: str
    """`host/node:process`"""
    problem: str = ""
    """the message of the InputError that keeps it from playing"""
    description: Any = None
    """`WorkerPlayers.describe()`"""


class RayWorker:
    """Plays batches concurrently on one event loop with shared engines. Ray creates it, also again after a crash."""

    def __init__(self, spec: WorkerSpec) -> None:
        self._spec, self._problem = spec, ""
        self._players: WorkerPlayers | None = None
        self.name = worker_name()
        self._versions: dict[str, int] = {}
        """channel -> number of the last update applied"""
        self._idle: list[LocalRunner] = []
        """runners between batches; they keep their game objects"""
        self._updating = asyncio.Lock()
        try:
            self._players = spec.prepare()
        except InputError as error:
            self._problem = str(error)

    async def ready(self) -> Ready:
        """Report that the worker has started."""
        return Ready(self.name, self._problem, None if self._players is None else self._players.describe())

    async def leave(self) -> None:
        """Remove the worker's files before it ends."""
        scratch.remove()

    async def play(
        self,
        plans: Sequence[MatchPlan],
        updates: Mapping[str, tuple[int, Any]],
        packing: Packing | None = None,
        day: date | None = None,
    ) -> bytes:
        """Play a batch after applying `updates`: channel -> (number, object reference). Returns a `PlayedBatch`.

        `day`: the date of the run's start, which prompts read.
        """
        began = perf_counter()
        pin(day)
        assert self._players is not None
        await self._update(self._players, updates)
        waiting, ended = list(reversed(plans)), list[Episode]()
        spec = self._spec
        runner = self._idle.pop() if self._idle else LocalRunner(self._players.players, spec.illegal, spec.concurrency)
        paused = ""
        try:
            await runner.run(lambda room: [waiting.pop() for _ in range(min(room, len(waiting)))], ended.extend)
        except RunPaused as pause:
            paused = str(pause)
        self._idle.append(runner)
        named = [msgspec.structs.replace(episode, worker=self.name) for episode in ended]
        seconds = perf_counter() - began
        return encode_batch(named, seconds, paused, packing)

    async def _update(self, players: WorkerPlayers, updates: Mapping[str, tuple[int, Any]]) -> None:
        async with self._updating:
            for channel, (number, reference) in updates.items():
                if self._versions.get(channel, 0) < number:
                    players.update(channel, await reference)
                    self._versions[channel] = number


def worker_name() -> str:
    """Returns the worker's name on the board and in the log: host, first characters of the node's id, process id."""
    import ray

    node = ray.get_runtime_context().get_node_id()
    return f"{socket.gethostname()}/{node[:4]}:{os.getpid()}"
