"""Runs checks one after another; all conformance kits use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from games import plugins
from games.conformance.report import Check, Finding, Report, not_verifiable
from games.errors import PluginError

S = TypeVar("S")
Findings = Iterator[Finding | Check]


def run_checks(id: str, subject: S, checks: Mapping[str, Callable[[S], Findings]], summary: str = "") -> Report:
    """Run every check on `subject` and report them in order."""
    ran: list[Check] = []
    findings: list[Finding] = []
    for name, checker in checks.items():
        problems, check = run_check(name, checker(subject))
        findings += [_once(f, findings) for f in problems]
        ran.append(check)
    return Report(id, tuple(ran), tuple(dict.fromkeys(findings)), summary)


def _once(finding: Finding, earlier: list[Finding]) -> Finding:
    """Returns the finding, or a reference to the check that reported the same before."""
    first = next((f.check for f in earlier if f.message == finding.message), finding.check)
    return finding if first == finding.check else replace(finding, message=f"the same as {first}")


def run_check(name: str, items: Findings) -> tuple[list[Finding], Check]:
    """The findings of one check. An error that it raises becomes a finding, with the line of the plugin, if any.

    A check that compared nothing and found nothing gets a note: it is not verifiable.
    """
    findings: list[Finding] = []
    check = Check(name)
    try:
        for item in items:
            if isinstance(item, Check):
                check = item
            else:
                findings.append(item)
    except PluginError as error:
        findings.append(Finding(name, str(error)))
    except Exception as error:  # noqa: BLE001  plugins under test can raise anything
        findings.append(Finding(name, plugins.raised(error)))
    if not findings and not check.cases and not check.skipped:
        findings.append(not_verifiable(check))
    return findings, check
