"""The SQLite backend: one file in WAL mode, one writer and any number of readers."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import platform
import random
import socket
import sqlite3
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.pool import QueuePool

from games import InputError
from league.config.database_url import DatabaseUrl
from league.store.dialect import PLACE, DatabaseBackend, NoDatabase

Synchronous = Literal["FULL", "NORMAL"]

WAIT = 30.0
"""seconds a writer waits for a writer in another process"""
PAGE = 8192
"""bytes of a page; an episode of tens of kB takes half as many writes as with SQLite's 4,096"""

STEPS = 10_000_000
"""steps of SQLite's machine between two looks at the counter; a tenth of a second"""
MOST_STEPS = 10_000_000_000
"""steps of a transaction, at most; reading a million results takes a hundredth"""

log = logging.getLogger(__name__)


class Sqlite(DatabaseBackend):
    """A SQLite file. Raises InputError if it cannot be opened or is not a database."""

    def __init__(
        self, url: DatabaseUrl, *, read_only: bool, make: bool = True, synchronous: Synchronous = "FULL"
    ) -> None:
        # Resolve symbolic links: the lock file of a run lies beside the real file.
        self.path = Path(os.path.realpath(Path(url.path or "").expanduser()))
        self.place = self.path.parent
        self.url = url
        self._synchronous = synchronous
        self._writer = threading.RLock()  # threads wait here; SQLite itself would poll
        self._uri = f"file:{quote(str(self.path))}"
        if make and not read_only:
            _prepare(self.path)
        elif not self.path.exists():
            raise NoDatabase(f"database {url} does not exist; `arena tournament FILE.toml --db {url}` makes one")
        else:
            self._uri += _read_only(self.path) if read_only else "?mode=rw"
        self._probe(wal=make and not read_only)
        self.engine = create_engine(
            "sqlite:///file", creator=self._connect, poolclass=QueuePool, execution_options={PLACE: self.place}
        )
        self.reader = self.engine
        event.listen(self.engine, "begin", _begin)
        self._write_engine = self.engine.execution_options(arena_write=True)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._uri, uri=True, timeout=WAIT, isolation_level=None, check_same_thread=False, factory=_Metered
        )
        try:
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA synchronous={self._synchronous}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _probe(self, *, wal: bool) -> None:
        """Open the file once, to report errors in clear words, and switch it to WAL.

        The switch needs the file alone. While another process makes or opens the file, SQLite refuses it at once
        and does not wait as it does for a writer (1 of 480 opens by eight processes at a time); so try again.
        """
        until = time.monotonic() + WAIT
        while True:
            try:
                return self._open_once(wal=wal)
            except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # it may name a damaged table
                if not _busy(error) or time.monotonic() > until:
                    raise InputError(_trouble(self.url, self.path, error)) from None
            time.sleep(random.uniform(0.005, 0.05))

    def _open_once(self, *, wal: bool) -> None:
        connection = self._connect()
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if wal:
                connection.execute(f"PRAGMA page_size={PAGE}")  # of a new file; an older one keeps its own
                connection.execute("PRAGMA journal_mode=WAL").fetchone()
        finally:
            connection.close()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Return a transaction that holds the file's write lock from its start."""
        with self.sound(), self.translated(), self._writer, self._write_engine.begin() as connection:
            yield connection

    def hold_run(self, connection: Connection, run: int) -> None:
        """Do nothing: BEGIN IMMEDIATE already locks the whole file."""

    def hold_schema(self, connection: Connection) -> None:
        """Do nothing: BEGIN IMMEDIATE already locks the whole file."""

    @contextmanager
    def exclusive(self, run: int, name: str) -> Iterator[None]:
        """Hold an operating-system lock on a file beside the database; the kernel drops it when the process dies."""
        file = self._lock_file(run)
        with _held_files_guard:
            if file in _held_files:
                raise self.taken(name, f"this process, {os.getpid()}")
            try:
                handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
                free = _try_lock(handle)
            except OSError as error:
                raise InputError(f"cannot lock {file}: {error.strerror}; keep the database on a local disk") from None
            if not free:
                holder = os.pread(handle, 200, 0).decode(errors="replace").strip()
                os.close(handle)
                raise self.taken(name, holder or "another process")
            _held_files.add(file)
        try:
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
            yield
        finally:
            with _held_files_guard:
                os.close(handle)
                _held_files.discard(file)

    def played(self, run: int) -> bool:
        """Returns whether a process of this machine holds the run's lock file.

        Queries the lock instead of trying to take it, which could make another process that starts now fail.
        """
        file = self._lock_file(run)
        with _held_files_guard:
            if file in _held_files:
                return True  # opening and closing the file in this process would drop its lock
            try:
                handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                return False  # not played from this machine yet
            try:
                return _is_locked(handle)
            finally:
                os.close(handle)

    def _lock_file(self, run: int) -> Path:
        return Path(f"{self.path}.run{run}.lock")


# A record lock (lockf) belongs to one process: the kernel drops it at kill -9 even if a forked child of a model's
# engine survives, which would keep a flock. In exchange, it excludes nothing within the process, and closing any
# handle of the file drops it; hence this list of held files.
_held_files: set[Path] = set()
_held_files_guard = threading.Lock()


def _try_lock(handle: int) -> bool:
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            return False
        raise
    return True


def _is_locked(handle: int) -> bool:
    """Returns whether another process has a record lock on a file (F_GETLK of fcntl(2))."""
    # struct flock: start, length, process, type, whence; on Linux the last two come first
    mac = platform.system() == "Darwin"
    asked = (0, 0, 0, fcntl.F_WRLCK, os.SEEK_SET) if mac else (fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    layout = "qqihh" if mac else "hhqqi"
    lock = struct.unpack(layout, fcntl.fcntl(handle, fcntl.F_GETLK, struct.pack(layout, *asked)))
    return bool(lock[3 if mac else 0] != fcntl.F_UNLCK)


class _Metered(sqlite3.Connection):
    """A connection that interrupts a transaction after MOST_STEPS steps of SQLite's machine."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        self._left = MOST_STEPS
        self.set_progress_handler(self._count, STEPS)

    def begin(self) -> None:
        """Count from the start."""
        self._left = MOST_STEPS

    def _count(self) -> bool:
        self._left -= STEPS
        return self._left < 0


def _begin(connection: Connection) -> None:
    """Make writers lock at BEGIN: two transactions that upgrade a read lock would block each other."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, _Metered)
    driver.begin()
    write = connection.get_execution_options().get("arena_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _busy(error: Exception) -> bool:
    """Returns whether another process holds the file (all kinds of SQLITE_BUSY)."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _prepare(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path.parent} for the database: {error.strerror}") from None


def _read_only(path: Path) -> str:
    """Return the query that makes the URI of an existing file read-only."""
    wal = Path(f"{path}-wal")
    if not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size):
        return "?immutable=1"  # readers of WAL need a shared-memory file, which this folder does not permit
    return "?mode=ro"


def _trouble(url: DatabaseUrl, path: Path, error: Exception) -> str:
    text = str(error)
    if "not a database" in text:
        return f"{url} is not a SQLite database; name another --db or move that file away"
    if "malformed" in text or isinstance(error, UnicodeDecodeError):
        return f"{url} is damaged ({text}); restore a copy, or salvage it: sqlite3 {path} .recover"
    if path.is_dir():
        return f"{url} is a folder; name a file in it, like sqlite:///{path}/arena.db"
    return f"cannot open database {url}: {text}; is it readable and its folder writable?"
