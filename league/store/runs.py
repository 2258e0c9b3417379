"""Runs: name, settings, status, cached standings and events."""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec
from sqlalchemy import Connection, func, select

from arena.players.seeds import new_secret
from games import InputError, UnknownName
from games.sanitize import hidden
from league.records.run_spec import RunKind, RunSpec
from league.store import chain, journal, schema
from league.store.chain import FREE
from league.store.dialect import PLACE, UNREADABLE, DamagedRow, as_blob, check_depth, upsert
from league.store.paths import from_store

RunStatus = Literal["running", "finished", "interrupted"]


class Run(msgspec.Struct, frozen=True, dict=True):
    """One tournament or training in the store."""

    id: int
    name: str
    kind: RunKind
    parent: str
    """the training that a record or a gate belongs to"""
    settings: dict[str, Any]
    """as stored, with kind and parent unless it is a tournament; code reads `spec`"""
    seed: int
    status: RunStatus
    created: str
    """UTC, ISO 8601"""
    place: Path | None = None
    """the folder of the database's file; None for a server"""

    @cached_property
    def spec(self) -> RunSpec:
        """The run's settings with absolute paths, decoded once. Raises InputError that names a damaged one."""
        return RunSpec.from_json(self.name, self.seed, from_store(self.settings, self.place))


class Event(msgspec.Struct, frozen=True):
    """An event of a run, such as a fault or a resume. `time` is in seconds since 1970."""

    seq: int
    time: float
    kind: str
    text: str


L = TypeVar("L")


def read_line(event: Event, type: type[L]) -> L:
    """Decode the JSON of an event. Raises InputError."""
    try:
        return msgspec.json.decode(event.text, type=type)
    except UNREADABLE as error:
        text = " ".join(str(error).split())
        raise InputError(f"event {event.seq} of the run ({event.kind}) is damaged: {text}") from None


def find(connection: Connection, name: str | None, label: str) -> Run:
    """Returns the run of a name, or the newest. Raises InputError if there is none."""
    query = select(schema.runs).order_by(schema.runs.c.id.desc()).limit(1)
    row = connection.execute(query if name is None else query.where(schema.runs.c.name == name)).first()
    if row is not None:
        return _run(connection, row)
    names = list(connection.execute(select(schema.runs.c.name).order_by(schema.runs.c.id)).scalars())
    if name is None or not names:
        raise InputError(f"{label} holds no run yet; `arena tournament FILE.toml --db {label}` starts one")
    raise UnknownName("run", name, names)


def secret(connection: Connection, run: int) -> bytes:
    """Returns the run's secret, which the first call creates."""
    key = f"secret/{run}"
    digits = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == key)).scalar()
    if digits is None:
        digits = new_secret().hex()
        connection.execute(schema.meta.insert(), {"key": key, "value": digits})
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise InputError(f"{key} in the store is damaged; it is 64 hexadecimal digits")
    return bytes.fromhex(digits)


def all_runs(connection: Connection, kind: RunKind | None = None) -> list[Run]:
    """Returns every run, or those of a kind, oldest first."""
    query = select(schema.runs).order_by(schema.runs.c.id)
    return [_run(connection, row) for row in connection.execute(query if kind is None else query.filter_by(kind=kind))]


def changes(run: Run) -> int:
    """Returns the number of changes of its players and games."""
    return len(run.settings.get("changes", ()))


def existing(connection: Connection, name: str) -> Run | None:
    """Returns the run of a name, or None."""
    row = connection.execute(select(schema.runs).where(schema.runs.c.name == name)).first()
    return None if row is None else _run(connection, row)


def by_id(connection: Connection, run: int) -> Run:
    """Returns the run with an id."""
    return _run(connection, connection.execute(select(schema.runs).where(schema.runs.c.id == run)).one())


def newest_id(connection: Connection) -> int | None:
    """Returns the id of the newest run, or None."""
    return connection.execute(select(func.max(schema.runs.c.id))).scalar()


_COLUMNS: Mapping[str, RunKind | str] = {"kind": "tournament", "parent": ""}
"""settings that are columns of the table, with their defaults"""


def to_json(config: Mapping[str, Any]) -> str:
    """Returns the stored form of settings. Kind and parent are columns."""
    return msgspec.json.encode({key: config[key] for key in config if key not in _COLUMNS}).decode()


def create(connection: Connection, name: str, config: Mapping[str, Any]) -> Run:
    """Insert a new run. A `seed` of None is replaced by a random one, too large to be found by trying."""
    if config.get("seed", 0) is None:
        config = {**config, "seed": secrets.randbits(63)}
    row = {
        "name": name,
        **{key: config.get(key, default) for key, default in _COLUMNS.items()},
        "config": to_json(config),
        "seed": int(config.get("seed", 0)),
        "status": "running",
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    connection.execute(schema.runs.insert(), row)
    made = existing(connection, name)
    assert made is not None
    chain.start(connection, made.id, 0, chain.NOTHING, settings_digest(made))
    journal.begin(connection, made.id)
    return made


def continue_with(connection: Connection, run: Run, config: Mapping[str, Any]) -> None:
    """Set the settings of a run; the chain covers future results with them."""
    connection.execute(schema.runs.update().where(schema.runs.c.id == run.id).values(config=to_json(config)))
    journal.add(connection, run.id, "settings", journal.settings(connection, run.id))
    chain.settle(connection, run.id, settings_digest(msgspec.structs.replace(run, settings=dict(config))))


def settings_digest(run: Run) -> bytes:
    """Returns the digest of a run's settings for the chain."""
    return chain.settings_digest(run.name, run.seed, run.created, run.settings)


def set_status(connection: Connection, run: int, status: RunStatus) -> None:
    """Set the status of a run."""
    connection.execute(schema.runs.update().where(schema.runs.c.id == run).values(status=status))
    journal.add(connection, run, "status", journal.status(connection, run))


def continuation(run: Run, settings: Mapping[str, Any], label: str) -> dict[str, Any]:
    """Returns the JSON of the settings to continue with. Raises InputError if they belong to another run.

    The keys in FREE may change, `rounds` may grow, top-level keys that the stored settings lack may be added, and a
    `seed` of None stands for the stored one.
    """
    new: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(settings))
    if "games" in new:  # resolved settings
        refuse_other_run(run, new.get("kind", "tournament"), new.get("parent", ""), label)
    if new.get("seed", 0) is None:
        new["seed"] = run.seed
    old = {key: value for key, value in run.settings.items() if key not in FREE}
    changed = list(differences(old, {key: new[key] for key in new if key in old}))
    shrunk = _rounds(new) < _rounds(old)
    changed = [d for d in changed if not d.startswith("rounds ") or shrunk]
    if changed:
        name = run.name
        if "training" in old:  # name the keys of the training's file; it stores several runs
            name = run.parent or name
            changed = [re.sub("^rounds ", "steps ", d).removeprefix("training.") for d in changed]
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise InputError(
            f"run {name!r} in {label} was started with another configuration: {'; '.join(changed[:3])}{more}; "
            "change it back to continue that run, or give this one another name"
        )
    return new


def refuse_other_run(run: Run, kind: str, parent: str, label: str) -> None:
    """Raises InputError unless a stored run is of this kind and belongs to this training, if to any."""
    if "games" not in run.settings or (run.kind, run.parent) == (kind, parent):
        return
    what = f"the {run.kind} of training {run.parent!r}" if run.parent else f"a {run.kind}"
    obstacle = f"the {kind} of training {parent!r} would have the same name" if parent else f"this is a {kind}"
    raise InputError(f"{label} has a run {run.name!r} already, {what}; {obstacle}: set another name")


def _rounds(settings: Mapping[str, Any]) -> float:
    rounds = settings.get("rounds", 0)
    return math.inf if rounds == "forever" else rounds


def same_work(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Returns whether two settings of a run differ only in keys that may change at any time."""
    return all(key in FREE or (key in old and old[key] == new[key]) for key in new)


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Yields what differs between two JSON values, one line each: `players.0.player was 'random', is 'solver'`."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(k for k in new if k not in old)]:
            path = f"{where}.{key}" if where else str(key)
            if key not in new:
                yield f"{path} was {_short(old[key])}, is missing"
            elif key not in old:
                yield f"{path} is new: {_short(new[key])}"
            else:
                yield from differences(old[key], new[key], path)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, f"{where}.{i}")
    elif isinstance(old, list) and isinstance(new, list):
        yield f"{where} had {len(old)} entries, has {len(new)}"
    elif old != new:
        yield f"{where} was {_short(old)}, is {_short(new)}"


def add_event(connection: Connection, run: int, kind: str, text: str, time: float) -> None:
    """Add an event."""
    row: dict[str, Any] = {"run": run, "time": time, "kind": kind, "text": text}
    (seq,) = connection.execute(schema.events.insert(), row).inserted_primary_key or (0,)
    journal.append(connection, run, "events", [row | {"seq": seq}])


def events(connection: Connection, run: int, after: int) -> list[Event]:
    """Returns the events with a higher `seq`."""
    c = schema.events.c
    query = select(c.seq, c.time, c.kind, c.text).where(c.run == run, c.seq > after).order_by(c.seq)
    return [Event(*row) for row in connection.execute(query)]


def save_standings(connection: Connection, run: int, algorithm: str, upto_seq: int, data: bytes) -> None:
    """Replace the cached standings."""
    row = {"run": run, "algorithm": algorithm, "upto_seq": upto_seq, "data": data}
    upsert(connection, schema.standings_cache, [row])


def load_standings(connection: Connection, run: int, algorithm: str) -> tuple[bytes, int] | None:
    """Returns the cached standings of an algorithm and the last seq in them."""
    c = schema.standings_cache.c
    row = connection.execute(select(c.data, c.upto_seq).where(c.run == run, c.algorithm == algorithm)).first()
    if row is None or type(row[1]) is not int:  # a cache that somebody edited is no cache
        return None
    return as_blob(row[0]) or b"", row[1]


def _run(connection: Connection, row: Sequence[Any]) -> Run:
    id, name, kind, parent, config, seed, status, created = row
    try:
        settings = msgspec.json.decode(config)
    except UNREADABLE as error:
        raise DamagedRow(f"the settings of run {name!r}", error) from None
    check_depth(f"the settings of run {name!r}", settings)
    if not isinstance(settings, dict):
        raise DamagedRow(f"the settings of run {name!r}", "they are not a table")
    if set(map(type, (name, parent, status, created))) != {str} or type(seed) is not int:
        raise DamagedRow(f"name, parent, status, date or seed of run {name!r}", "one has another type")
    for what, text in (("name", name), ("training", parent)):
        if unseen := hidden(text):  # a line break, for example, would forge a line of a report
            raise DamagedRow(f"the {what} of run {name!r}", f"it contains the character {unseen}")
    if not _is_time(created):
        raise DamagedRow(f"the date of run {name!r}", f"{created!r:.40} is no time with its zone")
    for what, value, allowed in (("status", status, get_args(RunStatus)), ("kind", kind, get_args(RunKind))):
        if value not in allowed:
            raise DamagedRow(f"the {what} of run {name!r}", f"{value!r} is none of {', '.join(allowed)}")
    columns = zip(_COLUMNS.items(), (kind, parent), strict=True)
    settings |= {key: value for (key, default), value in columns if value != default}
    return Run(id, name, kind, parent, settings, seed, status, created, connection.get_execution_options().get(PLACE))


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
