"""The interface of the two database backends. Only it and the backends depend on the kind of database."""

from __future__ import annotations

import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, Insert, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry

from games import InputError
from games.errors import InfrastructureError
from league.config.database_url import DatabaseUrl

PLACE = "arena_place"
"""the option of a connection that holds the folder of its file"""


class DamagedRow(ValueError):
    """A column does not hold what was written to it."""

    def __init__(self, what: str, error: object) -> None:
        super().__init__(f"{what} cannot be read ({' '.join(str(error).split())[:100]})")


UNREADABLE = (msgspec.MsgspecError, TypeError, UnicodeError, RecursionError)
"""what decoding a column may raise if another program wrote it"""


NESTED = 100
"""levels of a JSON text, at most; deeper ones exhaust the stack of whoever writes them again"""


def check_depth(what: str, value: Any) -> None:
    """Raise DamagedRow if decoded JSON is nested deeper than any arena writes."""
    level = [value]
    for _ in range(NESTED):
        tables = [each for each in level if isinstance(each, dict | list)]
        if not tables:
            return
        level = [inner for each in tables for inner in (each.values() if isinstance(each, dict) else each)]
    raise DamagedRow(what, f"it is nested deeper than {NESTED} levels")


class NoDatabase(InputError):
    """The database does not exist."""


class RunTaken(InputError):
    """Raised for a run that another process plays."""


class DatabaseBackend(ABC):
    """An open database: connections, write transactions that wait for each other, and a lock on a run."""

    engine: Engine
    reader: Engine
    """the same engine, with the options of reading transactions"""
    url: DatabaseUrl
    place: Path | None = None
    """the folder of the file; None for a server"""
    shared = False
    """whether several processes may play one run"""

    @abstractmethod
    def write(self) -> AbstractContextManager[Connection]:
        """Returns a transaction that may write, committed at the end, rolled back by an exception."""

    @abstractmethod
    def hold_run(self, connection: Connection, run: int) -> None:
        """Inside a write transaction: block other writers of this run until it ends."""

    @abstractmethod
    def hold_schema(self, connection: Connection) -> None:
        """Inside a write transaction: block others from creating or changing tables until it ends."""

    @abstractmethod
    def exclusive(self, run: int, name: str) -> AbstractContextManager[None]:
        """Lock a run for this process until the context or the process ends. Raises InputError if it is locked."""

    @contextmanager
    def join(self, run: int, name: str, first: Callable[[], None]) -> Iterator[None]:
        """Play a run beside others where the database is `shared`, else keep it to this process.

        `first` is called before, if no other process plays it; all leases then belong to dead processes.
        """
        with self.exclusive(run, name):
            first()
            yield

    @abstractmethod
    def played(self, run: int) -> bool:
        """Returns whether any process keeps or has joined a run, as far as is visible here; takes no lock."""

    def alone(self, run: int) -> bool:
        """Returns whether only the caller, which joined the run, plays it."""
        return True

    def clock(self, connection: Connection) -> float:
        """Returns seconds since 1970 by the clock that all users of the database share."""
        return time.time()

    def close(self) -> None:
        """Close every connection; one that is read from meanwhile, such as by a thread, when it is returned."""
        event.listen(self.engine, "checkin", _close_returned)
        self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database throughout."""
        with self.sound(), self.translated(), self.reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def sound(self) -> Iterator[None]:
        """Raise a damaged column as InputError, in one line."""
        try:
            yield
        except (DamagedRow, RecursionError) as error:
            fault = error if isinstance(error, DamagedRow) else "a JSON text in it is nested too deep"
            raise InputError(
                f"{self.url} is damaged: {fault}; restore a copy, `arena verify --db {self.url}` says what is left"
            ) from error

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raise failures of the database as InfrastructureError, in one line."""
        try:
            yield
        except DBAPIError as error:
            reason = self.url.without_secrets(error.orig or type(error).__name__)
            if reason == "interrupted":
                reason = "a query took more steps than any of the arena; its tables are not those of an arena"
            raise InfrastructureError(f"the database {self.url} failed: {reason}") from error

    def taken(self, name: str, holder: str) -> RunTaken:
        """Returns the error for a run that another process plays."""
        return RunTaken(f"run {name!r} is already played by {holder}; `arena watch --db {self.url}` shows it")


def _close_returned(_: Any, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def as_blob(value: object) -> bytes | None:
    """Returns a column of bytes, also where an edit of the database left a text or a number in it."""
    return value if value is None or isinstance(value, bytes) else str(value).encode(errors="replace")


def insert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that have every column, given to the driver as they are: SQLAlchemy's own conversion takes longer."""
    if rows:
        connection.exec_driver_sql(_insert(connection.dialect.name, table), rows)


@functools.cache
def _insert(dialect: str, table: Table) -> str:
    name = f'"{table.name}"'
    places = (f":{c.name}" if dialect == "sqlite" else f"%({c.name})s" for c in table.columns)
    columns = ", ".join(f'"{c.name}"' for c in table.columns)
    return f"INSERT INTO {name} ({columns}) VALUES ({', '.join(places)})"


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows. If the primary key exists, update all other columns."""
    if not rows:
        return
    connection.execute(_upsert(connection.dialect.name, table), rows)


@functools.cache
def _upsert(dialect: str, table: Table) -> Insert:
    statement = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    keys = [column.name for column in table.primary_key]
    rest = {column.name: statement.excluded[column.name] for column in table.columns if column.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=rest)
