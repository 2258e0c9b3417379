"""Runs all checks of a game, in the order of the report."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

from games.conformance import (
    exact,
    illegal,
    notes,
    outcomes,
    pettingzoo_tests,
    prompts,
    secrets,
    seeding,
    spec_checks,
    speech,
)
from games.conformance.play import OutOfTime, Violation
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Findings, run_check
from games.conformance.subject import Subject, source
from games.game import TextGame

Checker = Callable[[Subject], Findings]

CHECKS: dict[str, Checker | None] = {
    "spec": spec_checks.spec,
    "play": None,
    "ends": None,
    "seeds": seeding.seeds,
    "reset": seeding.reset,
    "observe": spec_checks.observe,
    "turns": illegal.wrong_seat,
    "legal": illegal.legal,
    "illegal": illegal.illegal,
    "returns": outcomes.returns,
    "secrets": secrets.secrets,
    "infos": secrets.infos,
    "speech": speech.speech,
    "prompts": prompts.prompts,
    "notes": notes.notes,
    "outcomes": outcomes.outcomes,
    "exact": exact.exact,
    "rewards": pettingzoo_tests.rewards,
    "api_test": pettingzoo_tests.api,
    "seed_test": pettingzoo_tests.seed,
}
"""name -> check, in order; None: its findings come up while the matches are played"""

_REPLAY = ("play", "seeds", "observe")
_MATCHES = (*_REPLAY, "ends", "turns", "legal")
# The checks that must pass before a check runs, so that each fault is reported once, by the check it belongs to.
NEEDS = {
    "reset": ("seeds",),
    "turns": _REPLAY,
    "legal": _REPLAY,
    "illegal": _REPLAY,
    "speech": _REPLAY,
    "prompts": _REPLAY,
    "notes": _REPLAY,
    "exact": _MATCHES,
    "infos": (*_MATCHES, "returns"),
    "outcomes": (*_MATCHES, "returns"),
    "rewards": (*_MATCHES, "returns"),
    "api_test": (*_MATCHES, "returns"),
    "seed_test": (*_MATCHES, "returns"),
}
MAX_FINDINGS = 10
"""of one check; it stops after them"""


def check_game(
    game: str | TextGame | Callable[[], TextGame],
    *,
    episodes: int = 150,
    seed: int = 0,
    max_seconds: float = 30.0,
    aec: Callable[[TextGame], object] | None = None,
) -> Report:
    """Run the whole kit on a game id, a game, or a factory of games.

    The kit plays up to `episodes` random matches (fewer of long games) within about `max_seconds`. The same `seed`
    gives the same report. `aec` replaces `games.to_aec`. Raises InputError for an unknown id; everything that the game
    does wrong becomes a finding.
    """
    from games.aec import to_aec

    began = time.monotonic()
    subject = Subject(source(game), aec or to_aec, episodes, seed, began + max_seconds)  # type: ignore[arg-type]
    subject.play_matches(share=0.4)
    ran: list[Check] = []
    findings = list(subject.violations)
    for name, checker in CHECKS.items():
        failed = {f.check for f in findings if f.severity == "error"}
        blocking = [need for need in NEEDS.get(name, ()) if need in failed]
        if not subject.traces and name != "spec":
            ran.append(Check(name, skipped="not run: no match was played to its end"))
        elif checker is None:
            ran.append(Check(name, len(subject.traces), "matches"))
        elif blocking:
            ran.append(Check(name, skipped=f"not run until {blocking[0]} passes"))
        else:
            problems, check = run_check(name, _findings(name, checker, subject))
            findings += problems
            ran.append(check)
    if not subject.traces and not subject.violations:
        findings.append(Finding("play", f"no match ended within {max_seconds:g} s: nothing was verified"))
    summary = _summary(subject, time.monotonic() - began)
    return Report(subject.spec.id, tuple(ran), tuple(dict.fromkeys(findings)), summary)


def _findings(name: str, checker: Checker, subject: Subject) -> Findings:
    """The first MAX_FINDINGS items of a check. A contract violation becomes a finding of the check it belongs to."""
    try:
        yield from itertools.islice(checker(subject), MAX_FINDINGS)
    except Violation as violation:
        yield Finding(violation.check, str(violation))
    except OutOfTime:
        yield Finding(name, "stopped: out of time", "note")


def _summary(subject: Subject, seconds: float) -> str:
    turns = [sum(map(len, t.moves)) for t in subject.traces]
    longest = max((len(x) for t in subject.traces for p in t.positions for x in p.texts.values()), default=0)
    return (
        f"{len(turns)} matches of up to {max(turns, default=0)} decisions (limit {subject.spec.max_turns}), "
        f"observations of up to {longest} characters, {seconds:.1f} s"
    )
