"""The base class of runners."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from arena.match import Episode, MatchPlan, Turn
from arena.runner.packing import Pack, PackedSink, pack_all

Source = Callable[[int], Sequence[MatchPlan]]
"""returns at most the given number of matches to play next; none if it has none now"""
Sink = Callable[[list[Episode]], None]
"""receives episodes in the order in which they ended"""


class Runner(ABC):
    """Plays matches. `LocalRunner` and `arena.runner.ray.RayRunner` are its implementations."""

    def __init__(self) -> None:
        self.stopping = False
        """whether `stop` was called"""
        self._woken: asyncio.Future[None] | None = None

    @property
    @abstractmethod
    def in_flight(self) -> int:
        """The number of matches being played now."""

    def workers(self) -> list[tuple[str, int]]:
        """Returns the live workers, `host/node:process`, each with its matches in flight; empty for a local runner."""
        return []

    def turns_in_flight(self) -> Mapping[str, Sequence[Turn]]:
        """Returns the turns so far of matches that wait for a player, by match id. Another thread may call it.

        Empty for a runner whose matches are played elsewhere.
        """
        return {}

    def stop(self) -> None:
        """Start no further match. Matches in flight are played to their end."""
        self.stopping = True

    def wake(self) -> None:
        """Ask the source of a `run` in progress at once: it has matches for slots that are free."""
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    async def _wait(self, tasks: Iterable[asyncio.Task[Any]]) -> None:
        """Wait until a task ends or `wake` is called."""
        self._woken = asyncio.get_running_loop().create_future()
        await asyncio.wait([*tasks, self._woken], return_when=asyncio.FIRST_COMPLETED)

    @abstractmethod
    async def run(self, source: Source, sink: Sink) -> None:
        """Play until `source` returns nothing while no match is in flight.

        `sink` receives every episode exactly once. If the task that awaits `run` is cancelled, matches in flight are
        abandoned and never reach the sink. A match that raises RunPaused is abandoned too: the others are played to
        their end, then `run` raises the first RunPaused.
        """

    async def play_all(
        self, plans: Sequence[MatchPlan], progress: Callable[[int, int], None] | None = None
    ) -> list[Episode]:
        """Plays matches in this order and returns their episodes in the order in which they ended.

        `progress` gets the number of ended matches, and of all, first 0. Raises RunPaused as `run` does.
        """
        waiting, episodes = list(reversed(plans)), list[Episode]()

        def ended(some: Sequence[Episode]) -> None:
            episodes.extend(some)
            if progress is not None:
                progress(len(episodes), len(plans))

        ended(())
        await self.run(lambda room: [waiting.pop() for _ in range(min(room, len(waiting)))], ended)
        return episodes

    async def run_packed(self, source: Source, sink: PackedSink, pack: Pack, *, keep: bool = False) -> None:
        """Like `run`, for a sink that receives packed episodes; `keep`: with the episodes themselves.

        Workers in other processes pack what they played, so that this process only handles bytes.
        """
        await self.run(source, lambda episodes: sink(pack_all(episodes, pack, keep)))
