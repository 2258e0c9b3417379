"""The report of a conformance run, for people and for programs; the kits of roles and players use it too."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "note"]
Status = Literal["pass", "note", "not verifiable", "skip", "FAIL"]
"""of a check: `note` passed with a remark, `not verifiable` compared nothing, `skip` does not apply or was not run"""
MAX_SHOWN = 3
"""findings that are printed per check; the others are counted"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong (`error`) or could not be verified (`note`). The message names seat, turn and seed."""

    check: str
    message: str
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: how many cases it compared, in its own unit (`matches`, `texts`), or why it did not run.

    A check without a case is `not verifiable`; `lacks` says what it would need.
    """

    name: str
    cases: int = 0
    unit: str = "cases"
    skipped: str = ""
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a conformance run. `str` gives one line per check, `exit_code` is 0 or 1.

    A check that is not verifiable is printed as a note and does not change the exit code.
    """

    id: str
    checks: tuple[Check, ...]
    findings: tuple[Finding, ...]
    summary: str = ""

    @property
    def ok(self) -> bool:
        """No finding is an error."""
        return not any(f.severity == "error" for f in self.findings)

    @property
    def exit_code(self) -> int:
        """The exit code of `arena check`."""
        return 0 if self.ok else 1

    def raise_if_failed(self) -> None:
        """Raises AssertionError with the whole report unless `ok`: one line for a test of a plugin."""
        if not self.ok:
            raise AssertionError(str(self))

    def of(self, check: str) -> tuple[Finding, ...]:
        """The findings of one check."""
        return tuple(f for f in self.findings if f.check == check)

    def status(self, check: str) -> Status:
        """Returns the status of one check. Raises KeyError for a check that this report does not have."""
        ran = {c.name: c for c in self.checks}[check]
        severities = {f.severity for f in self.of(check)}
        if "error" in severities:
            return "FAIL"
        if ran.skipped:
            return "skip"
        if not ran.cases:
            return "not verifiable"
        return "note" if severities else "pass"

    def __str__(self) -> str:
        lines = [f"{self.id}: {'ok' if self.ok else 'FAILED'}{self.summary and ', ' + self.summary}"]
        width = max((len(c.name) for c in self.checks), default=0)
        for check in self.checks:
            status = self.status(check.name)
            mark = "note" if status == "not verifiable" else status
            messages = [f.message for f in self.of(check.name)]
            lines += _block(f"  {mark}  {check.name:<{width}}  ", messages or [_count(check)])
        return "\n".join(lines)

    def to_json(self) -> str:
        """Returns the report as one JSON object: id, ok, summary, status of each check, checks, findings."""
        return json.dumps(
            {
                "id": self.id,
                "ok": self.ok,
                "summary": self.summary,
                "status": {c.name: self.status(c.name) for c in self.checks},
                "checks": [asdict(c) for c in self.checks],
                "findings": [asdict(f) for f in self.findings],
            },
            ensure_ascii=False,
        )


def _count(check: Check) -> str:
    if check.skipped:
        return check.skipped
    return f"{check.cases} {check.unit}" if check.cases else not_verifiable(check).message


def not_verifiable(check: Check) -> Finding:
    """The note of a check that compared nothing: no fault of the game."""
    return Finding(check.name, f"nothing to compare, and no fault: {check.lacks or 'no case came up'}", "note")


def _block(head: str, messages: list[str]) -> Iterable[str]:
    yield head + messages[0]
    for message in messages[1:MAX_SHOWN]:
        yield " " * len(head) + message
    if len(messages) > MAX_SHOWN:
        yield " " * len(head) + f"and {len(messages) - MAX_SHOWN} more"


def excerpt(text: str, limit: int = 90) -> str:
    """Returns a text as one short quoted line."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def excerpts_apart(a: str, b: str) -> tuple[str, str]:
    """Returns excerpts of two texts, from shortly before their first difference."""
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, at - 30)
    return excerpt(a[start : start + 90]), excerpt(b[start : start + 90])
