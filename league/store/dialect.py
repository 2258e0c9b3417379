"""What differs between the databases, behind one face. Nothing outside this and its two modules knows which it is."""

from __future__ import annotations

import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from games import InputError
from games.errors import InfrastructureError

FORMS = "sqlite:///path/to/file.db or postgresql+psycopg://user@host/name"


class DamagedRow(ValueError):
    """What a column holds is not what was written there."""

    def __init__(self, what: str, error: object) -> None:
        super().__init__(f"{what} cannot be read ({' '.join(str(error).split())[:100]})")


class Database(ABC):
    """An open database: connections, write transactions that wait for each other, and a lock on a run."""

    engine: Engine
    reader: Engine
    """the same engine, with the options of reading transactions"""
    shown: str
    """the URL without its password"""
    place: Path | None = None
    """the folder of the file; None: it is on a server"""
    shared = False
    """whether several processes may play one run"""

    @abstractmethod
    def write(self) -> AbstractContextManager[Connection]:
        """A transaction that may write, committed at the end, rolled back by an exception."""

    @abstractmethod
    def hold_run(self, connection: Connection, run: int) -> None:
        """Inside a write transaction: nobody else writes to this run until it ends."""

    @abstractmethod
    def hold_schema(self, connection: Connection) -> None:
        """Inside a write transaction: nobody else makes or changes tables until it ends."""

    @abstractmethod
    def exclusive(self, run: int, name: str) -> AbstractContextManager[None]:
        """Keep a run to this process until the context ends or the process dies. Raises InputError when taken."""

    @contextmanager
    def join(self, run: int, name: str, first: Callable[[], None]) -> Iterator[None]:
        """Play a run beside others where the database is `shared`, else keep it to this process.

        `first` is called before, where nobody else plays it: leases that are left are of dead processes then.
        """
        with self.exclusive(run, name):
            first()
            yield

    @abstractmethod
    def played(self, run: int) -> bool:
        """Whether any process keeps or has joined a run, as far as can be seen from here; takes no lock itself."""

    def alone(self, run: int) -> bool:
        """Whether nobody but the caller, who joined, plays a run."""
        return True

    def clock(self, connection: Connection) -> float:
        """Seconds since 1970, the same for all who share the database."""
        return time.time()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database throughout."""
        with self.sound(), self.translated(), self.reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def sound(self) -> Iterator[None]:
        """A column that cannot be read as InputError, in one line."""
        try:
            yield
        except DamagedRow as error:
            raise InputError(
                f"{self.shown} is damaged: {error}; restore a copy, `arena verify --db {self.shown}` says what is left"
            ) from error

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Failures of the database as InfrastructureError, in one line."""
        try:
            yield
        except DBAPIError as error:
            reason = str(error.orig).splitlines()[0] if error.orig else type(error).__name__
            raise InfrastructureError(f"the database {self.shown} failed: {reason}") from error

    def taken(self, name: str, holder: str) -> InputError:
        """The refusal of a run that another process plays."""
        return InputError(f"run {name!r} is already played by {holder}; `arena watch --db {self.shown}` shows it")


def parse_url(url: str) -> URL:
    """A database URL; a bare path means a SQLite file. Raises InputError for every other kind of database."""
    try:
        parsed = make_url(url if "://" in url or url.startswith("sqlite:") else f"sqlite:///{url}")
    except (ArgumentError, ValueError):
        raise InputError(f"{url!r} is no database URL; write {FORMS}") from None
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if parsed.host:
            raise InputError(f"{url!r} has too few slashes; write sqlite:///{parsed.host}/{parsed.database or 'x.db'}")
        if not parsed.database or parsed.database == ":memory:":
            raise InputError(f"{url!r} names no file and the store is kept in one; write sqlite:///path/to/file.db")
        return parsed
    if backend in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise InputError(f"database {backend!r} of {parsed.render_as_string()!r} is not supported; write {FORMS}")


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; where the primary key is taken, every other column takes the new value."""
    if not rows:
        return
    connection.execute(_upsert(connection.dialect.name, table), rows)


@functools.cache
def _upsert(dialect: str, table: Table) -> Insert:
    statement = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    keys = [column.name for column in table.primary_key]
    rest = {column.name: statement.excluded[column.name] for column in table.columns if column.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=rest)
