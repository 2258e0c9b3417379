"""Playing a run's plan: matches are leased from the store, repeated where something under them fails, and written down.

A tournament and the rated league of a training play the same way; what they plan and what they do with the results is
theirs.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from arena.match import Episode, MatchPlan
from arena.runner import Plays
from league.again import Again
from league.records import PlannedMatch, Result
from league.store import Run, Store
from league.store.owners import new_owner

# Seconds between two looks at what others play, while they play the last matches of a round.
POLL = 0.2


def worker_name(shared: bool) -> str:
    """This process as the board and the log name it; by its host alone if no other may play beside it, so that a run
    that was started again has one worker.
    """
    return f"{socket.gethostname()}:{os.getpid()}" if shared else socket.gethostname()


class Playing:
    """One process's work on a run's plan, alone or beside others that joined the run.

    `report` is given the results as they are written. `more` is asked when all that is planned has ended: it plans
    further matches, or says False. `able` tells matches that can be played now from those that wait for a player.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        runner: Plays,
        report: Callable[[list[Result]], None],
        *,
        more: Callable[[], bool] = lambda: False,
        able: Callable[[PlannedMatch], bool] = lambda planned: True,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._store, self._run, self._runner = store, run, runner
        self._report, self._more, self._able, self._log = report, more, able, log
        self.worker = worker_name(store.shared)
        self.owner = new_owner()
        """of leases; not that of a dead process which had our name, as the first process of every container has"""
        self._playing: dict[str, PlannedMatch] = {}
        """match id -> what is leased to us and has no result yet"""
        self._again = Again()

    def __len__(self) -> int:
        """Matches that are being played."""
        return len(self._playing)

    async def run(self) -> None:
        """Play until nothing is left or the runner was stopped; what is unfinished then is given back.

        What others play is waited for: a worker of theirs may die, and then it is ours.
        """
        try:
            await self._runner.run(self._source, self._sink)
            while not self._runner.stopping and self._elsewhere():
                await asyncio.sleep(POLL)
                if not self._runner.stopping:
                    await self._runner.run(self._source, self._sink)
        finally:
            self._store.release(self._run, self.owner)
            self._playing.clear()
            self._again.clear()

    def _source(self, room: int) -> Sequence[MatchPlan]:
        """The next matches to play: those to be played again, then leased ones, then newly planned ones."""
        if room <= 0:
            return []
        taken = self._again.take(room)
        if len(taken) < room:
            leased = self._lease(room - len(taken))
            if not leased and not self._playing and not self._elsewhere() and self._more():
                leased = self._lease(room)
            taken += leased
        return taken

    def _elsewhere(self) -> bool:
        """Whether matches are left that we do not hold."""
        return self._store.unfinished(self._run, self.owner) > 0

    def _lease(self, room: int) -> list[MatchPlan]:
        """Up to `room` matches that can be played now. The others stay ours until the end, so that none comes twice."""
        taken: list[MatchPlan] = []
        while len(taken) < room and (leased := self._store.lease(self._run, self.owner, room - len(taken))):
            for planned, _ in leased:
                if self._able(planned):
                    self._playing[planned.match.id] = planned
                    taken.append(planned.match)
        return taken

    def _sink(self, episodes: list[Episode]) -> None:
        """Keep what ended, in one transaction, and report it. A void match is played again a few times first."""
        ended = []
        for episode in episodes:
            if self._again.wants(episode, self._playing[episode.match].match):
                self._log(f"{episode.match} is played again: {episode.reason}")
            else:
                episode = replace(episode, worker=episode.worker or self.worker)
                ended.append((self._playing.pop(episode.match), episode))
        self._report(self._store.finish(ended))
