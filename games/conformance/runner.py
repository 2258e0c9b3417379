"""Checks of anything, run one after another: what all kits beside that of games share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from games import plugins
from games.conformance.report import Check, Finding, Report

S = TypeVar("S")
Found = Iterator[Finding | Check]


def run_checks(id: str, subject: S, checks: Mapping[str, Callable[[S], Found]], summary: str = "") -> Report:
    """A report with a line for each check. Whatever a check raises is a finding of it, with the plugin's line."""
    ran: list[Check] = []
    findings: list[Finding] = []
    for name, checker in checks.items():
        try:
            for item in checker(subject):
                (findings if isinstance(item, Finding) else ran).append(item)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001  a plugin may raise anything; that is what is being found out
            place = plugins.culprit(error)
            told = (str(error).splitlines() or [""])[0]
            findings.append(Finding(name, f"raised {type(error).__name__}: {told}{place and f' ({place})'}"))
        if not any(check.name == name for check in ran):
            ran.append(Check(name))
    return Report(id, tuple(ran), tuple(dict.fromkeys(findings)), summary)


__all__ = ["Found", "run_checks"]
