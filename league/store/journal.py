"""The journal of a run: one hash chain over its settings, status, plan, results, events, tasks and trials.

Each transaction that changes one of them appends an entry, which covers the rows from `first` to `last` as they are
then. A later entry of a kind replaces what earlier ones cover from its `first` on, so that a plan can be cut and tasks
of lost steps removed. The journal is not a secret: whoever can write to the database can make it again. Machines that
read a run remember its length and head: see `league.trust.witness`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from league.store import schema
from league.store.dialect import as_blob, insert

J = schema.journal.c
NOTHING = bytes(32)
"""the digest before the first entry"""

_LAST = select(J.n, J.digest).where(J.run == bindparam("of_run")).order_by(J.n.desc()).limit(1)


class JournalEntry(msgspec.Struct, frozen=True):
    """One entry of a journal."""

    n: int
    kind: str
    first: int
    last: int
    content: bytes
    digest: bytes

    def follows(self, before: bytes) -> bool:
        """Returns whether the digest is right, given the digest of the entry before."""
        return self.digest == _link(before, self.n, self.kind, self.first, self.last, self.content)


class JournalHead(msgspec.Struct, frozen=True):
    """The length of a journal and the digest of its last entry."""

    length: int
    digest: bytes


def _link(before: bytes, n: int, kind: str, first: int, last: int, content: bytes) -> bytes:
    return hashlib.sha256(before + msgspec.json.encode([n, kind, first, last, content.hex()])).digest()


def digest_of(rows: Any) -> bytes:
    """Returns the digest of rows, given as a list of columns each."""
    # `repr` writes a blob that an edit left in a column of text
    return hashlib.sha256(msgspec.json.encode(rows, enc_hook=repr)).digest()


def head(connection: Connection, run: int) -> JournalHead:
    """Returns the head of a run's journal."""
    row = connection.execute(_LAST, {"of_run": run}).first()
    return JournalHead(0, NOTHING) if row is None else JournalHead(row[0], as_blob(row[1]) or b"")


def add(connection: Connection, run: int, kind: str, content: bytes, first: int = 0, last: int = 0) -> None:
    """Append an entry. The caller holds the run."""
    before = head(connection, run)
    n = before.length + 1
    digest = _link(before.digest, n, kind, first, last, content)
    row = {"run": run, "n": n, "kind": kind, "first": first, "last": last, "content": content, "digest": digest}
    insert(connection, schema.journal, [row])


def entries(connection: Connection, run: int) -> list[JournalEntry]:
    """Returns every entry of a run, in order."""
    query = select(J.n, J.kind, J.first, J.last, J.content, J.digest).where(J.run == run).order_by(J.n)
    rows = connection.execute(query)
    return [
        JournalEntry(n, kind, a, b, as_blob(content) or b"", as_blob(end) or b"")
        for n, kind, a, b, content, end in rows
    ]


def digest_at(connection: Connection, run: int, n: int) -> bytes:
    """Returns the digest of an entry; empty without such an entry."""
    return as_blob(connection.execute(select(J.digest).where(J.run == run, J.n == n)).scalar()) or b""


# -- what the kinds cover ------------------------------------------------------------------------------------------


def settings(connection: Connection, run: int) -> bytes:
    """Returns the digest of the row of a run, but for its status."""
    r = schema.runs.c
    row = connection.execute(select(r.name, r.kind, r.parent, r.config, r.seed, r.created).where(r.id == run)).one()
    store = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "id")).scalar()
    return digest_of([store, *row])


def status(connection: Connection, run: int) -> bytes:
    """Returns the digest of the status of a run."""
    return digest_of([connection.execute(select(schema.runs.c.status).where(schema.runs.c.id == run)).scalar()])


def results(connection: Connection, run: int, first: int, last: int) -> bytes:
    """Returns the digest of the last of some results, which covers all before it: see `league.store.chain`."""
    r = schema.results.c
    return as_blob(connection.execute(select(r.digest).where(r.run == run, r.seq == last)).scalar()) or b""


def plan(connection: Connection, run: int, first: int, last: int) -> bytes:
    """Returns the digest of a part of the plan."""
    return _range(connection, schema.plan, "index", run, first, last)


def events(connection: Connection, run: int, first: int, last: int) -> bytes:
    """Returns the digest of some events."""
    return _range(connection, schema.events, "seq", run, first, last)


def tasks(connection: Connection, run: int, first: int, last: int) -> bytes:
    """Returns the digest of some tasks of the pool."""
    return _range(connection, schema.tasks, "index", run, first, last)


def trials(connection: Connection, run: int, first: int, last: int) -> bytes:
    """Returns the digest of some trials, counted from 0 in the order of steps and of places in a step."""
    t = schema.task_trials
    query = select(t).where(t.c.run == run).order_by(t.c.step, t.c.place, t.c.index, t.c.match)
    rows = connection.execute(query.offset(first).limit(last - first + 1))
    return digest_of([list(row) for row in rows])


def _range(connection: Connection, table: Any, key: str, run: int, first: int, last: int) -> bytes:
    c = table.c[key]
    rows = connection.execute(select(table).where(table.c.run == run, c >= first, c <= last).order_by(c))
    return digest_of([list(row) for row in rows])


Cover = Callable[[Connection, int, int, int], bytes]
TABLES: Mapping[str, tuple[Any, str, Cover]] = {
    "plan": (schema.plan, "index", plan),
    "results": (schema.results, "seq", results),
    "events": (schema.events, "seq", events),
    "tasks": (schema.tasks, "index", tasks),
    "trials": (schema.task_trials, "", trials),
}
"""kind -> its table, the column that `first` and `last` are of ("": the place in order), and the digest of a part"""


def last_of(connection: Connection, run: int, kind: str) -> int:
    """Returns the last key of a table that has rows of a run; -1 without any."""
    table, key, _ = TABLES[kind]
    if not key:
        return int(connection.execute(select(func.count()).where(table.c.run == run)).scalar_one()) - 1
    last = connection.execute(select(func.max(table.c[key])).where(table.c.run == run)).scalar()
    return -1 if last is None else last


def extend(connection: Connection, run: int, kind: str, first: int) -> None:
    """Append an entry for the rows from `first` on."""
    last = last_of(connection, run, kind)
    add(connection, run, kind, TABLES[kind][2](connection, run, first, last), first, last)


def append(connection: Connection, run: int, kind: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Append an entry for rows that were inserted, in the order of their keys; saves reading them again."""
    table, key, _ = TABLES[kind]
    content = digest_of([[row[c.name] for c in table.columns] for row in rows])
    add(connection, run, kind, content, rows[0][key], rows[-1][key])


def begin(connection: Connection, run: int) -> None:
    """Append the first entries of a run, also of one that is older than the journal."""
    add(connection, run, "settings", settings(connection, run))
    add(connection, run, "status", status(connection, run))
    for kind in TABLES:
        if last_of(connection, run, kind) >= 0:
            extend(connection, run, kind, 0)


# -- verifying -----------------------------------------------------------------------------------------------------


def faults(connection: Connection, run: int) -> Iterator[str]:
    """Describe each difference between a run's journal and its tables."""
    before, covers = NOTHING, dict[str, list[JournalEntry]]()
    for i, entry in enumerate(entries(connection, run), 1):
        if entry.n != i:
            yield f"entry {i:,} of the journal is missing"
            return
        if not entry.follows(before):
            yield f"entry {entry.n:,} of the journal ({entry.kind:.20}) does not fit its digest: changed or moved"
            return
        before = entry.digest
        covers[entry.kind] = [e for e in covers.get(entry.kind, ()) if e.first < entry.first] + [entry]
    if not covers:
        yield "the journal of the run was removed"
        return
    for kind, now in (("settings", settings(connection, run)), ("status", status(connection, run))):
        if kind not in covers or covers[kind][-1].content != now:
            yield f"the {kind} of the run {'were' if kind == 'settings' else 'was'} changed by another program"
    for kind in TABLES:
        yield from _uncovered(connection, run, kind, covers.get(kind, []))


def _uncovered(connection: Connection, run: int, kind: str, covers: list[JournalEntry]) -> Iterator[str]:
    _, _, cover = TABLES[kind]
    for entry in covers:
        if entry.last >= entry.first and cover(connection, run, entry.first, entry.last) != entry.content:
            yield f"{kind} {entry.first:,} to {entry.last:,} are not those that were written"
    newest, covered = last_of(connection, run, kind), covers[-1].last if covers else -1
    if newest > covered:
        yield f"{kind} after {covered:,} were added by another program"
    elif newest < covered:
        yield f"{kind} after {newest:,} were removed"
