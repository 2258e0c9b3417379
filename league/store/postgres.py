"""The PostgreSQL backend: several machines on one store."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Connection, create_engine, select, text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from games import InputError, MissingPackage
from league.config.database_url import SAFER, DatabaseUrl
from league.store import schema
from league.store.dialect import DatabaseBackend

LOCKS = 0x6172656E
"""first half of the arena's advisory lock keys ("aren"); the second half is the run, or 0 for the tables"""
WAIT = 10
"""seconds a joining process waits for one that briefly holds the run exclusively to change its settings"""
GONE = 3
"""seconds the server may need to notice that a lock's holder was killed (0.1 s measured, more on a busy machine)"""

# The holders of a run's lock in this database.
_HELD = (
    "FROM pg_locks AS held JOIN pg_stat_activity AS activity USING (pid) WHERE held.locktype = 'advisory' "
    "AND held.classid = :a AND held.objid = :b AND held.granted AND activity.datname = current_database()"
)

_NOW = text("SELECT extract(epoch FROM clock_timestamp())")


class Postgres(DatabaseBackend):
    """A PostgreSQL database. Raises MissingPackage without its driver, InputError if it cannot be reached."""

    shared = True

    def __init__(self, url: DatabaseUrl, *, read_only: bool) -> None:
        self.url = url
        name = f"arena process {os.getpid()} on {socket.gethostname()}"[:63]
        arguments = {"application_name": name}
        if read_only:
            arguments["options"] = "-c default_transaction_read_only=on"
        try:
            self.engine = create_engine(url.for_driver(), connect_args=arguments, pool_pre_ping=True)
            self.engine.connect().close()
        except ModuleNotFoundError:
            raise MissingPackage(f"the database {url}", "psycopg", "'selfplay-arena[postgres]'") from None
        except SQLAlchemyError as error:
            reason = url.without_secrets(getattr(error, "orig", error))
            hint = f"; {SAFER}" if "password" in reason else ""
            raise InputError(f"cannot reach the database {url}: {reason}{hint}") from None
        # All queries of one read see the same snapshot, as in SQLite.
        self.reader = self.engine.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Return a transaction at the server's default isolation; `hold_run` serialises writers of one run."""
        with self.sound(), self.translated(), self.engine.begin() as connection:
            yield connection

    def hold_run(self, connection: Connection, run: int) -> None:
        """Lock the run's row."""
        connection.execute(select(schema.runs.c.id).where(schema.runs.c.id == run).with_for_update())

    def hold_schema(self, connection: Connection) -> None:
        """Take the advisory lock of the tables until the transaction ends."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:a, 0)"), {"a": LOCKS})

    @contextmanager
    def exclusive(self, run: int, name: str) -> Iterator[None]:
        """Hold an advisory lock in a separate connection; the server drops it if the connection breaks."""
        key = {"a": LOCKS, "b": run}
        with self.translated(), self.engine.connect() as connection:
            # The session holds the lock, not a transaction: autocommit leaves no transaction open.
            connection.execution_options(isolation_level="AUTOCOMMIT")
            if not _waited(connection, "pg_advisory_lock", key, GONE):
                raise self.taken(name, _holder(connection, run))
            try:
                yield
            finally:
                _unlock(connection, "pg_advisory_unlock", key)

    @contextmanager
    def join(self, run: int, name: str, first: Callable[[], None]) -> Iterator[None]:
        """Share the run's advisory lock, after waiting for a process that briefly holds it exclusively."""
        key = {"a": LOCKS, "b": run}
        with self.translated(), self.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            if connection.execute(text("SELECT pg_try_advisory_lock(:a, :b)"), key).scalar():
                try:
                    first()
                    connection.execute(text("SELECT pg_advisory_lock_shared(:a, :b)"), key)
                finally:
                    _unlock(connection, "pg_advisory_unlock", key)
            elif not _waited(connection, "pg_advisory_lock_shared", key, WAIT):
                raise self.taken(name, _holder(connection, run))
            try:
                yield
            finally:
                _unlock(connection, "pg_advisory_unlock_shared", key)

    def alone(self, run: int) -> bool:
        """Returns whether the run's lock has one holder."""
        return self._holders(run) <= 1

    def played(self, run: int) -> bool:
        """Returns whether the run's lock has a holder."""
        return self._holders(run) > 0

    def _holders(self, run: int) -> int:
        with self.read() as connection:
            rows = connection.execute(text(f"SELECT count(*) {_HELD}"), {"a": LOCKS, "b": run})
            return int(rows.scalar_one())

    def clock(self, connection: Connection) -> float:
        """Return the server's time, which ends leases; the clocks of the machines differ."""
        return float(connection.execute(_NOW).scalar_one())


def _waited(connection: Connection, function: str, key: dict[str, int], seconds: int) -> bool:
    """Take an advisory lock; returns False if another session holds it for longer than `seconds`."""
    connection.execute(text(f"SET lock_timeout = '{seconds}s'"))
    try:
        connection.execute(text(f"SELECT {function}(:a, :b)"), key)
    except OperationalError as error:
        if getattr(error.orig, "sqlstate", None) != "55P03":  # lock_not_available
            raise
        return False
    finally:
        with suppress(DBAPIError):  # the pool gives the connection to others
            connection.execute(text("RESET lock_timeout"))
    return True


def _unlock(connection: Connection, function: str, key: dict[str, int]) -> None:
    with suppress(DBAPIError):  # a broken connection has lost the lock already
        connection.execute(text(f"SELECT {function}(:a, :b)"), key)


def _holder(connection: Connection, run: int) -> str:
    name = connection.execute(text(f"SELECT activity.application_name {_HELD}"), {"a": LOCKS, "b": run}).scalar()
    return str(name).removeprefix("arena ") if name else "another process"
