"""The plan and its leases: matches are stored before they are played, then leased to one owner each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, Select, bindparam, delete, func, select
from sqlalchemy.exc import IntegrityError

from arena.match import MatchPlan
from games import InputError
from league.records.matches import PlannedMatch
from league.records.player_ref import PlayerRef
from league.store import journal, schema
from league.store.dialect import UNREADABLE, DamagedRow, upsert
from league.store.owners import is_dead

SLACK = 1.0
"""seconds by which a live lease may appear to end later than one made now"""

P, R, L = schema.plan.c, schema.results.c, schema.leases.c
COLUMNS = (P.index, P.round, P.pairing, P.match, P.game, P.seed, P.seats, P.task, P.opening, P.notes, P.refs)

_IN_RUN: BindParameter[int] = bindparam("in_run")
_TAKEN = select(func.count()).select_from(schema.leases).where(L.run == _IN_RUN, L.owner != "")
_RENEW = (
    schema.leases.update()
    .where(L.run == _IN_RUN, L.owner == bindparam("of_owner"))
    .values(until=bindparam("new_until"))
)
_OPEN = (
    select(*COLUMNS, L.owner, L.attempt, L.until)
    .select_from(schema.plan)
    .outerjoin(schema.results, R.match == P.match)
    .outerjoin(schema.leases, L.match == P.match)
    .where(P.run == _IN_RUN, P.index >= bindparam("floor"), R.match.is_(None))
    .order_by(P.index)
    .limit(bindparam("most"))
)

_seats = msgspec.json.Decoder(dict[str, str])
_notes = msgspec.json.Decoder(dict[str, tuple[str, ...]])
_refs = msgspec.json.Decoder(dict[str, PlayerRef])


def add(connection: Connection, run: int, name: str, matches: Sequence[PlannedMatch]) -> int:
    """Append matches to the plan; those already in it must be the same. Returns how many were new."""
    if not matches:
        return 0
    matches = sorted(matches, key=lambda m: m.index)
    have = {m.index: m for m in _read(connection, _select(run).where(P.index >= matches[0].index))}
    size = connection.execute(select(func.count()).select_from(schema.plan).where(P.run == run)).scalar_one()
    rows: list[dict[str, Any]] = []
    for new in matches:
        old = have.get(new.index)
        if old is None:
            if new.index != size + len(rows):
                raise ValueError(f"the plan of run {name!r} would jump from {size + len(rows)} to {new.index}")
            rows.append({"run": run, **row(new)})
        elif row(old) != row(new):
            raise InputError(
                f"match {new.index} of run {name!r} is planned already and differs ({old.match.id}, now "
                f"{new.match.id}): a plan never changes; start a run under another name"
            )
    if rows:
        _insert(connection, name, rows)
        journal.append(connection, run, "plan", rows)
    return len(rows)


def read(connection: Connection, run: int) -> list[PlannedMatch]:
    """Returns the plan, in its order."""
    return list(_read(connection, _select(run)))


def next_round(connection: Connection, run: int) -> tuple[int, int]:
    """Returns one more than the round and the index of the plan's last match; 0, 0 where nothing is planned."""
    last = connection.execute(select(P.round, P.index).where(P.run == run).order_by(P.index.desc()).limit(1)).first()
    return (last[0] + 1, last[1] + 1) if last is not None else (0, 0)


def first_open_round(connection: Connection, run: int) -> tuple[int, int]:
    """Returns the first round of which no match was ever leased or ended, and the index of its first match.

    A change of the players begins with it. The round may not be planned yet.
    """
    leased = select(func.max(P.index)).join_from(schema.plan, schema.leases, L.match == P.match).where(P.run == run)
    ended = select(func.max(R.index)).where(R.run == run)
    last = max((i for i in (connection.execute(q).scalar() for q in (leased, ended)) if i is not None), default=None)
    if last is None:
        return 0, 0
    round = connection.execute(select(P.round).where(P.run == run, P.index == last)).scalar_one()
    later = connection.execute(select(func.min(P.index)).where(P.run == run, P.round > round)).scalar()
    return round + 1, next_round(connection, run)[1] if later is None else later


def cut(connection: Connection, run: int, index: int) -> None:
    """Remove the matches from an index on, which `first_open_round` returned: nobody has seen them yet."""
    connection.execute(delete(schema.plan).where(P.run == run, P.index >= index))
    journal.extend(connection, run, "plan", 0)


def unfinished(connection: Connection, run: int, owner: str) -> int:
    """Planned matches without a result that an owner does not hold."""
    planned = next_round(connection, run)[1]
    ended = connection.execute(select(func.count()).select_from(schema.results).where(R.run == run)).scalar_one()
    leases = select(func.count()).select_from(schema.leases).where(L.run == run, L.owner == owner)
    return planned - ended - int(connection.execute(leases).scalar_one())


def lease(
    connection: Connection, run: int, owner: str, n: int, *, floor: int, now: float, until: float
) -> tuple[list[tuple[PlannedMatch, int]], int]:
    """Lease the first `n` matches without a result or a live lease; return them with their attempt number, and a floor.

    A lease is alive until its expiry, unless the expiry is later than `until`: then a clock was set back, and a living
    owner would have renewed it. Leases of a process that died on this machine are not alive. All matches below `floor`
    have a result, so a long finished plan is not read again. The owner's own leases are renewed, never handed out
    twice.
    """
    renew(connection, run, owner, until)
    most = n + connection.execute(_TAKEN, {"in_run": run}).scalar_one()
    open_matches = connection.execute(_OPEN, {"in_run": run, "floor": floor, "most": most}).all()
    floor = open_matches[0][0] if open_matches else floor
    leased: list[tuple[PlannedMatch, int]] = []
    rows: list[dict[str, Any]] = []
    for *columns, holder, attempt, expires in open_matches:
        alive = holder and now < expires <= until + SLACK and not is_dead(holder)
        if len(leased) < n and not (holder and holder == owner) and not alive:
            leased.append((planned(columns), (attempt or 0) + 1))
            rows.append({"match": columns[3], "run": run, "owner": owner, "attempt": leased[-1][1], "until": until})
    upsert(connection, schema.leases, rows)
    return leased, floor


def free(
    connection: Connection, run: int, *, owner: str | None = None, now: float | None = None, until: float = 0.0
) -> int:
    """Release leases: of one owner, those not alive `now` (see `lease`), or all. Returns their number."""
    which = (L.run == run) & (L.owner != "")
    if owner is not None:
        which &= L.owner == owner
    if now is not None:
        dead = [holder for holder in _holders(connection, run, now, until) if is_dead(holder)]
        which &= (L.until <= now) | (L.until > until + SLACK) | L.owner.in_(dead)
    return connection.execute(schema.leases.update().where(which).values(owner="", until=0.0)).rowcount


def renew(connection: Connection, run: int, owner: str, until: float) -> int:
    """Keep an owner's leases alive. Returns how many it holds."""
    values = {"in_run": run, "of_owner": owner, "new_until": until}
    return connection.execute(_RENEW, values).rowcount


def in_flight(connection: Connection, run: int, now: float, until: float) -> int:
    """Return the number of matches with a live lease: see `lease`."""
    return sum(n for holder, n in _holders(connection, run, now, until).items() if not is_dead(holder))


def _holders(connection: Connection, run: int, now: float, until: float) -> dict[str, int]:
    """Return the owners of unexpired leases, and the number of leases of each."""
    query = select(L.owner, func.count()).where(L.run == run, L.owner != "", L.until > now, L.until <= until + SLACK)
    return {owner: int(n) for owner, n in connection.execute(query.group_by(L.owner))}


def _select(run: int) -> Select[Any]:
    return select(*COLUMNS).where(P.run == run).order_by(P.index)


def _read(connection: Connection, query: Select[Any]) -> Iterator[PlannedMatch]:
    return (planned(row) for row in connection.execute(query))


def planned(row: Sequence[Any]) -> PlannedMatch:
    """Returns the columns of COLUMNS as a record. Raises DamagedRow."""
    index, round, pairing, match, game, seed, seats, task, opening, notes, refs = row
    try:
        seated = _seats.decode(seats)
        notes_of = _notes.decode(notes) if notes else {}
        meant = _refs.decode(refs) if refs else {}
    except UNREADABLE as error:
        raise DamagedRow(f"seats, notes or players of match {match} in the plan", error) from None
    if not type(index) is type(round) is type(seed) is int:
        raise DamagedRow(f"a number of match {match} in the plan", "it is none")
    return PlannedMatch(index, round, pairing, MatchPlan(match, game, seed, seated, task, opening, notes_of), meant)


def row(planned: PlannedMatch) -> dict[str, Any]:
    """Returns a planned match as the row of its table, without the run. Raises ValueError for a seed over 64 bits."""
    match = planned.match
    if not -(1 << 63) <= match.seed < 1 << 63:
        raise ValueError(f"seed {match.seed} of match {match.id} does not fit into 64 bits")
    return {
        "index": planned.index,
        "round": planned.round,
        "pairing": planned.pairing,
        "match": match.id,
        "game": match.game,
        "seed": match.seed,
        "seats": msgspec.json.encode(match.seats).decode(),
        "task": match.task,
        "opening": match.opening,
        "notes": msgspec.json.encode(match.notes).decode() if match.notes else "",
        "refs": msgspec.json.encode(planned.refs).decode() if planned.refs else "",
    }


def _insert(connection: Connection, name: str, rows: list[dict[str, Any]]) -> None:
    try:
        connection.execute(schema.plan.insert(), rows)
    except IntegrityError:
        raise InputError(
            f"a match id in the plan of run {name!r} is taken already, and ids must be unique; the store may hold "
            "these matches under the name of another run: give this one another name"
        ) from None
