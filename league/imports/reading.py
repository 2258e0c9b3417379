"""From a file, or from rows of Python, to rows of named values. What the values mean is not asked here."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from games import InputError

DELIMITERS = ",;\t|"
_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$')
_FORMATS = {
    b"PAR1": "a Parquet file; in Python: league.rate(pandas.read_parquet(FILE))",
    b"PK\x03\x04": "a zip archive or an Excel file; save the table as CSV",
    b"\x28\xb5\x2f\xfd": "compressed with zstd; type: zstd -dc FILE | arena rate -",
    b"BZh": "compressed with bzip2; type: bzip2 -dc FILE | arena rate -",
    b"SQLite f": "a database; `arena board --db FILE` shows the runs of an arena's store",
}
"""first bytes of files that are no text -> what they are and what to type"""
_POSITIONS = {2: ("winner", "loser"), 3: ("a", "b", "result")}
"""columns of a row of Python that is a tuple"""


class SourceRow(NamedTuple):
    """One row: where it stands, from 1, and its values by the `key` of their column."""

    place: int
    values: Mapping[str, Any]


class BadRow(NamedTuple):
    """A row that cannot be read, and why."""

    place: int
    what: str


@dataclass
class Source:
    """Rows and where they come from. `unit` is what places count: "line" or "row"."""

    name: str
    unit: str = "line"
    rows: list[SourceRow] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    """key -> name in the file, in the order of the file"""
    bad: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, place: int, names: Iterable[str], values: Iterable[Any]) -> None:
        """Add a row. A name that occurs twice keeps its first value."""
        row: dict[str, Any] = {}
        for name, value in zip(names, values, strict=False):
            column = key(name)
            self.columns.setdefault(column, name)
            row.setdefault(column, value)
        self.rows.append(SourceRow(place, row))


def key(name: object) -> str:
    """Returns the name of a column without case and signs: `Home Team`, `home_team` and `HomeTeam` are the same."""
    return re.sub(r"[\W_]+", "", str(name)).casefold()


def read_file(path: str, readable: Callable[[Iterable[str]], bool]) -> Source:
    """Returns the rows of a CSV, PGN or JSON Lines file; "-" is standard input. `readable` says whether columns of
    these keys can be read: it chooses the delimiter.

    Raises InputError.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
    except (OSError, EOFError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    source = Source("standard input" if path == "-" else Path(path).name)
    text = _decoded(source, data)
    start = text.lstrip()[:200]
    if not start:
        raise InputError(f"{source.name} is empty; it needs a header and a row for each match")
    if _TAG.match(start.split("\n", 1)[0]):
        _read_pgn(source, text)
    elif start[0] == "{":
        _read_json_lines(source, text)
    elif start[0] == "[":
        _read_json(source, text)
    else:
        _read_csv(source, text, readable)
    return source


def _decoded(source: Source, data: bytes) -> str:
    for magic, what in _FORMATS.items():
        if data.startswith(magic):
            raise InputError(f"{source.name} is {what}".replace("FILE", source.name))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:1000]:
        if b"\0" not in (data[:1000:2], data[1:1000:2]) and 0 in data[1:1000:2] and 0 not in data[:1000:2]:
            return data.decode("utf-16-le", "replace")
        raise InputError(f"{source.name} is not text; write the results as CSV, PGN or JSON Lines")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        source.notes.append(
            f"{source.name} is not UTF-8 (line {line}): read as Windows-1252 (Latin-1); if names look wrong, save it "
            "as UTF-8"
        )
        return data.decode("cp1252", "replace")


def _read_csv(source: Source, text: str, readable: Callable[[Iterable[str]], bool]) -> None:
    csv.field_size_limit(1 << 30)  # a column of conversations
    header = next(line for line in text.splitlines() if line.strip())
    names = {sign: next(csv.reader([header], delimiter=sign)) for sign in DELIMITERS}
    delimiter = next((sign for sign, row in names.items() if readable(map(key, row))), "")
    delimiter = delimiter or max(DELIMITERS, key=lambda sign: len(names[sign]))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    heads: list[str] = []
    end = 0
    try:
        for row in reader:
            place, end = end + 1, reader.line_num
            if not any(map(str.strip, row)):
                continue
            if not heads:
                heads = [name.strip() for name in row]
                source.columns = {key(name): name for name in reversed(heads) if name}
                source.columns = {key(name): source.columns[key(name)] for name in heads if name}
            elif len(row) > len(heads) and any(row[len(heads) :]):
                source.bad.append(BadRow(place, f"{len(row)} cells, but the header has {len(heads)}"))
            else:
                source.add(place, heads, row)
    except csv.Error as error:
        raise InputError(f"{source.name}, line {reader.line_num}: {error}; check the quotation marks") from None


def _read_json_lines(source: Source, text: str) -> None:
    for place, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            source.bad.append(BadRow(place, f"no JSON ({error}); each line is an object"))
            continue
        _add_object(source, place, value)


def _read_json(source: Source, text: str) -> None:
    try:
        values = json.loads(text)
    except ValueError as error:
        raise InputError(f"{source.name} is not JSON ({error}); write one object per line") from None
    source.unit = "row"
    for place, value in enumerate(values, 1):
        _add_object(source, place, value)


def _add_object(source: Source, place: int, value: object) -> None:
    if isinstance(value, Mapping):
        source.add(place, value, value.values())
    else:
        source.bad.append(BadRow(place, f"{value!s:.40} is no object"))


def _read_pgn(source: Source, text: str) -> None:
    """Reads the tags alone. A game begins with the first tag after moves, or with one that the last game has too."""
    tags: dict[str, str] = {}
    place, moves = 1, False
    for number, line in enumerate(text.split("\n"), 1):
        tag = _TAG.match(line.strip()) if line.startswith("[") else None
        if tag is None:
            moves = moves or bool(line.strip())
            continue
        if tags and (moves or tag[1] in tags):
            source.add(place, *_game(tags))
            tags = {}
        if not tags:
            place, moves = number, False
        tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])
    source.add(place, *_game(tags))


def _game(tags: Mapping[str, str]) -> tuple[Sequence[str], Sequence[str]]:
    """Returns the columns of a game. A name or date that nobody knows is written with question marks."""
    names = "White", "Black", "Result", "Date"
    date = next((tags[tag] for tag in ("UTCDate", "Date", "EventDate") if "?" not in tags.get(tag, "?")), "")
    white, black = ("" if tags.get(tag, "?") == "?" else tags[tag] for tag in names[:2])
    return names, (white, black, tags.get("Result", "*"), date)


def read_rows(rows: Any) -> Source:
    """Returns rows of Python: mappings, tuples `(a, b, result)` or `(winner, loser)`, or a data frame of pandas, polars
    or pyarrow. Raises InputError.
    """
    source = Source("rows", "row")
    for place, row in enumerate(_listed(rows), 1):
        if hasattr(row, "_asdict"):
            row = row._asdict()
        if isinstance(row, Mapping):
            source.add(place, map(str, row), row.values())
            continue
        values = row if isinstance(row, tuple | list) else row.tolist() if hasattr(row, "tolist") else ()
        names = _POSITIONS.get(len(values))
        if names is None:
            source.bad.append(BadRow(place, f"{row!s:.60} is neither a mapping nor (a, b, result)"))
        else:
            source.add(place, names, values)
    if not source.rows and not source.bad:
        raise InputError("there are no rows; give mappings such as {'a': ..., 'b': ..., 'result': 1}")
    return source


def _listed(rows: Any) -> Iterator[Any]:
    """Yields the rows of whatever holds them."""
    if hasattr(rows, "iterrows"):  # pandas
        return iter(rows.to_dict("records"))
    for method in ("to_dicts", "to_pylist"):  # polars, pyarrow
        if hasattr(rows, method):
            return iter(getattr(rows, method)())
    if isinstance(rows, Mapping):
        columns = list(rows.values())
        if not all(isinstance(column, Sequence) or hasattr(column, "tolist") for column in columns):
            raise InputError("rows is one mapping; give a list of them, or of columns of equal length")
        return (dict(zip(rows, row, strict=False)) for row in zip(*columns, strict=False))
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise InputError(f"rows is a {type(rows).__name__}; give a list of mappings or tuples, or a data frame")
    return iter(rows)
