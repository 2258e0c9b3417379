"""The files in which a training records its metrics, one JSON object per line.

They lie beside a database, and in packs, so they may be anybody's: a line that no training writes ends the file, and
what is no file is none.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from games.files import write_whole

METRICS, TIMING = "metrics.jsonl", "timing.jsonl"
_LAST_STEP = 1 << 31
_LARGEST = 1 << 63
"""bound of a whole number"""


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Returns the rows of metrics.jsonl in a training's folder, without an incomplete last line; [] without a file."""
    return [row for row, _ in _rows(folder / METRICS)]


def truncate(path: Path, step: int) -> None:
    """Drop the rows after `step`. No checkpoint holds their work, so the resumed run writes them again."""
    if not path.exists():
        return
    kept = [line for row, line in _rows(path) if row["step"] <= step]
    write_whole(path, "".join(kept))


def _rows(path: Path) -> list[tuple[dict[str, Any], str]]:
    """Returns each row with its line, up to the first line that a killed process left incomplete."""
    rows: list[tuple[dict[str, Any], str]] = []
    for line in path.read_bytes().splitlines(keepends=True) if path.is_file() else ():
        if (row := row_of(line)) is None:
            break
        rows.append((row, line.decode()))
    return rows


def row_of(line: bytes) -> dict[str, Any] | None:
    """Returns the step, the numbers and the lists of texts of a line; None if it is incomplete or no row."""
    try:
        row: object = json.loads(line.decode()) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or type(row.get("step")) is not int or not 0 <= row["step"] < _LAST_STEP:
        return None
    return {key: value for key, value in row.items() if _is_value(value)}


def _is_value(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(text, str) for text in value)
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < _LARGEST)
