"""Plays the plan of a run: leases matches from the store, retries interrupted ones and stores the results.

Tournaments, the rated leagues of trainings and gates use it with different plans and reports.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from arena.match import MatchPlan
from arena.runner import Runner
from arena.runner.packing import PackedMatch
from arena.runner.retries import RetryQueue
from league.records.matches import PlannedMatch, Result
from league.store import Run, Store
from league.store.guard import pack_episode
from league.store.owners import beating, new_owner

POLL = 0.2
"""seconds between two queries while other processes play the last matches of a round"""


def worker_name(shared: bool) -> str:
    """The name of this process on boards and in results. Without `shared` it is the host alone, so that a resumed run
    keeps its worker's name.
    """
    return f"{socket.gethostname()}:{os.getpid()}" if shared else socket.gethostname()


class PlanWorker:
    """Plays a run's plan in this process, alone or together with other processes.

    `report` receives results after they are stored. `more` is called once all planned matches have ended: it plans
    further matches, or returns False. `able` returns whether a match can be played now; others wait for a player.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        runner: Runner,
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
        """of leases; unique, because the first process of every container has the same name"""
        self._playing: dict[str, PlannedMatch] = {}
        """match id -> leased match without a result"""
        self._retries = RetryQueue()

    def __len__(self) -> int:
        """Returns the number of matches in flight."""
        return len(self._playing)

    async def run(self) -> None:
        """Play until no match is left or the runner is stopped, then release unfinished matches.

        Waits for matches of other processes, and plays those of processes that die.
        """
        live = TurnPublisher(self._store, self._run, self.owner, self._runner)
        try:
            with beating(live.publish, EVERY, "matches in play cannot be followed"):
                await self._play()
                # Another process may have ended the last match of a round just now; the next one is not planned yet.
                while not self._runner.stopping and (self._elsewhere() or self._more()):
                    await asyncio.sleep(POLL)
                    if not self._runner.stopping:
                        await self._play()
        finally:
            self._store.release(self._run, self.owner)
            self._playing.clear()
            self._retries.clear()

    async def _play(self) -> None:
        pack = partial(pack_episode, worker=self.worker)  # an episode of a Ray worker has its name already
        await self._runner.run_packed(self._source, self._sink, pack)

    def _source(self, room: int) -> Sequence[MatchPlan]:
        """Returns the next matches to play: retries, then leased matches, then newly planned ones."""
        if room <= 0:
            return []
        taken = self._retries.take(room)
        if len(taken) < room:
            leased = self._lease(room - len(taken))
            if not leased and not self._playing and not self._elsewhere() and self._more():
                leased = self._lease(room)
            taken += leased
        return taken

    def _elsewhere(self) -> bool:
        """Returns whether unfinished matches exist that this process has not leased."""
        return self._store.unfinished(self._run, self.owner) > 0

    def _lease(self, room: int) -> list[MatchPlan]:
        """Lease up to `room` matches that can be played now. The others stay leased, so that each is seen once."""
        taken: list[MatchPlan] = []
        while len(taken) < room and (leased := self._store.lease(self._run, self.owner, room - len(taken))):
            for planned, _ in leased:
                if self._able(planned):
                    self._playing[planned.match.id] = planned
                    taken.append(planned.match)
        return taken

    def _sink(self, matches: list[PackedMatch]) -> None:
        """Store matches that ended, in one transaction, and report them. Void matches are retried first."""
        ended = []
        for each in matches:
            if each.status == "void" and self._retries.add(self._playing[each.match].match):
                self._log(f"retrying {each.match}: {each.reason}")
            else:
                ended.append((self._playing.pop(each.match), each.packed))
        self._report(self._store.finish(ended))


EVERY = 1.0
"""seconds between two looks at the matches in flight; nothing is written while no turn was played"""
MOST = 32
"""matches that can be followed at a time, those that began first; with 32 a call takes about 15 ms"""


class TurnPublisher:
    """Stores the turns of the matches of a runner that have changed since the last call."""

    def __init__(self, store: Store, run: Run, owner: str, runner: Runner) -> None:
        self._store, self._run, self._owner, self._runner = store, run, owner, runner
        self._published: dict[str, int] = {}
        """match id -> number of turns in the store"""

    def publish(self) -> None:
        """Store new turns in one transaction, if there are any."""
        now = dict(islice(self._runner.turns_in_flight().items(), MOST))
        changed = {match: turns for match, turns in now.items() if self._published.get(match) != len(turns)}
        if changed:
            self._store.publish_turns(self._run, self._owner, changed)
        self._published = {match: len(turns) for match, turns in now.items()}
