"""The results and episodes of matches that ended, each written once."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, Select, bindparam, delete, func, literal_column, select

from arena.match import Episode, decode
from arena.runner.packing import PackedEpisode
from games import InputError
from league.outcomes.outcome import RankDecision
from league.records.game_info import GameInfo
from league.records.leaderboard import MatchCounts
from league.records.matches import PlannedMatch, Result, to_json
from league.store import chain, columns, guard, journal, plans, schema
from league.store.dialect import UNREADABLE, DamagedRow, as_blob, check_depth, insert
from league.store.result_rows import record_of, results_of, row_of

Games = Mapping[str, GameInfo | None]
P, R, E, L = schema.plan.c, schema.results.c, schema.episodes.c, schema.leases.c
CHUNK = 500
"""the number of match ids in one statement"""
_AT_ONCE = 4000
"""the number of results whose outcomes are made again at once"""
COLUMNS = tuple(R[name] for name in Result.__struct_fields__)

# The statements of every commit, built once: building one takes longer than running it.
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_PLANNED = select(P.match, P.run, P.index).where(P.match.in_(_IDS))
_STORED = select(R.match).where(R.match.in_(_IDS))
_LAST = select(func.max(R.seq)).where(R.run == bindparam("run"))
# The columns of a result that its digest covers, in order; `chain.link` adds `seq` and the digest before it.
_COVERED = (
    R.match,
    R.index,
    R.round,
    R.pairing,
    R.game,
    R.seed,
    R.status,
    R.reason,
    R.seconds,
    R.seats,
    R.worker,
    R.transcript,
    R.task,
)
_COVERED_NAMES = tuple(column.name for column in _COVERED)
_PLAN = plans.COLUMNS
_LINKS = (
    select(R.seq, R.digest, R.ranks, *_PLAN, *_COVERED, E.data)
    .select_from(schema.results)
    .outerjoin(schema.plan, (P.run == R.run) & (P.index == R.index))
    .outerjoin(schema.episodes, E.match == R.match)
    .where(R.run == bindparam("run"), R.seq > bindparam("after"))
    .order_by(R.seq)
    .limit(bindparam("most"))
)
_PAIRED = select(*COLUMNS).where(
    R.run == bindparam("in_run"),
    R.index.between(bindparam("first"), bindparam("last")),
    R.pairing == bindparam("of"),
    R.game == bindparam("in_game"),
)
_DECIDE = schema.results.update().where(R.match == bindparam("of")).values(ranks=bindparam("new"))
_DROP_LEASES = delete(schema.leases).where(L.match.in_(_IDS))


class Packed(msgspec.Struct, frozen=True, gc=False):
    """A match that ended, ready to be written."""

    result: Result
    data: bytes
    """the episode's JSON, zlib"""
    row: dict[str, Any]
    """the result's columns but for its place in the log"""
    content: bytes
    """the digest of plan, result and episode for the chain"""


class Link(msgspec.Struct, frozen=True, gc=False):
    """A result as the chain covers it: the columns as they are stored."""

    seq: int
    digest: bytes
    plan: tuple[Any, ...]
    result: tuple[Any, ...]
    data: bytes | None
    ranks: Any
    """the outcome that the result completed, which the chain does not cover"""

    @property
    def match(self) -> str:
        """The id of the match."""
        return str(self.result[0])

    @property
    def content(self) -> bytes:
        """The digest of what is stored now."""
        return chain.content_digest(self.plan, self.result, self.data or b"")


def pack(entries: Iterable[tuple[PlannedMatch, Episode | PackedEpisode]]) -> list[Packed]:
    """Returns results and compressed episodes, made before the transaction. Raises ValueError for a mismatched pair."""
    packed = []
    for planned, ended in entries:
        if ended.match != planned.match.id:
            raise ValueError(f"the episode of match {ended.match} was given for match {planned.match.id}")
        read = guard.checked(planned, ended) if isinstance(ended, Episode) else guard.received(planned, ended)
        packed.append(_packed(planned, *read))
    return packed


def pack_refused(planned: PlannedMatch, ended: Episode | PackedEpisode, error: Exception) -> Packed:
    """Returns a void match in place of one that the database refuses."""
    episode = ended if isinstance(ended, Episode) else guard.unknown(planned.match)
    return _packed(planned, *guard.refused(planned, episode, error))


def _packed(planned: PlannedMatch, result: Result, data: bytes) -> Packed:
    row = row_of(result)
    plan = plans.row(planned)
    covered = [row[name] for name in _COVERED_NAMES]
    return Packed(result, data, row, chain.content_digest([plan[c.name] for c in _PLAN], covered, data))


def runs_of(connection: Connection, packed: Sequence[Packed]) -> dict[str, int]:
    """match id -> run. Raises ValueError for a match that is not planned, or planned at another index."""
    runs: dict[str, int] = {}
    where = {p.result.match: p.result.index for p in packed}
    for match, run, index in _in_chunks(connection, _PLANNED, list(where)):
        if where[match] != index:
            raise ValueError(f"match {match} is planned at {index}, its result says {where[match]}")
        runs[match] = run
    if missing := next((match for match in where if match not in runs), None):
        raise ValueError(f"match {missing} has a result but was never planned")
    return runs


def append(connection: Connection, run: int, packed: Sequence[Packed], games: Games) -> list[Result]:
    """Write those that have no result yet, numbered in this order, with the outcomes they complete; drop their leases.

    The caller holds the run, so numbers follow the order of commit. Returns the written results.
    """
    ids = [p.result.match for p in packed]
    stored = {match for (match,) in _in_chunks(connection, _STORED, ids)}
    new: dict[str, Packed] = {}
    for p in packed:
        if p.result.match not in stored:
            new.setdefault(p.result.match, p)
    last, segment = chain.newest(connection, run)
    seq, digest = last, segment.digest
    decision = RankDecision(games, _waiting(connection, run, [p.result for p in new.values()], games))
    written, rows, blobs = [], [], []
    for seq, p in enumerate(new.values(), last + 1):
        digest = chain.link(digest, segment.settings, seq, p.content)
        written.append(msgspec.structs.replace(p.result, seq=seq, ranks=decision.ranks(p.result)))
        rows.append(p.row | {"run": run, "seq": seq, "digest": digest, "ranks": to_json(written[-1].ranks)})
        blobs.append({"match": p.result.match, "data": p.data})
    if rows:
        insert(connection, schema.results, rows)
        insert(connection, schema.episodes, blobs)
        chain.move(connection, run, segment, seq, digest)
        journal.add(connection, run, "results", digest, written[0].seq, seq)
        if seq // columns.BLOCK > last // columns.BLOCK:
            columns.fill(connection, run, seq)
    for chunk in _chunks(ids):
        connection.execute(_DROP_LEASES, {"ids": chunk})
    return written


def _waiting(connection: Connection, run: int, new: Sequence[Result], games: Games) -> list[Result]:
    """Returns the stored results of the pairings that new ones leave incomplete, in games that are rated by pairing.

    The matches of a pairing follow each other in the plan (`plan_pairing`).
    """
    paired: dict[tuple[str, str], list[int]] = {}
    for result in new:
        if (info := games.get(result.game)) is not None and info.by_pairing:
            paired.setdefault((result.game, result.pairing), []).append(result.index)
    waiting: list[Result] = []
    for (game, pairing), places in paired.items():
        info = games[game]
        if info is not None and len(places) < info.size:
            around = {"first": places[0] - info.size, "last": places[0] + info.size}
            rows = connection.execute(_PAIRED, {**around, "in_run": run, "of": pairing, "in_game": game})
            waiting += results_of(tuple(row) for row in rows)
    return waiting


def decide_again(connection: Connection, run: int, games: Games) -> int:
    """Make the outcomes and blocks of a run again from its results. Returns how many rows differed."""
    decision, after, wrong = RankDecision(games), 0, 0
    while rows := _rows(connection, select(*COLUMNS).order_by(R.seq), run, after, _AT_ONCE):
        results = results_of((*row[:-1], "[]") for row in rows)  # what is stored may be damaged
        after = results[-1].seq
        right = [(result.match, to_json(decision.ranks(result))) for result in results]
        differing = [{"of": m, "new": text} for (m, text), row in zip(right, rows, strict=True) if text != row[-1]]
        if differing:
            connection.execute(_DECIDE, differing)
            wrong += len(differing)
    columns.renew(connection, run, after)
    return wrong


def last_seq(connection: Connection, run: int) -> int:
    """Returns the number of the run's newest result, 0 before the first."""
    return connection.execute(_LAST, {"run": run}).scalar() or 0


def read(connection: Connection, run: int, after_seq: int, most: int | None = None) -> list[Result]:
    """Returns the first `most` results after a number, in the order of commit."""
    return results_of(_rows(connection, select(*COLUMNS).order_by(R.seq), run, after_seq, most))


def read_in_plan_order(connection: Connection, run: int) -> list[Result]:
    """Returns all results, in the order of the plan."""
    return results_of(_rows(connection, select(*COLUMNS).order_by(R.index), run))


def _rows(
    connection: Connection, query: Select[Any], run: int, after_seq: int = 0, most: int | None = None
) -> list[Any]:
    """Returns the rows of a query about results from the driver, several times as fast as from SQLAlchemy."""
    query = query.where(R.run == literal_column(str(int(run))), R.seq > literal_column(str(int(after_seq))))
    driver = connection.connection.driver_connection
    assert driver is not None
    text = str(query.compile(dialect=connection.dialect)) + ("" if most is None else f" LIMIT {int(most)}")
    return list(driver.execute(text).fetchall())


def read_episodes(connection: Connection, run: int, after: int, n: int) -> list[tuple[Result, Episode]]:
    """Returns the next `n` matches that ended, in plan order, whose index is above `after`."""
    query = select(*COLUMNS, E.data).join(schema.episodes, E.match == R.match)
    query = query.where(R.run == run, R.index > after).order_by(R.index).limit(n)
    return [(record_of(row[:-1]), unpack(row[-1])) for row in connection.execute(query)]


def counts(connection: Connection, run: int, now: float, lease_seconds: float) -> MatchCounts:
    """Returns the counts of a run without `total`, which follows from the matchmaker."""
    planned = plans.next_round(connection, run)[1]  # a plan has no gap; to count 10 million rows reads gigabytes
    ended = last_seq(connection, run)  # numbers have no gap
    query = select(func.count()).select_from(schema.results).where(R.run == run, R.status == "void")
    void = connection.execute(query).scalar_one()
    return MatchCounts(planned, ended - void, void, plans.in_flight(connection, run, now, now + lease_seconds))


def find_match(connection: Connection, key: str, run: int | None) -> str:
    """Returns the match id meant by an id, by an index of the run, or by the start of an id. Raises InputError."""
    if connection.execute(select(P.match).where(P.match == key)).first():
        return key
    if run is not None and key.isdecimal() and len(key) < 10:
        at_index = select(P.match).where(P.run == run, P.index == int(key))
        if match := connection.execute(at_index).scalar():
            return str(match)
    starts = func.substr(P.match, 1, len(key)) == key
    matches = list(connection.execute(select(P.match).where(starts).order_by(P.match).limit(4)).scalars())
    if not key or not matches:
        last = connection.execute(select(func.max(P.index)).where(P.run == run)).scalar()
        places = "" if last is None else f", or a place in the plan from 0 to {last}"
        raise InputError(f"no match {key!r}; give an id, the start of one{places}")
    if len(matches) > 1:
        raise InputError(f"match {key!r} could be {', '.join(matches[:3])}; write more of it")
    return str(matches[0])


def episode(connection: Connection, match: str) -> Episode:
    """Returns the episode of a planned match. Raises InputError before the match has ended."""
    data = connection.execute(select(E.data).where(E.match == match)).scalar()
    if data is None:
        raise InputError(f"match {match} is planned but has not ended yet; `arena watch` follows a match in play")
    return unpack(data)


def planned_of(link: Link) -> PlannedMatch:
    """Returns the plan of a chained result. Raises an error of msgspec for a damaged one."""
    return plans.planned(link.plan)


def result_of(link: Link) -> Result:
    """Returns a chained result as a record. Raises an error of msgspec for a damaged one."""
    by_name = dict(zip(_COVERED_NAMES, link.result, strict=True)) | {"seq": link.seq, "ranks": link.ranks}
    return record_of([by_name[column.name] for column in COLUMNS])


def unpack(data: bytes) -> Episode:
    """Returns the episode in a compressed column. Raises DamagedRow."""
    try:
        episode = decode(guard.unpacked(data))
    except InputError:
        raise
    except (*UNREADABLE, zlib.error, ValueError, EOFError) as error:
        raise DamagedRow("an episode", error) from None
    check_depth("an episode", dict(episode.facts))
    return episode


def links(connection: Connection, run: int, after_seq: int, n: int) -> list[Link]:
    """Returns the next `n` results after a number, in the order of commit, with all that the chain covers of them.

    Raises DamagedRow for a number that is none.
    """
    rows, plan = connection.execute(_LINKS, {"run": run, "after": after_seq, "most": n}), len(_PLAN)
    return [
        Link(_seq(seq), as_blob(digest) or b"", tuple(row[:plan]), tuple(row[plan:-1]), as_blob(row[-1]), ranks)
        for seq, digest, ranks, *row in rows
    ]


def orphans(connection: Connection, run: int) -> int:
    """Returns the number of a run's episodes whose result was removed."""
    query = select(func.count()).select_from(schema.episodes).join(schema.plan, P.match == E.match)
    query = query.outerjoin(schema.results, R.match == E.match).where(P.run == run, R.match.is_(None))
    return connection.execute(query).scalar_one()


def _seq(value: object) -> int:
    if type(value) is not int:
        raise DamagedRow("the number of a result", "it has another type")
    return value


def _in_chunks(connection: Connection, query: Select[Any], ids: Sequence[str]) -> list[Sequence[Any]]:
    rows: list[Sequence[Any]] = []
    for chunk in _chunks(ids):
        rows += connection.execute(query, {"ids": chunk})
    return rows


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK))
