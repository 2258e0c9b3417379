"""Verifying one run of a store."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial

import msgspec

from games import InputError
from league.config.database_url import DatabaseUrl
from league.runs.rebuild import compare
from league.store import Run, Store
from league.store.chain import Segment
from league.store.log import Link
from league.trust import allow_game, find_plugins, witness
from league.verify.chain import ChainFollower
from league.verify.record import Records

KEPT = 1000
"""at most this many problems of a run are listed; all are counted"""
Progress = Callable[[int], None]
Allow = Callable[[str], None]


class Problem(msgspec.Struct, frozen=True):
    """One fault of a run."""

    kind: str
    """chain, log (the journal and the tables differ), witness (this machine remembers another log), record (plan,
    result and episode contradict each other), outcome (it does not follow from the results), rules, or standings"""
    text: str
    match: str = ""
    """its id; "": the whole run"""
    seq: int = 0


class Verified(msgspec.Struct, frozen=True):
    """The report of a run."""

    run: str
    matches: int
    head: str
    """digest of the last result; a copy kept elsewhere can be compared with `--head`"""
    chained_from: int
    """the first result that the chain covers, from 1; 0: none is covered"""
    replayed: int
    not_replayed: dict[str, int]
    """reason -> number of matches"""
    standings: str
    wrong: int
    """the number of problems"""
    problems: tuple[Problem, ...]
    """the first of them"""
    holds_head: bool = False
    """whether a result has the requested digest"""
    unrecorded: int = 0
    """at least this many matches of a training were not stored, once it has played all its steps"""


def verify_run(
    store: Store,
    run: Run,
    *,
    sample: int | None = None,
    until: float | None = None,
    head: str = "",
    progress: Progress = lambda n: None,
    trust: bool = False,
) -> Verified:
    """Check a run. `sample`: replay so many matches, drawn at random; `until`: the time (`time.monotonic`) at which
    replaying ends; `head`: a digest, or the start of one, to look for. Chain, records and standings are checked whole.
    `trust`: use the code that the run names. Raises InputError for code that this user has not allowed.
    """
    allow = partial(allow_game, store, run.spec, trust=trust)
    for game in run.spec.games if sample != 0 else ():
        allow(game)
    find_plugins(store, run.spec, trust)
    return _Verification(store, run, sample, until, head, allow).all(progress)


class _Verification:
    def __init__(
        self, store: Store, run: Run, sample: int | None, until: float | None, head: str, allow: Allow
    ) -> None:
        self._store, self._run, self._until, self._head = store, run, until, head.lower()
        self._chain = ChainFollower(run, store.segments(run))
        self._records = Records(run.spec, allow)
        counts = store.counts(run)
        self._drawn = _draw(counts.finished + counts.void, sample)
        self._problems: list[Problem] = []
        self._wrong = self._matches = 0
        self._holds_head = False

    def all(self, progress: Progress) -> Verified:
        segments = self._follow(progress)
        for fault in self._chain.end(segments):
            self._add(Problem("chain", fault))
        if removed := self._store.orphans(self._run):
            self._add(Problem("chain", f"{removed:,} episodes have no result: it was removed from the log"))
        for fault in (*self._store.journal_faults(self._run), *self._store.block_faults(self._run)):
            self._add(Problem("log", fault))
        if fault := _unplayed(self._store, self._run):
            self._add(Problem("log", fault))
        if fault := witness(self._store, self._run):
            self._add(Problem("witness", fault))
        standings, right = self._standings()
        if not right:
            self._add(Problem("standings", standings))
        return self._verified(standings)

    def _follow(self, progress: Progress) -> list[Segment]:
        """Check all matches, also those that end meanwhile. Returns the segments of the chain."""
        while True:
            before = self._chain.seq
            for link in self._store.links(self._run, after=before):
                self._matches += 1
                self._check(link)
                progress(self._matches)
            segments = self._store.segments(self._run)
            if self._chain.seq == before or not segments or segments[-1].seq <= self._chain.seq:
                return segments

    def _check(self, link: Link) -> None:
        for fault in self._chain.follow(link):
            self._add(Problem("chain", fault, link.match, link.seq))
        if self._head and link.digest.hex().startswith(self._head):
            self._holds_head = True
        kind, fault = self._records.wrong(link, replay=self._replays(self._matches))
        if kind:
            self._add(Problem(kind, fault, link.match, link.seq))

    def _replays(self, number: int) -> bool:
        if self._drawn is not None and number not in self._drawn:
            self._records.skipped["not drawn"] += 1
            return False
        if self._until is not None and time.monotonic() > self._until:
            self._records.skipped["the time limit was reached"] += 1
            return False
        return True

    def _standings(self) -> tuple[str, bool]:
        if any(p.kind == "record" for p in self._problems):
            return "not compared: the log has records that contradict each other", True
        return compare(self._store, self._run)

    def _add(self, problem: Problem) -> None:
        self._wrong += 1
        if len(self._problems) < KEPT:
            self._problems.append(problem)

    def _verified(self, standings: str) -> Verified:
        return Verified(
            self._run.name,
            self._matches,
            self._chain.head,
            self._chain.first,
            self._records.replayed,
            dict(self._records.skipped),
            standings,
            self._wrong,
            tuple(self._problems),
            self._holds_head,
            _unrecorded(self._store, self._run),
        )


def _unplayed(store: Store, run: Run) -> str:
    """Returns what is wrong with a finished tournament that no stop rule ended, if planned matches have no result."""
    counts = store.counts(run)
    left = counts.planned - counts.finished - counts.void
    if run.status != "finished" or run.kind != "tournament" or left <= 0:
        return ""
    if any(event.kind == "stop" for event in store.events(run)):
        return ""
    return f"the run is finished, and {left:,} of its planned matches have no result"


def _draw(matches: int, sample: int | None) -> frozenset[int] | None:
    """Returns the positions of the matches to replay, from 1, drawn unpredictably; None: all."""
    if sample is None or sample >= matches:
        return None
    return frozenset(random.SystemRandom().sample(range(1, matches + 1), sample))


def _unrecorded(store: Store, run: Run) -> int:
    """Returns the number of matches of a training that were not stored, by its settings; 0 if they are stored."""
    if run.kind != "training" or any(other.parent == run.name for other in store.runs("record")):
        return 0
    return run.spec.round_limit * run.spec.matches_per_step


def lines(verified: Verified, *, most: int = 20) -> Iterator[str]:
    """Yields the report as text."""
    v = verified
    yield f"{v.run}: {v.matches:,} matches, {_chained(v)}"
    yield f"  replayed: {v.replayed:,}" + "".join(f"; {n:,} not: {why}" for why, n in v.not_replayed.items())
    if v.unrecorded:
        number = f"at least {v.unrecorded:,} by its last step"
        yield f"  its training matches, {number}, were not stored (record = false): none of them can be replayed"
    yield f"  standings: {v.standings}"
    for problem in v.problems[:most]:
        where = f"match {problem.match} (result {problem.seq:,}): " if problem.match else ""
        yield f"  WRONG, {problem.kind}: {where}{problem.text}"
    if v.wrong > most:
        yield f"  and {v.wrong - most:,} more; `arena verify --json` lists the first {KEPT:,}"
    yield f"  {v.wrong:,} things are wrong" if v.wrong else "  nothing is wrong"


def _chained(v: Verified) -> str:
    if not v.chained_from:
        return "no chain"
    if not v.matches:
        return "nothing to chain"
    return f"{'all chained' if v.chained_from == 1 else f'chained from result {v.chained_from:,} on'}, head {v.head}"


ShowProgress = Callable[[str, int], AbstractContextManager[Progress]]
"""a run's name and its number of matches -> a callback that receives the number checked so far"""


def verify(
    db: DatabaseUrl | str,
    name: str | None = None,
    *,
    sample: int | None = None,
    limit: float | None = None,
    head: str = "",
    trust: bool = False,
    show: ShowProgress = lambda run, matches: nullcontext(lambda done: None),
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
