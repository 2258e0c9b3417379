"""Writes a report in the format of the file's suffix."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from games import InputError
from league.reports.content import ReportContent
from league.reports.render import to_csv, to_html, to_markdown

_FORMATS: dict[str, Callable[[ReportContent, float], str]] = {
    ".html": to_html,
    ".md": lambda content, _: to_markdown(content),
    ".csv": lambda content, _: to_csv(content),
}
SUFFIXES = tuple(_FORMATS)


def check_suffix(path: Path) -> None:
    """Raise InputError for a file whose suffix names no format."""
    if path.suffix not in _FORMATS:
        raise InputError(f"{str(path)!r} has no known suffix; use {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")


def write_report(content: ReportContent, path: Path, *, reload: float = 0.0) -> None:
    """Write a report in one step, so that no reader has a part of it; `reload` as in `to_html`.

    Raises InputError for an unknown suffix, or if writing fails.
    """
    check_suffix(path)
    work = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        work.write_text(_FORMATS[path.suffix](content, reload), encoding="utf-8")
        os.replace(work, path)
    except OSError as error:
        work.unlink(missing_ok=True)
        raise InputError(f"cannot write {path}: {error.strerror}; name another -o") from None
