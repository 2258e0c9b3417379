"""The files in which a training records its metrics, one JSON object per line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

METRICS, TIMING = "metrics.jsonl", "timing.jsonl"


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Returns the rows of metrics.jsonl in a training's folder, without an incomplete last line; [] without a file."""
    return [row for row, _ in _rows(folder / METRICS)]


def truncate(path: Path, step: int) -> None:
    """Drop the rows after `step`. No checkpoint holds their work, so the resumed run writes them again."""
    if not path.exists():
        return
    kept = [line for row, line in _rows(path) if row["step"] <= step]
    work = path.with_suffix(".tmp")
    work.write_text("".join(kept), encoding="utf-8")
    os.replace(work, path)


def _rows(path: Path) -> list[tuple[dict[str, Any], str]]:
    """Returns each row with its line, up to the first line that a killed process left incomplete."""
    rows: list[tuple[dict[str, Any], str]] = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else ():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            break
        if not line.endswith("\n"):
            break
        rows.append((row, line))
    return rows
