"""Exports of the log: JSON lines (everything), PGN (for reading), Parquet (one row per turn)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from arena.match import encode
from arena.terminal import answers
from games import InputError, UnknownName
from games.sanitize import printable_json
from league.store.pgn import pgn
from league.store.runs import Run
from league.store.store import Store

if TYPE_CHECKING:
    from league.store.parquet import Chats

FORMATS = ("jsonl", "pgn", "parquet")


def export(store: Store, run: Run, format: str, out: str | Path = "-", chats: Chats | None = None) -> int:
    """Write all finished matches of a run in plan order and return their number.

    `format` is jsonl, pgn or parquet; `out` is a path, or "-" for standard output. A file appears only when complete.
    `chats` gives the chat of each turn of an episode, for parquet.
    Raises InputError for an unusable format or path, MissingPackage for parquet without pyarrow.
    """
    if format not in FORMATS:
        raise UnknownName("export format", format, FORMATS)
    write: Callable[[Store, Run, BinaryIO], int]
    if format == "parquet":
        from league.store.parquet import write_parquet

        write = partial(write_parquet, chats=chats)

        if str(out) == "-":
            raise InputError("parquet is a binary format; name a file: --out matches.parquet")
    else:
        write = _write_jsonl if format == "jsonl" else _write_pgn
    if str(out) == "-":
        return write(store, run, answers().buffer)
    with whole_file(Path(out)) as file:
        return write(store, run, file)


def _write_jsonl(store: Store, run: Run, file: BinaryIO) -> int:
    """Write one episode per line, as stored; `arena.match.decode` reads it. Invisible characters are escaped."""
    n = 0
    for _, episode in store.episodes(run):
        file.write(printable_json(encode(episode).decode()).encode() + b"\n")
        n += 1
    return n


def _write_pgn(store: Store, run: Run, file: BinaryIO) -> int:
    n = 0
    teams = {game: info.teams for game, info in run.spec.games.items()}
    for result, episode in store.episodes(run):
        file.write(pgn(run.name, result, episode, teams.get(episode.game, ())).encode())
        n += 1
    return n


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that gets its name when it is complete; a failure leaves nothing behind.

    A device or a pipe, such as /dev/stdout, is written to and keeps its place.
    """
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = unfinished.open("wb")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; name another --out") from None
    try:
        with file:
            yield file
        os.replace(unfinished, path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
