"""The address of a store. Its secrets reach the database's driver and nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema
    from sqlalchemy.engine import URL

    from games import InputError

FORMS = "sqlite:///path/to/file.db or postgresql+psycopg://user@host/name"
SAFER = "keep passwords in PGPASSWORD or ~/.pgpass"
_PUBLIC = frozenset(
    {
        "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname", "gssencmode", "host",
        "hostaddr", "keepalives", "keepalives_idle", "load_balance_hosts", "passfile", "port", "service", "sslcert",
        "sslkey", "sslmode", "sslrootcert", "target_session_attrs", "user",
    }
)  # fmt: skip
"""the keys of a query that are shown; every other one may hold a secret"""
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][\w+]*)://"
    r"(?:(?P<user>[^:@/?#]*)(?::(?P<password>[^@/?#]*))?@)?"
    r"(?P<host>\[[0-9A-Fa-f:.%]*\]|[^:@/?#\[\]]*)(?::(?P<port>\d*))?"
    r"(?:/(?P<name>[^?#@]*))?(?:\?(?P<query>[^#@]*))?"
)
# What a mistyped URL or a conninfo string of libpq looks like; neither is the path of a file.
_NO_PATH = re.compile(r"^[A-Za-z][\w+]*:|:[^@]*@|\b\w*(password|host|dbname|user|service)\s*=", re.IGNORECASE)


class DatabaseUrl:
    """The URL of a store, or the path of a SQLite file.

    `str`, `repr`, JSON, dumps of settings, copies for other processes and messages have no password and no key of the
    query that may be secret. Only `for_driver` returns them. Raises InputError that does not repeat the text.

    >>> DatabaseUrl("postgresql://me:secret@host/arena?sslmode=require&password=secret")
    DatabaseUrl('postgresql+psycopg://me@host/arena?sslmode=require')
    """

    __slots__ = ("_full", "_public")

    def __init__(self, text: str | DatabaseUrl) -> None:
        # A closure, not a text: a dump of the attributes, by a debugger or a tracker, shows no secret.
        self._full: Callable[[], str]
        self._public: str
        if isinstance(text, DatabaseUrl):
            self._full, self._public = text._full, text._public
            return
        if not isinstance(text, str):
            raise _fault(f"the database URL is a {type(text).__name__}; write it in quotes, as {FORMS}")
        full, self._public = _parsed(text)
        self._full = lambda: full

    def __str__(self) -> str:
        return self._public

    def __repr__(self) -> str:
        return f"DatabaseUrl({self._public!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DatabaseUrl) and self._full() == other._full()

    def __hash__(self) -> int:
        return hash(self._full())

    def __reduce__(self) -> tuple[type[DatabaseUrl], tuple[str]]:
        """Leaves the secrets behind: another process takes them from PGPASSWORD or ~/.pgpass."""
        return DatabaseUrl, (self._public,)

    def __copy__(self) -> DatabaseUrl:
        return self

    def __deepcopy__(self, memo: object) -> DatabaseUrl:
        return self

    @property
    def path(self) -> str | None:
        """The path of a SQLite file; None for a server."""
        return self._public.removeprefix("sqlite:///") if self._public.startswith("sqlite:") else None

    def for_driver(self) -> URL:
        """Returns the URL with its secrets, for SQLAlchemy only."""
        from sqlalchemy.engine import URL, make_url

        if self.path is not None:
            return URL.create("sqlite", database=self.path)
        return make_url(self._full())

    def to_environment(self, variable: str) -> None:
        """Hand the URL with its secrets to the child processes, whose arguments everybody can list."""
        os.environ[variable] = self._full()

    @classmethod
    def from_environment(cls, variable: str) -> DatabaseUrl | None:
        """Take what a parent handed over, so that the children of this process do not get it."""
        text = os.environ.pop(variable, None)
        return None if text is None else cls(text)

    def without_secrets(self, message: object) -> str:
        """Returns a message of the driver in one line, without the secrets, in whatever spelling."""
        text = (str(message).splitlines() or [""])[0]
        for secret in sorted(self._secrets(), key=len, reverse=True):
            text = text.replace(secret, "***")
        return text

    def _secrets(self) -> set[str]:
        parts = _URL.fullmatch(self._full())
        if parts is None:
            return set()
        values = [value for key, value in parse_qsl(parts["query"] or "") if key not in _PUBLIC]
        values.append(unquote(parts["password"] or ""))
        return {form for value in values if value for form in (value, quote(value), quote(value, safe=""))}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A setting is written as text, and dumped as `str` shows it."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            cls,
            json_schema_input_schema=core_schema.str_schema(),
            serialization=core_schema.to_string_ser_schema(when_used="always"),
        )


def _parsed(text: str) -> tuple[str, str]:
    """Returns the URL as it is, and as it is shown. No error repeats the text, which may hold a password."""
    if "://" not in text and not text.startswith("sqlite:"):
        if _NO_PATH.search(text):
            raise _fault(f"the database is neither a path nor a URL; write {FORMS}; {SAFER}")
        text = f"sqlite:///{text}"
    if text.startswith("sqlite:"):
        return _sqlite(text)
    parts = _URL.fullmatch(text)
    if parts is None:
        raise _fault(
            f"the text is not a database URL; write {FORMS}, with @ : / ? # % in a password as %40 %3A %2F %3F %23 "
            f"%25, or {SAFER}"
        )
    if parts["scheme"].partition("+")[0] not in ("postgresql", "postgres"):
        raise _fault(f"database {parts['scheme']!r} is not supported; write {FORMS}")
    rest = text.partition("://")[2]
    public = [(key, value) for key, value in parse_qsl(parts["query"] or "") if key in _PUBLIC]
    port = f":{parts['port']}" if parts["port"] else ""
    name = "" if parts["name"] is None else f"/{parts['name']}"
    user = f"{parts['user']}@" if parts["user"] else ""
    query = f"?{urlencode(public)}" if public else ""
    server = "postgresql+psycopg://"
    return f"{server}{rest}", f"{server}{user}{parts['host']}{port}{name}{query}"


def _fault(message: str) -> InputError:
    from games import InputError  # imports `games`: a fifth of the time of `arena --help`

    return InputError(message)


def _sqlite(text: str) -> tuple[str, str]:
    start, slashes, path = text.partition("///")
    if not slashes:
        raise _fault("the URL of the SQLite file has too few slashes; write sqlite:///path/to/file.db")
    path, options, _ = path.partition("?")
    if options:
        raise _fault(
            "the URL of the SQLite file has options after `?`, and the store takes none; write sqlite:///path/to/file.db"
        )
    if start != "sqlite:" or not path or path == ":memory:":
        raise _fault("the URL names no file and the store is kept in one; write sqlite:///path/to/file.db")
    return f"sqlite:///{path}", f"sqlite:///{path}"


DEFAULT_DB = DatabaseUrl("sqlite:///runs/arena.db")
"""the store of a run whose file names none"""
