"""Writes the report of a run again and again while the run goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from league.board.state import ENDED
from league.config.database_url import DatabaseUrl
from league.reports.content import ReportContent, gather
from league.reports.render import write_report

SHARE = 4
"""a pause is at least this many times as long as the writing before it, so that a large run is not slowed down"""


def follow_report(
    db: DatabaseUrl | str,
    name: str | None,
    path: Path,
    *,
    samples: int = 6,
    trust: bool = False,
    every: float = 10.0,
    pause: Callable[[float], object] = time.sleep,
) -> ReportContent:
    """Write a report at least `every` seconds apart until the run ends, and once more then. Returns the last content.

    A page reloads itself until then. Ctrl-C ends the following: the last page stays, without reloading itself.
    """
    began = time.monotonic()
    content = gather(db, name, samples=samples, trust=trust)
    try:
        while content.status not in ENDED:
            write_report(content, path, reload=every)
            pause(max(every, SHARE * (time.monotonic() - began)))
            began = time.monotonic()
            content = gather(db, content.run.name, samples=samples, trust=trust)
    except KeyboardInterrupt:
        write_report(content, path)
        raise
    write_report(content, path)
    return content
