"""The store's face: every method is one transaction."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from sqlalchemy import Connection

from arena.match import Episode
from games import InputError
from games.errors import InfrastructureError
from league.records import PlannedMatch, Result
from league.standings import MatchCounts
from league.store import chain, guard, log, migrations, plans, runs, tasks
from league.store.chain import Segment
from league.store.dialect import Database, parse_url
from league.store.heartbeat import beating
from league.store.log import Link
from league.store.runs import Event, Run, RunStatus
from league.store.tasks import StoredTask, Trial

LEASE_SECONDS = 60.0
"""a lease that was not renewed for so long belongs to nobody"""

logger = logging.getLogger(__name__)


class Store:
    """Where runs, plans, leases, results and episodes are kept. One object serves all threads of a process.

    Methods raise InputError for what the user can put right, InfrastructureError where the database fails.
    """

    def __init__(
        self, database: Database, url: str, *, clock: Callable[[], float] | None, lease_seconds: float
    ) -> None:
        self.url = url
        """as the user would type it again, without a password"""
        self._db = database
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._held: set[int] = set()
        self._floor: dict[int, int] = {}

    @classmethod
    def open(
        cls,
        url: str,
        *,
        read_only: bool = False,
        make: bool = True,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        lease_seconds: float | None = None,
        clock: Callable[[], float] | None = None,
    ) -> Store:
        """Open a store, or `make` it, with its folders, where there is none.

        `url` is `sqlite:///path`, a bare path, or `postgresql+psycopg://...`. `read_only` neither makes nor changes
        anything. `synchronous` is for SQLite: FULL keeps every committed result through a power cut, NORMAL through
        a kill only. `clock` is in seconds since 1970, by default the database's. Raises InputError, MissingPackage.
        """
        parsed = parse_url(url)
        database: Database
        if parsed.get_backend_name() == "sqlite":
            from league.store.sqlite import Sqlite

            database = Sqlite(parsed, read_only=read_only, make=make, synchronous=synchronous)
        else:
            from league.store.postgres import Postgres

            database = Postgres(parsed, read_only=read_only)
        try:
            if read_only:
                with database.read() as connection:
                    migrations.check(connection, database.shown)
            else:
                migrations.upgrade(database, make=make)
        except BaseException:
            database.engine.dispose()
            raise
        return cls(database, database.shown, clock=clock, lease_seconds=lease_seconds or LEASE_SECONDS)

    @property
    def place(self) -> Path | None:
        """The folder of the database's file; None: it is on a server."""
        return self._db.place

    @property
    def shared(self) -> bool:
        """Whether several processes may play one run."""
        return self._db.shared

    @cached_property
    def id(self) -> str:
        """What tells this store from all others, wherever it lies."""
        with self._db.read() as connection:
            return migrations.id_of(connection)

    def close(self) -> None:
        """Let go of the database; SQLite folds its WAL into the file."""
        self._db.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- runs -----------------------------------------------------------------------------------------------------

    def start_run(self, name: str, config: Mapping[str, Any]) -> Run:
        """Make a run, or find the one to continue.

        `config` is JSON-like, `TournamentConfig.model_dump(mode="json")`. A run continues with an equal configuration;
        `budget`, `concurrency`, `db` and `plugins` may differ, `rounds` may grow, and the new values are kept. Raises
        InputError that tells what differs, or that another process plays the run.
        """
        with self._db.write() as connection:
            self._db.hold_schema(connection)  # else two that start it at once would both make it
            old = runs.existing(connection, name)
            if old is None:
                return runs.create(connection, name, config)
        new = runs.continuation(old, config, self.url)
        if new == old.config:
            return old
        try:
            with self._holding(old), self._db.write() as connection:
                runs.continue_with(connection, old, new)
                return runs.find(connection, name, self.url)
        except InputError:
            if self._db.shared and runs.same_work(old.config, new):
                return old  # others play it, each with settings of its own
            raise

    def runs(self) -> list[Run]:
        """Every run, oldest first."""
        with self._db.read() as connection:
            return runs.all_runs(connection)

    def run(self, name: str | None = None) -> Run:
        """The run of a name, or the newest. Raises InputError where there is none."""
        with self._db.read() as connection:
            return runs.find(connection, name, self.url)

    def secret(self, run: Run) -> bytes:
        """32 bytes that belong to a run, the same for all who play it, and leave the store for nobody else."""
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            return runs.secret(connection, run.id)

    def set_status(self, run: Run, status: RunStatus) -> None:
        """Say where a run stands."""
        with self._db.write() as connection:
            runs.update(connection, run.id, status=status)

    @contextmanager
    def exclusive(self, run: Run) -> Iterator[None]:
        """Keep a run to this process; the lock dies with the process, so a resume after kill -9 starts at once.

        Every other owner of a lease is dead then: `reclaim` frees them all. Raises InputError naming who plays it.
        """
        with self._db.exclusive(run.id, run.name):
            self._held.add(run.id)
            try:
                yield
            finally:
                self._held.discard(run.id)

    @contextmanager
    def join(self, run: Run, owner: str) -> Iterator[None]:
        """Play a run, beside other processes where the database is for several, and keep the owner's leases alive.

        The first to come takes back what dead processes had leased; later their leases run out. Raises InputError
        where the run is kept by another process.
        """
        with (
            self._db.join(run.id, run.name, partial(self._free_all, run)),
            beating(partial(self.heartbeat, run, owner), self._lease_seconds / 4, self.url),
        ):
            yield

    def alone(self, run: Run) -> bool:
        """Whether nobody but this process, which joined it, plays a run."""
        return self._db.alone(run.id)

    def played(self, run: Run) -> bool:
        """Whether a process plays a run now, as far as can be seen from this machine."""
        return self._db.played(run.id)

    # -- the plan -------------------------------------------------------------------------------------------------

    def plan(self, run: Run, matches: Sequence[PlannedMatch]) -> int:
        """Append to the plan, before anything is played. Returns how many matches were new.

        Matches that are planned already must be the same (InputError otherwise); new ones continue the numbering
        without a gap and match ids are unique in the store (ValueError otherwise).
        """
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            return plans.add(connection, run.id, run.name, matches)

    def planned(self, run: Run) -> list[PlannedMatch]:
        """The whole plan, in its order."""
        with self._db.read() as connection:
            return plans.read(connection, run.id)

    def next_round(self, run: Run) -> tuple[int, int]:
        """The number of the first round that is not planned yet, and of its first match."""
        with self._db.read() as connection:
            return plans.next_round(connection, run.id)

    def unfinished(self, run: Run, owner: str) -> int:
        """Planned matches without a result that `owner` does not hold: they are free, or others play them."""
        with self._db.read() as connection:
            return plans.unfinished(connection, run.id, owner)

    def lease(self, run: Run, owner: str, n: int) -> list[tuple[PlannedMatch, int]]:
        """Take up to `n` matches to play, lowest index first, each with the number of this attempt, from 1.

        Never one that has a result or a live lease, the owner's own included. Renews the owner's leases.
        """
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
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
        """Renew an owner's leases. Returns how many it holds. `lease` does it too."""
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            return plans.renew(connection, run.id, owner, self._now(connection) + self._lease_seconds)

    def release(self, run: Run, owner: str) -> int:
        """Give an owner's unfinished matches back. Returns how many."""
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            return plans.free(connection, run.id, owner=owner)

    def reclaim(self, run: Run) -> int:
        """Take back the leases of dead owners: all of them inside `exclusive`, else those that no clock keeps alive."""
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            if run.id in self._held:
                return plans.free(connection, run.id)
            now = self._now(connection)
            return plans.free(connection, run.id, now=now, until=now + self._lease_seconds)

    # -- the log --------------------------------------------------------------------------------------------------

    def finish(self, entries: Sequence[tuple[PlannedMatch, Episode]]) -> list[Result]:
        """Write matches that ended, with their episodes, in one transaction; durable when it returns.

        Returns the results that were written, with their `seq`. A match that has a result already is left out of
        them and warned of: the first result stands. Void matches are written too, and a match whose record cannot be
        stored is written as one (`league.store.guard`). Raises ValueError for a match
        that was never planned.
        """
        packed = log.pack(entries)
        if not packed:
            return []
        try:
            written = self._append(packed)
        except (InfrastructureError, OverflowError, UnicodeError) as error:
            if not guard.refuses_data(error):
                raise
            if len(packed) > 1:  # one of them is at fault: the others are kept
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
                written += log.append(connection, run, [p for p in packed if run_of[p.result.match] == run])
        return written

    def results(self, run: Run, after_seq: int = 0) -> list[Result]:
        """Results with a higher `seq`, in the order of commit; a reader that remembers the last one misses none."""
        with self._db.read() as connection:
            return log.read(connection, run.id, after_seq)

    def columns(self, run: Run) -> list[tuple[Any, ...]]:
        """Of all results, in any order: index, pairing, game, status, seats as JSON, worker, seed, transcript."""
        with self._db.read() as connection:
            return log.read_columns(connection, run.id)

    def results_in_plan_order(self, run: Run) -> list[Result]:
        """All results, in the order of the plan; matches still missing are left out."""
        with self._db.read() as connection:
            return log.read_in_plan_order(connection, run.id)

    def segments(self, run: Run) -> list[Segment]:
        """The parts of the run's hash chain, oldest first; the last one ends with the head."""
        with self._db.read() as connection:
            return chain.segments(connection, run.id)

    def head(self, run: Run) -> str:
        """The digest of the run's last result in hexadecimal digits, "" where none is chained."""
        segments = self.segments(run)
        return segments[-1].digest.hex() if segments and segments[-1].digest != chain.NOTHING else ""

    def links(self, run: Run, batch: int = 256, after: int = 0) -> Iterator[Link]:
        """Results with a higher `seq` as the chain covers them, in the order of commit, read `batch` at a time."""
        while True:
            with self._db.read() as connection:
                rows = log.links(connection, run.id, after, batch)
            yield from rows
            if len(rows) < batch:
                return
            after = rows[-1].seq

    def counts(self, run: Run) -> MatchCounts:
        """Matches planned, finished (forfeits and truncated ones included), void and under a live lease."""
        with self._db.read() as connection:
            return log.counts(connection, run.id, self._now(connection), self._lease_seconds)

    def episode(self, match: str | int, run: Run | None = None) -> Episode:
        """An episode by match id, by the unique start of one, or by its index in `run` (default: the newest).

        Raises InputError where there is no such match, or more than one, or it has not ended.
        """
        with self._db.read() as connection:
            run_id = run.id if run is not None else runs.newest_id(connection)
            return log.episode(connection, log.find_match(connection, str(match), run_id))

    def episodes(self, run: Run, batch: int = 256, after: int = -1) -> Iterator[tuple[Result, Episode]]:
        """Every match that ended with an index above `after`, in plan order, read `batch` at a time."""
        while True:
            with self._db.read() as connection:
                rows = log.read_episodes(connection, run.id, after, batch)
            yield from rows
            if len(rows) < batch:
                return
            after = rows[-1][0].index

    # -- the pool of tasks -----------------------------------------------------------------------------------------

    def add_tasks(self, run: Run, new: Sequence[StoredTask], trials: Sequence[Trial]) -> None:
        """Keep tasks that players set, and how often tasks were solved; in one transaction."""
        if new or trials:
            with self._db.write() as connection:
                tasks.add(connection, run.id, new, trials)

    def tasks(self, run: Run) -> tuple[list[StoredTask], list[Trial]]:
        """The pool, in order, and its trials, in the order they were made."""
        with self._db.read() as connection:
            return tasks.read(connection, run.id)

    def forget_tasks(self, run: Run, after: int) -> int:
        """Take back tasks and trials of later steps than `after`. Returns how many tasks went."""
        with self._db.write() as connection:
            return tasks.forget(connection, run.id, after)

    # -- caches and diary -----------------------------------------------------------------------------------------

    def save_standings(self, run: Run, data: bytes, upto_seq: int, algorithm: str) -> None:
        """Cache standings made from the results up to `upto_seq`. `algorithm` names what made them, with a version."""
        with self._db.write() as connection:
            runs.save_standings(connection, run.id, algorithm, upto_seq, data)

    def load_standings(self, run: Run, algorithm: str) -> tuple[bytes, int] | None:
        """The cached standings and their `upto_seq`, or None where the same algorithm saved none."""
        with self._db.read() as connection:
            return runs.load_standings(connection, run.id, algorithm)

    def add_event(self, run: Run, kind: str, text: str) -> None:
        """Write a line of the run's diary (a fault, a resume), for boards in other processes."""
        with self._db.write() as connection:
            runs.add_event(connection, run.id, kind, text, self._now(connection))

    def events(self, run: Run, after: int = 0) -> list[Event]:
        """The diary after a line's `seq`."""
        with self._db.read() as connection:
            return runs.events(connection, run.id, after)

    def _now(self, connection: Connection) -> float:
        return self._clock() if self._clock is not None else self._db.clock(connection)

    def _free_all(self, run: Run) -> None:
        with self._db.write() as connection:
            self._db.hold_run(connection, run.id)
            plans.free(connection, run.id)

    @contextmanager
    def _holding(self, run: Run) -> Iterator[None]:
        if run.id in self._held:
            yield
        else:
            with self.exclusive(run):
                yield
