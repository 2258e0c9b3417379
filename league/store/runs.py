"""Runs: a name, the configuration it was started with, where it stands, and what was cached or said about it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import Connection, func, select

from arena.players.seeds import new_secret
from games import InputError, UnknownName
from league.store import chain, schema
from league.store.chain import FREE
from league.store.dialect import DamagedRow, upsert

RunStatus = Literal["running", "finished", "interrupted"]


class Run(msgspec.Struct, frozen=True):
    """One tournament or training in the store."""

    id: int
    name: str
    config: dict[str, Any]
    seed: int
    status: RunStatus
    created: str
    """UTC, ISO 8601"""


class Event(msgspec.Struct, frozen=True):
    """A line of a run's diary: a fault, a resume. `time` is in seconds since 1970."""

    seq: int
    time: float
    kind: str
    text: str


L = TypeVar("L")


def read_line(event: Event, type: type[L]) -> L:
    """What a line of the diary says, where it is JSON. Raises InputError."""
    try:
        return msgspec.json.decode(event.text, type=type)
    except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
        told = " ".join(str(error).split())
        raise InputError(f"line {event.seq} of the run's diary ({event.kind}) is damaged: {told}") from None


def find(connection: Connection, name: str | None, shown: str) -> Run:
    """The run of a name, or the newest. Raises InputError where there is none."""
    query = select(schema.runs).order_by(schema.runs.c.id.desc()).limit(1)
    row = connection.execute(query if name is None else query.where(schema.runs.c.name == name)).first()
    if row is not None:
        return _run(row)
    names = list(connection.execute(select(schema.runs.c.name).order_by(schema.runs.c.id)).scalars())
    if name is None or not names:
        raise InputError(f"{shown} holds no run yet; `arena tournament FILE.toml --db {shown}` starts one")
    raise UnknownName("run", name, names)


def secret(connection: Connection, run: int) -> bytes:
    """The run's secret. A run has none before it is asked for, and never another afterwards."""
    key = f"secret/{run}"
    found = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == key)).scalar()
    if found is None:
        found = new_secret().hex()
        connection.execute(schema.meta.insert(), {"key": key, "value": found})
    if not re.fullmatch("[0-9a-f]{64}", found):
        raise InputError(f"{key} in the store is damaged; it is 64 hexadecimal digits")
    return bytes.fromhex(found)


def all_runs(connection: Connection) -> list[Run]:
    """Every run, oldest first."""
    return [_run(row) for row in connection.execute(select(schema.runs).order_by(schema.runs.c.id))]


def existing(connection: Connection, name: str) -> Run | None:
    """The run of a name, if there is one."""
    row = connection.execute(select(schema.runs).where(schema.runs.c.name == name)).first()
    return None if row is None else _run(row)


def newest_id(connection: Connection) -> int | None:
    """The id of the newest run, if there is one."""
    return connection.execute(select(func.max(schema.runs.c.id))).scalar()


def to_json(config: Mapping[str, Any]) -> str:
    """A configuration as it is stored."""
    return msgspec.json.encode(config).decode()


def create(connection: Connection, name: str, config: Mapping[str, Any]) -> Run:
    """Insert a new run. Where `seed` is None one is drawn: a large one, that nobody finds by trying."""
    if config.get("seed", 0) is None:
        config = {**config, "seed": secrets.randbits(63)}
    row = {
        "name": name,
        "config": to_json(config),
        "seed": int(config.get("seed", 0)),
        "status": "running",
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    connection.execute(schema.runs.insert(), row)
    made = existing(connection, name)
    assert made is not None
    chain.start(connection, made.id, 0, chain.NOTHING, settings_digest(made))
    return made


def continue_with(connection: Connection, run: Run, config: Mapping[str, Any]) -> None:
    """Set the configuration of a run; the results to come are chained under it."""
    update(connection, run.id, config=to_json(config))
    chain.settle(connection, run.id, settings_digest(msgspec.structs.replace(run, config=dict(config))))


def settings_digest(run: Run) -> bytes:
    """What the chain covers of a run beside its results."""
    return chain.settings_digest(run.name, run.seed, run.created, run.config)


def update(connection: Connection, run: int, **values: Any) -> None:
    """Set columns of a run."""
    connection.execute(schema.runs.update().where(schema.runs.c.id == run).values(**values))


def continuation(run: Run, config: Mapping[str, Any], shown: str) -> dict[str, Any]:
    """The configuration to continue with: JSON of `config`. Raises InputError where it is another tournament.

    The keys in FREE may change, `rounds` may grow, a key that the stored configuration lacks is new, and a `seed` of
    None is the stored one.
    """
    new: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(config))
    if new.get("seed", 0) is None:
        new["seed"] = run.seed
    old = {key: value for key, value in run.config.items() if key not in FREE}
    changed = list(differences(old, {key: new[key] for key in new if key in old}))
    grown = new.get("rounds", 0)
    planned = old.get("rounds", 0)
    changed = [d for d in changed if not d.startswith("rounds ") or grown < planned]
    if changed:
        name = run.name
        if "training" in old:  # told in the words of the user's file, whose training keeps several runs
            name = name.removesuffix(".training").removesuffix(".gate")
            changed = [re.sub("^rounds ", "steps ", d).removeprefix("training.") for d in changed]
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        raise InputError(
            f"run {name!r} in {shown} was started with another configuration: {'; '.join(changed[:3])}{more}; "
            "change it back to continue that run, or give this one another name"
        )
    return new


def same_work(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two configurations of a run differ in nothing but what may change at any time."""
    return all(key in FREE or (key in old and old[key] == new[key]) for key in new)


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """What differs between two JSON values, one line each: `players.0.player was 'random', is 'solver'`."""
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
    """Write a line of the diary."""
    connection.execute(schema.events.insert(), {"run": run, "time": time, "kind": kind, "text": text})


def events(connection: Connection, run: int, after: int) -> list[Event]:
    """The diary after a line's number."""
    c = schema.events.c
    query = select(c.seq, c.time, c.kind, c.text).where(c.run == run, c.seq > after).order_by(c.seq)
    return [Event(*row) for row in connection.execute(query)]


def save_standings(connection: Connection, run: int, algorithm: str, upto_seq: int, data: bytes) -> None:
    """Replace the cached standings."""
    row = {"run": run, "algorithm": algorithm, "upto_seq": upto_seq, "data": data}
    upsert(connection, schema.standings_cache, [row])


def load_standings(connection: Connection, run: int, algorithm: str) -> tuple[bytes, int] | None:
    """The cached standings of an algorithm and the last seq in them."""
    c = schema.standings_cache.c
    row = connection.execute(select(c.data, c.upto_seq).where(c.run == run, c.algorithm == algorithm)).first()
    return None if row is None else (row[0].encode() if isinstance(row[0], str) else bytes(row[0]), int(row[1]))


def _run(row: Sequence[Any]) -> Run:
    id, name, config, seed, status, created = row
    try:
        settings = msgspec.json.decode(config)
    except (msgspec.MsgspecError, TypeError, UnicodeError) as error:
        raise DamagedRow(f"the settings of run {name!r}", error) from None
    if not isinstance(settings, dict):
        raise DamagedRow(f"the settings of run {name!r}", "they are no table")
    return Run(id, name, settings, seed, status, created)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
