"""Verifying the runs of a store."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from games import InputError
from league.config.database_url import DatabaseUrl
from league.store import Store
from league.verify.run import Progress, Verified, verify_run

ShowProgress = Callable[[str, int], AbstractContextManager[Progress]]
"""a run's name and its number of matches -> a callback that receives the number checked so far"""


def _silent(run: str, matches: int) -> AbstractContextManager[Progress]:
    return nullcontext(lambda done: None)


def verify(
    db: DatabaseUrl | str,
    name: str | None = None,
    *,
    sample: int | None = None,
    limit: float | None = None,
    head: str = "",
    trust: bool = False,
    show: ShowProgress = _silent,
) -> list[Verified]:
    """Check a run of a store, or all of them; reads only.

    `sample`: replay so many matches of each run, drawn at random; `limit`: seconds for all replays; `head`: a digest
    that was noted earlier, or at least its first 8 digits; `trust`: use the code that the runs name. Raises InputError
    for a run that does not exist, or code that this user has not allowed.
    """
    if head and (len(head) < 8 or any(c not in "0123456789abcdef" for c in head.lower())):
        raise InputError(f"--head {head!r} is no digest; write at least 8 of the digits that `arena verify` prints")
    until = None if limit is None else time.monotonic() + limit
    reports = []
    with Store.open(db, read_only=True) as store:
        for run in [store.run(name)] if name is not None else store.runs():
            counts = store.counts(run)
            with show(run.name, counts.finished + counts.void) as progress:
                checked = verify_run(store, run, sample=sample, until=until, head=head, progress=progress, trust=trust)
            reports.append(checked)
        if not reports:
            store.run()  # raises if there is no run
    return reports
