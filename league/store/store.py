"""Writing to a store: every method is one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Literal

from sqlalchemy import Connection

from arena.match import Episode, Turn
from arena.runner.packing import PackedEpisode
from games import InputError
from games.errors import InfrastructureError
from league.config.database_url import DatabaseUrl
from league.records.matches import PlannedMatch, Result
from league.store import copying, guard, in_play, inert, log, plans, runs, studies, tasks, version
from league.store.copying import Progress
from league.store.dialect import DatabaseBackend
from league.store.owners import beating
from league.store.paths import to_store
from league.store.reading import StoreReader
from league.store.runs import Run, RunStatus
from league.store.tasks import StoredTask, Trial

LEASE_SECONDS = 60.0
"""the time after which a lease that is not renewed expires"""

ROSTER = "roster"
"""the kind of the event of a change of the players or games"""
RosterEditor = Callable[[Run, int, int], tuple[Mapping[str, Any], str] | None]

logger = logging.getLogger(__name__)


class RosterChanged(Exception):
    """The players or games of a run have changed since it was read."""


class Store(StoreReader):
    """Keeps runs, plans, leases, results and episodes. One object serves all threads of a process.

    Methods raise InputError for faults that the user can fix, and InfrastructureError if the database fails.
    """

    @classmethod
    def open(
        cls,
        url: DatabaseUrl | str,
        *,
        read_only: bool = False,
        make: bool = True,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        lease_seconds: float | None = None,
        clock: Callable[[], float] | None = None,
    ) -> Store:
        """Open a store. `make` creates a missing one, with its folders.

        `url` is `sqlite:///path`, a plain path, or `postgresql+psycopg://...`. `read_only` creates and changes nothing.
        `synchronous` applies to SQLite: with FULL, committed results survive a power cut; with NORMAL, only a kill.
        `clock` returns seconds since 1970; the default is the database's clock. Raises InputError and MissingPackage.
        """
        url = DatabaseUrl(url)
        database: DatabaseBackend
        if url.path is not None:
            from league.store.sqlite import Sqlite

            database = Sqlite(url, read_only=read_only, make=make, synchronous=synchronous)
        else:
            from league.store.postgres import Postgres

            database = Postgres(url, read_only=read_only)
        try:
            with database.read() as connection:
                inert.check(connection, url)
                if read_only:
                    version.check(connection, str(url))
            if not read_only:
                version.create(database, make=make)
        except BaseException:
            database.close()
            raise
        return cls(database, str(url), clock=clock, lease_seconds=lease_seconds or LEASE_SECONDS)

    def copy_runs(
        self,
        source: StoreReader,
        copied: Sequence[Run],
        settings: Callable[[Run], Mapping[str, Any]],
        progress: Progress,
    ) -> None:
        """Copy runs of another store, which may be played meanwhile, into this empty one.

        `settings` returns the settings of each copy: its files lie elsewhere.
        """
        with source._db.read() as reading, self._db.write() as connection:
            copying.copy_runs(reading, connection, [run.id for run in copied], progress)
            for run in runs.all_runs(connection):
                if (new := settings(run)) != run.settings:
                    runs.continue_with(connection, run, new)

    def renew_id(self) -> None:
        """Give this copy of another store an id of its own."""
        with self._db.write() as connection:
            copying.renew_id(connection)

    def start_run(self, name: str, settings: Mapping[str, Any]) -> Run:
        """Create a run, or resume the one of this name.

        `settings` is `RunSpec.to_json()`; with a `seed` of None, a new run draws one. A run resumes with equal
        settings: `budget`, `stop` and `plugins` may differ and `rounds` may grow; the new values are
        stored. Raises InputError that lists the differences, or names the process that plays the run.
        """
        settings = to_store(settings, self.place)
        with self._db.write() as connection:
            self._db.hold_schema(connection)  # two processes may start the run at the same time
            old = runs.existing(connection, name)
            if old is None:
                return runs.create(connection, name, settings)
        new = runs.continuation(old, settings, self.url)
        if new == old.settings:
            return old
        try:
            with self._holding(old), self._writing(old) as connection:
                old = runs.find(connection, name, self.url)  # its players may have changed in the meantime
                runs.continue_with(connection, old, runs.continuation(old, settings, self.url))
                return runs.find(connection, name, self.url)
        except InputError:
            if self._db.shared and runs.same_work(old.settings, new):
                return old  # the processes that play a run may differ in the settings that may change
            raise

    def change_roster(self, run: Run, change: RosterEditor) -> Run:
        """Change the players and games of a run from its first round that no process has begun. Returns the run.

        `change` receives the run as it is stored now, that round and the index of its first match, and returns the new
        settings and a line for the run's events, or None to leave everything as it is. Later rounds that are planned
        already are planned again. Another process may play the run. Raises what `change` raises, and changes nothing
        then.
        """
        with self._writing(run) as connection:
            now = runs.find(connection, run.name, self.url)
            round, index = plans.first_open_round(connection, run.id)
            made = change(now, round, index)
            if made is None:
                return now
            settings, line = to_store(made[0], self.place), made[1]
            plans.cut(connection, run.id, index)
            runs.continue_with(connection, now, settings)
            runs.add_event(connection, run.id, ROSTER, line, self._now(connection))
            return runs.find(connection, run.name, self.url)

    def secret(self, run: Run) -> bytes:
        """Returns the secret of a run, 32 bytes: the same for all processes that play it, and shown to no one else."""
        with self._writing(run) as connection:
            return runs.secret(connection, run.id)

    def set_status(self, run: Run, status: RunStatus) -> None:
        """Set the status of a run."""
        with self._writing(run) as connection:
            runs.set_status(connection, run.id, status)

    @contextmanager
    def exclusive(self, run: Run) -> Iterator[None]:
        """Lock a run for this process. The lock ends with the process, so a resume after kill -9 starts at once.

        While the lock is held, all other owners of leases are dead, and `reclaim` frees their leases. Raises
        InputError with the process that holds the lock.
        """
        with self._db.exclusive(run.id, run.name):
            self._held.add(run.id)
            try:
                yield
            finally:
                self._held.discard(run.id)

    @contextmanager
    def join(self, run: Run, owner: str) -> Iterator[None]:
        """Play a run, together with other processes if the database allows it, and keep the owner's leases alive.

        The first process frees the leases of dead ones; leases of processes that die later expire. Raises InputError
        if another process has locked the run.
        """
        with (
            self._db.join(run.id, run.name, partial(self._free_all, run)),
            beating(
                partial(self.heartbeat, run, owner),
                self._lease_seconds / 4,
                f"leases in {self.url} could not be renewed",
            ),
        ):
            yield

    def plan(self, run: Run, matches: Sequence[PlannedMatch]) -> int:
        """Append matches to the plan. Returns the number of new ones.

        Matches that are planned already must be equal, otherwise InputError. New ones must continue the numbering
        without a gap and have ids that are unique in the store, otherwise ValueError. Raises RosterChanged if the
        players or games of the stored run are no longer those of `run`.
        """
        with self._writing(run) as connection:
            if runs.changes(runs.find(connection, run.name, self.url)) != runs.changes(run):
                raise RosterChanged(run.name)
            return plans.add(connection, run.id, run.name, matches)

    def lease(self, run: Run, owner: str, n: int) -> list[tuple[PlannedMatch, int]]:
        """Lease up to `n` matches, lowest index first, each with the number of this attempt, from 1.

        Matches with a result or a live lease, the owner's included, are not leased. Renews the owner's leases.
        """
        with self._writing(run) as connection:
            now = self._now(connection)
            leased, floor = plans.lease(
                connection,
                run.id,
                owner,
                n,
                floor=self._floor.get(run.id, 0),
                now=now,
                until=now + self._lease_seconds,
            )
        self._floor[run.id] = floor
        return leased

    def heartbeat(self, run: Run, owner: str) -> int:
        """Renew an owner's leases, as `lease` does. Returns their number."""
        with self._writing(run) as connection:
            return plans.renew(connection, run.id, owner, self._now(connection) + self._lease_seconds)

    def publish_turns(self, run: Run, owner: str, turns: Mapping[str, Sequence[Turn]]) -> None:
        """Store the turns so far of matches that an owner leases, so that others can follow them."""
        with self._writing(run) as connection:
            in_play.publish(connection, owner, turns)

    def release(self, run: Run, owner: str) -> int:
        """Release an owner's unfinished matches. Returns their number."""
        with self._writing(run) as connection:
            return plans.free(connection, run.id, owner=owner)

    def reclaim(self, run: Run) -> int:
        """Free the leases of dead owners: inside `exclusive` all, otherwise the expired ones. Returns their number."""
        with self._writing(run) as connection:
            if run.id in self._held:
                return plans.free(connection, run.id)
            now = self._now(connection)
            return plans.free(connection, run.id, now=now, until=now + self._lease_seconds)

    def finish(self, entries: Sequence[tuple[PlannedMatch, Episode | PackedEpisode]]) -> list[Result]:
        """Write matches that ended, with their episodes, in one transaction, which is durable on return.

        Workers pack episodes with `league.store.guard.pack_episode`; they are then written as they are.

        Returns the results that were written, with their `seq`. If a match has a result already, the first one stands
        and a warning is logged. Void matches are written too. A match whose record cannot be stored becomes void
        (`league.store.guard`). Raises ValueError for a match that is not planned.
        """
        packed = log.pack(entries)
        if not packed:
            return []
        try:
            written = self._append(packed)
        except (InfrastructureError, OverflowError, UnicodeError) as error:
            if not guard.refuses_data(error):
                raise
            if len(packed) > 1:  # store the others; one of them is at fault
                return [result for entry in entries for result in self.finish([entry])]
            written = self._append([log.pack_refused(*entries[0], error)])
        if len(written) < len(packed):
            logger.warning(
                "%d of %d matches had a result already; the first stands", len(packed) - len(written), len(packed)
            )
        return written

    def _append(self, packed: Sequence[log.Packed]) -> list[Result]:
        written = []
        with self._db.write() as connection:
            run_of = log.runs_of(connection, packed)
            for run in sorted(set(run_of.values())):
                self._db.hold_run(connection, run)
                ended = [p for p in packed if run_of[p.result.match] == run]
                written += log.append(connection, run, ended, self._rated(connection, run, ended))
        return written

    def _rated(self, connection: Connection, run: int, ended: Sequence[log.Packed]) -> log.Games:
        """Returns how the games of a run are rated; read again when a game has joined."""
        played = {p.result.game for p in ended}
        if not played <= self._games.get(run, {}).keys():
            games: log.Games = {}
            with suppress(InputError):  # settings that were damaged since: `arena rebuild` makes the outcomes later
                games = runs.by_id(connection, run).spec.games
            self._games[run] = {**dict.fromkeys(played), **games}
        return self._games[run]

    def decide_again(self, run: Run) -> int:
        """Make the outcomes of a run again from its results. Returns how many differed."""
        with self._writing(run) as connection:
            return log.decide_again(connection, run.id, run.spec.games)

    def add_tasks(self, run: Run, new: Sequence[StoredTask], trials: Sequence[Trial]) -> None:
        """Store tasks that players set and how often tasks were solved, in one transaction."""
        if new or trials:
            with self._writing(run) as connection:
                tasks.add(connection, run.id, new, trials)

    def forget_tasks(self, run: Run, after: int) -> int:
        """Delete the tasks and trials of steps later than `after`. Returns the number of tasks."""
        with self._writing(run) as connection:
            return tasks.forget(connection, run.id, after)

    def save_standings(self, run: Run, data: bytes, upto_seq: int, algorithm: str) -> None:
        """Cache standings of the results up to `upto_seq`. `algorithm` names what computed them, with a version."""
        with self._db.write() as connection:
            runs.save_standings(connection, run.id, algorithm, upto_seq, data)

    def add_event(self, run: Run, kind: str, text: str) -> None:
        """Add an event to a run, such as a fault or a resume, which boards in other processes show."""
        with self._writing(run) as connection:
            runs.add_event(connection, run.id, kind, text, self._now(connection))

    def add_to_study(self, name: str, part: str, text: str) -> str:
        """Add a part of a study unless another process has. Returns the text that is stored."""
        with self._db.write() as connection:
            self._db.hold_schema(connection)  # no run exists yet that could be held
            return studies.add(connection, name, part, text)

    @contextmanager
    def _writing(self, run: Run) -> Iterator[Connection]:
        """A transaction that writes to a run while no other process does."""
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            yield connection

    def _free_all(self, run: Run) -> None:
        with self._writing(run) as connection:
            plans.free(connection, run.id)

    @contextmanager
    def _holding(self, run: Run) -> Iterator[None]:
        if run.id in self._held:
            yield
        else:
            with self.exclusive(run):
                yield
