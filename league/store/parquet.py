"""A run as a Parquet table: one row per turn, with the tokens a model read and wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, BinaryIO

from arena.match import Decision, Episode
from games import MissingPackage
from league.records.matches import Result

if TYPE_CHECKING:
    from league.store.runs import Run
    from league.store.store import Store

Chats = Callable[[Episode], Sequence[Sequence[Mapping[str, Any]] | None]]
"""an episode -> the chat of each of its turns, and of the turn of a forfeit"""
ROWS = 4096
"""rows in a row group"""


def write_parquet(store: Store, run: Run, file: BinaryIO, chats: Chats | None = None) -> int:
    """Write one row per turn and return the number of matches. `chats` adds the column `messages`.

    A turn that ended the match, by a forfeit or void, adds a row with a null action if it has failed attempts. A
    match without turns has one row with a null turn.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingPackage("parquet", "pyarrow", "'selfplay-arena[parquet]'") from None
    schema = _schema(pa, messages=chats is not None)
    rows: list[dict[str, Any]] = []
    matches = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for result, episode in store.episodes(run):
            matches += 1
            rows += _with_messages(_rows(result, episode), chats(episode)) if chats else _rows(result, episode)
            if len(rows) >= ROWS:
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))
                rows = []
        writer.write_table(pa.Table.from_pylist(rows, schema=schema))
    return matches


def _with_messages(rows: Iterable[dict[str, Any]], chats: Sequence[object]) -> Iterator[dict[str, Any]]:
    """Yields rows of turns with their chats; a match without turns has none."""
    for row, chat in zip_longest(rows, chats):
        yield row | {"messages": chat}


def _schema(pa: Any, *, messages: bool = False) -> Any:
    text, number, real, tokens = pa.string(), pa.int32(), pa.float64(), pa.list_(pa.int32())
    columns = dict.fromkeys(("match", "pairing", "game", "status", "reason", "worker"), text)
    columns |= {"index": number, "round": number, "seed": pa.int64(), "turn": number}
    columns |= dict.fromkeys(("seat", "role", "phase", "player", "action", "category", "text"), text)
    columns |= {"score": real, "attempts": number, "latency": real}
    columns |= dict.fromkeys(("trainable", "substituted", "opening"), pa.bool_())
    columns |= {"prompt_ids": tokens, "completion_ids": tokens, "logprobs": pa.list_(real)}
    columns |= {"policy": text, "version": number}
    if messages:
        columns["messages"] = pa.list_(pa.struct([("role", text), ("content", text)]))
    return pa.schema(list(columns.items()))


def _rows(result: Result, episode: Episode) -> Iterator[dict[str, Any]]:
    match = {name: getattr(result, name) for name in ("match", "pairing", "game", "status", "reason", "worker")}
    match |= {"index": result.index, "round": result.round, "seed": result.seed}
    for i, turn in enumerate(episode.turns):
        yield match | {
            "turn": i,
            **{name: getattr(turn, name) for name in ("seat", "role", "phase", "player", "action")},
            **{name: getattr(turn, name) for name in ("latency", "trainable", "substituted", "opening")},
            "score": episode.returns.get(turn.seat),
            **_attempts(turn.attempts),
        }
    if episode.failure:
        seat = episode.offender
        place = {"phase": episode.last_phase, "seat": seat, "role": episode.roles[seat], "player": episode.seats[seat]}
        score = {"score": episode.returns.get(seat)}
        yield match | {"turn": len(episode.turns)} | place | score | _attempts(episode.failure)
    elif not episode.turns:
        yield match


def _attempts(attempts: tuple[Decision, ...]) -> dict[str, Any]:
    if not attempts:
        return {"attempts": 0}
    last = attempts[-1]
    row: dict[str, Any] = {"attempts": len(attempts), "category": last.category, "text": last.text}
    if last.sample is not None:
        names = ("prompt_ids", "completion_ids", "logprobs", "policy", "version")
        row |= {name: getattr(last.sample, name) for name in names}
    return row
