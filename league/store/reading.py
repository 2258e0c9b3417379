"""Reading a store: every method is one transaction."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection

from arena.match import Episode
from games import ArenaError, InputError
from league.records.leaderboard import MatchCounts
from league.records.matches import PlannedMatch, Result
from league.records.run_spec import RunKind
from league.store import chain, columns, in_play, inert, journal, log, plans, runs, studies, tasks, version
from league.store.chain import Segment
from league.store.dialect import DatabaseBackend
from league.store.in_play import MatchInPlay
from league.store.journal import JournalHead
from league.store.log import Link
from league.store.runs import Event, Run
from league.store.stored_log import StoredLog
from league.store.tasks import StoredTask, Trial

_OF_DAMAGE = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""errors of code that reads a column of another type, or a name that the run does not have"""


class Closeable:
    """A context manager that closes itself."""

    def close(self) -> None:
        """Free what is open."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class StoreReader(Closeable):
    """The part of `Store` that changes nothing."""

    def __init__(
        self, database: DatabaseBackend, url: str, *, clock: Callable[[], float] | None, lease_seconds: float
    ) -> None:
        self.url = url
        """the URL that opens the store, without its password"""
        self._db = database
        self._clock = clock
        self._lease_seconds = lease_seconds
        self._held: set[int] = set()
        self._floor: dict[int, int] = {}
        self._games: dict[int, log.Games] = {}
        """run -> how its games are rated; None for one that it does not rate"""
        weakref.finalize(self, database.close)  # as of list(open_store(db).episodes()), which nobody closes

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store. An error that comes from what somebody wrote into the database becomes an InputError."""
        try:
            if isinstance(error, _OF_DAMAGE) and not isinstance(error, ArenaError):
                with self._db.read() as connection:
                    fault = inert.find_damage(connection)
                if fault:
                    raise InputError(f"{self.url} is damaged: {fault}; restore a copy") from error
        finally:
            self.close()

    @property
    def place(self) -> Path | None:
        """The folder of the database's file; None for a server."""
        return self._db.place

    @property
    def shared(self) -> bool:
        """Whether several processes may play one run."""
        return self._db.shared

    @cached_property
    def id(self) -> str:
        """The unique id of this store. It stays the same if the file moves."""
        with self._db.read() as connection:
            return version.id_of(connection)

    def close(self) -> None:
        """Close the database; SQLite merges its WAL into the file."""
        self._db.close()

    def runs(self, kind: RunKind | None = None) -> list[Run]:
        """Returns every run, or those of a kind, oldest first."""
        with self._db.read() as connection:
            return runs.all_runs(connection, kind)

    def run(self, name: str | None = None) -> Run:
        """Returns the run of a name, or the newest. Raises InputError if there is none."""
        with self._db.read() as connection:
            return runs.find(connection, name, self.url)

    def day(self, run: Run) -> date:
        """Returns the day of a run's start, which its prompts read; of the record or the gate, that of its training."""
        with self._db.read() as connection:
            started = (runs.existing(connection, run.parent) if run.parent else None) or run
        return datetime.fromisoformat(started.created).astimezone(UTC).date()

    def study(self, name: str) -> dict[str, str]:
        """Returns part -> text of a study: its plan and what its runs measured; {} if it was not planned."""
        with self._db.read() as connection:
            return studies.entries(connection, name)

    def alone(self, run: Run) -> bool:
        """Returns whether only this process, which joined the run, plays it."""
        return self._db.alone(run.id)

    def played(self, run: Run) -> bool:
        """Returns whether a process plays a run now, as far as this machine can tell."""
        return self._db.played(run.id)

    def planned(self, run: Run) -> list[PlannedMatch]:
        """Returns the whole plan, in order."""
        with self._db.read() as connection:
            return plans.read(connection, run.id)

    def next_round(self, run: Run) -> tuple[int, int]:
        """Returns the number of the first round that is not planned, and the index of its first match."""
        with self._db.read() as connection:
            return plans.next_round(connection, run.id)

    def unfinished(self, run: Run, owner: str) -> int:
        """Returns the number of planned matches without a result that are free or leased by others than `owner`."""
        with self._db.read() as connection:
            return plans.unfinished(connection, run.id, owner)

    def results(self, run: Run, after_seq: int = 0, most: int | None = None) -> list[Result]:
        """Returns results with a higher `seq`, the first `most` of them, in the order of commit.

        A reader that remembers the last `seq` misses none.
        """
        with self._db.read() as connection:
            return log.read(connection, run.id, after_seq, most)

    def log(self, run: Run) -> StoredLog:
        """Returns all results, for standings."""
        return StoredLog(self._db, run.id)

    def results_in_plan_order(self, run: Run) -> list[Result]:
        """Returns all results so far, in plan order."""
        with self._db.read() as connection:
            return log.read_in_plan_order(connection, run.id)

    def links(self, run: Run, batch: int = 256, after: int = 0) -> Iterator[Link]:
        """Results with a higher `seq` in the form that the chain covers, in the order of commit, read in batches."""
        while True:
            with self._db.read() as connection:
                rows = log.links(connection, run.id, after, batch)
            yield from rows
            if len(rows) < batch:
                return
            after = rows[-1].seq

    def orphans(self, run: Run) -> int:
        """Returns the number of episodes whose result was removed."""
        with self._db.read() as connection:
            return log.orphans(connection, run.id)

    def segments(self, run: Run) -> list[Segment]:
        """Returns the segments of the run's hash chain, oldest first. The last one ends at the head."""
        with self._db.read() as connection:
            return chain.segments(connection, run.id)

    def journal_head(self, run: Run) -> JournalHead:
        """Returns the length and the head of the run's journal."""
        with self._db.read() as connection:
            return journal.head(connection, run.id)

    def journal_digest(self, run: Run, n: int) -> bytes:
        """Returns the digest of an entry of the run's journal; empty without such an entry."""
        with self._db.read() as connection:
            return journal.digest_at(connection, run.id, n)

    def journal_faults(self, run: Run) -> list[str]:
        """Returns what differs between the run's journal and its tables."""
        with self._db.read() as connection:
            return list(journal.faults(connection, run.id))

    def block_faults(self, run: Run) -> list[str]:
        """Returns what differs between the run's blocks and its results."""
        with self._db.read() as connection:
            return list(columns.faults(connection, run.id))

    def head(self, run: Run) -> str:
        """Returns the digest of the run's last result in hexadecimal digits, or "" if no result is chained."""
        segments = self.segments(run)
        return segments[-1].digest.hex() if segments and segments[-1].digest != chain.NOTHING else ""

    def counts(self, run: Run) -> MatchCounts:
        """Returns the numbers of planned, finished (with forfeits and truncated matches), void and leased matches."""
        with self._db.read() as connection:
            return log.counts(connection, run.id, self._now(connection), self._lease_seconds)

    def episode(self, match: str | int, run: Run | None = None) -> Episode:
        """Returns an episode by match id, its unique start, or its index in `run` (default: the newest run).

        Raises InputError if no match or several matches fit, or if the match has not ended.
        """
        with self._db.read() as connection:
            run_id = run.id if run is not None else runs.newest_id(connection)
            return log.episode(connection, log.find_match(connection, str(match), run_id))

    def in_play(self, run: Run) -> list[MatchInPlay]:
        """Returns the matches of a run that are being played and whose turns so far are published, newest first."""
        with self._db.read() as connection:
            return in_play.read(connection, run.id, self._now(connection), self._lease_seconds)

    def episodes(self, run: Run, batch: int = 256, after: int = -1) -> Iterator[tuple[Result, Episode]]:
        """Yields every match that ended with an index above `after`, in plan order, read in batches."""
        while True:
            with self._db.read() as connection:
                rows = log.read_episodes(connection, run.id, after, batch)
            yield from rows
            if len(rows) < batch:
                return
            after = rows[-1][0].index

    def tasks(self, run: Run) -> tuple[list[StoredTask], list[Trial]]:
        """Returns the tasks of the pool and their trials, each in the order they were added."""
        with self._db.read() as connection:
            return tasks.read(connection, run.id)

    def load_standings(self, run: Run, algorithm: str) -> tuple[bytes, int] | None:
        """Returns the cached standings and their `upto_seq`, or None if this algorithm saved none."""
        with self._db.read() as connection:
            return runs.load_standings(connection, run.id, algorithm)

    def events(self, run: Run, after: int = 0) -> list[Event]:
        """Returns the events of a run with a higher `seq`."""
        with self._db.read() as connection:
            return runs.events(connection, run.id, after)

    def _now(self, connection: Connection) -> float:
        return self._clock() if self._clock is not None else self._db.clock(connection)
