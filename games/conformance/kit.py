"""All checks of a game, in the order they are reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from games.conformance import form, hidden, illegal, notes, official, outcomes, seeding, spoken
from games.conformance.play import Fault, OutOfTime
from games.conformance.report import Check, Finding, Report
from games.conformance.subject import Subject, source
from games.game import TextGame

Checker = Callable[[Subject], Iterator[Finding | Check]]

CHECKS: dict[str, Checker | None] = {
    "spec": form.spec,
    "play": None,
    "ends": None,
    "seeds": seeding.seeds,
    "reset": seeding.reset,
    "observe": form.observe,
    "turns": illegal.wrong_seat,
    "legal": illegal.legal,
    "illegal": illegal.illegal,
    "returns": outcomes.returns,
    "secrets": hidden.secrets,
    "infos": hidden.infos,
    "speech": spoken.speech,
    "notes": notes.notes,
    "outcomes": outcomes.outcomes,
    "rewards": official.rewards,
    "api_test": official.api,
    "seed_test": official.seed,
}
"""name -> check, in order; None for those whose faults show while the matches are played"""

_REPLAY = ("play", "seeds", "observe")
_MATCHES = (*_REPLAY, "ends", "turns", "legal")
# What must hold before a check can say something new: one fault is reported once, by the check it belongs to.
NEEDS = {
    "reset": ("seeds",),
    "turns": _REPLAY,
    "legal": _REPLAY,
    "illegal": _REPLAY,
    "speech": _REPLAY,
    "notes": _REPLAY,
    "infos": (*_MATCHES, "returns"),
    "outcomes": (*_MATCHES, "returns"),
    "rewards": (*_MATCHES, "returns"),
    "api_test": (*_MATCHES, "returns"),
    "seed_test": (*_MATCHES, "returns"),
}
ENOUGH = 10
"""findings after which a check stops"""


def check_game(
    game: str | TextGame | Callable[[], TextGame],
    *,
    episodes: int = 150,
    seed: int = 0,
    max_seconds: float = 30.0,
    aec: Callable[[TextGame], object] | None = None,
) -> Report:
    """Run the whole kit on a game id, a game, or a factory of games.

    `episodes` random matches are played (fewer of long games) within about `max_seconds`; `seed` makes the run
    reproducible. `aec` replaces `games.to_aec`. Raises InputError for an id that does not exist; everything the
    game does wrong is a finding.
    """
    from games.aec import to_aec

    began = time.monotonic()
    subject = Subject(source(game), aec or to_aec, episodes, seed, began + max_seconds)  # type: ignore[arg-type]
    subject.play_matches(share=0.4)
    ran: list[Check] = []
    findings = list(subject.faults)
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
            found, check = _run(name, checker, subject)
            findings += found
            ran.append(check)
    if not subject.traces and not subject.faults:
        findings.append(Finding("play", f"no match ended within {max_seconds:g} s: nothing was verified"))
    summary = _summary(subject, time.monotonic() - began)
    return Report(subject.spec.id, tuple(ran), tuple(dict.fromkeys(findings)), summary)


def _run(name: str, checker: Checker, subject: Subject) -> tuple[list[Finding], Check]:
    """The findings of one check; a fault met on the way goes under the fault's own name."""
    findings: list[Finding] = []
    check = Check(name)
    try:
        for item in checker(subject):
            if isinstance(item, Check):
                check = item
            else:
                findings.append(item)
                if len(findings) >= ENOUGH:
                    break
    except Fault as fault:
        findings.append(Finding(fault.check, str(fault)))
    except OutOfTime:
        findings.append(Finding(name, "stopped: out of time", "note"))
    except Exception as error:  # noqa: BLE001  a game under test may raise anything, anywhere
        findings.append(Finding(name, f"raised {type(error).__name__}: {error}"))
    return findings, check


def _summary(subject: Subject, seconds: float) -> str:
    turns = [sum(map(len, t.moves)) for t in subject.traces]
    longest = max((len(x) for t in subject.traces for p in t.positions for x in p.texts.values()), default=0)
    return (
        f"{len(turns)} matches of up to {max(turns, default=0)} decisions (limit {subject.spec.max_turns}), "
        f"observations of up to {longest} characters, {seconds:.1f} s"
    )
