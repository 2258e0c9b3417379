"""Writes a report in the format of the file's suffix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from games import InputError
from league.reports.content import ReportContent
from league.reports.render import to_csv, to_html, to_markdown

_FORMATS: dict[str, Callable[[ReportContent], str]] = {".html": to_html, ".md": to_markdown, ".csv": to_csv}
SUFFIXES = tuple(_FORMATS)


def check_suffix(path: Path) -> None:
    """Raise InputError for a file whose suffix names no format."""
    if path.suffix not in _FORMATS:
        raise InputError(f"{str(path)!r} has no known suffix; use {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")


def write_report(content: ReportContent, path: Path) -> None:
    """Write a report. Raises InputError for an unknown suffix, or if writing fails."""
    check_suffix(path)
    try:
        path.write_text(_FORMATS[path.suffix](content), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; name another -o") from None
