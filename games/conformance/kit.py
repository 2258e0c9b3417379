"""All checks of a game, in the order they are reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from games.conformance import forgery, form, hidden, illegal, official, outcomes, seeding
from games.conformance.play import Fault, OutOfTime
from games.conformance.report import Check, Finding, Report
from games.conformance.subject import Subject, source
from games.game import TextGame

Checker = Callable[[Subject], Iterator[Finding | Check]]

CHECKS: dict[str, Checker | None] = {
    "spec": form.spec,
    "play": None,
    "turns": illegal.wrong_seat,
    "legal": illegal.legal,
    "observe": form.observe,
    "ends": None,
    "seeds": seeding.seeds,
    "reset": seeding.reset,
    "illegal": illegal.illegal,
    "secrets": hidden.secrets,
    "infos": hidden.infos,
    "speech": forgery.speech,
    "returns": outcomes.returns,
    "outcomes": outcomes.outcomes,
    "rewards": official.rewards,
    "api_test": official.api,
    "seed_test": official.seed,
}
"""name -> check; None for those whose faults show while the matches are played"""

# These run matches of their own to the end, so they say nothing new of a game whose matches cannot be played.
NEED_MATCHES = frozenset({"api_test", "seed_test", "rewards", "infos"})


def check_game(
    game: str | TextGame | Callable[[], TextGame],
    *,
    episodes: int = 150,
    seed: int = 0,
    max_seconds: float = 60.0,
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
    subject.play_matches(share=0.5)
    ran: dict[str, Check] = {name: Check(name) for name in CHECKS}
    findings = list(subject.faults)
    for name, checker in CHECKS.items():
        if checker is None:
            ran[name] = Check(name, len(subject.traces), "matches")
        elif not (name in NEED_MATCHES and subject.faults):
            found, check = _run(name, checker, subject)
            findings += found
            ran[name] = check
    if not subject.traces and not subject.faults:
        findings.append(Finding("play", f"no match ended within {max_seconds:g} s: nothing was verified", "note"))
    summary = _summary(subject, len(subject.traces), time.monotonic() - began)
    return Report(subject.spec.id, tuple(ran.values()), tuple(dict.fromkeys(findings)), summary)


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
    except Fault as fault:
        findings.append(Finding(fault.check, str(fault)))
    except OutOfTime:
        findings.append(Finding(name, "stopped: out of time", "note"))
    except Exception as error:  # noqa: BLE001  a game under test may raise anything, anywhere
        findings.append(Finding(name, f"raised {type(error).__name__}: {error}"))
    return findings, check


def _summary(subject: Subject, matches: int, seconds: float) -> str:
    turns = [sum(map(len, t.moves)) for t in subject.traces]
    longest = max((len(x) for t in subject.traces for p in t.positions for x in p.texts.values()), default=0)
    return (
        f"{matches} matches of up to {max(turns, default=0)} decisions (limit {subject.spec.max_turns}), "
        f"observations of up to {longest} characters, {seconds:.1f} s"
    )
