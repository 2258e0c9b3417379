"""What the shortcuts of a game earn, with a verdict on each reward.

For each role of a shortcut and each reward, h, c and m are the means of random honest play, of competent play and of
the shortcut on the same seeds. Differences are taken match by match; their intervals hold at 95% for the whole table
(Bonferroni). A shortcut fails if

- m is above h or above c by more than the interval of the difference, or
- c is above h by more than its interval, and m is at least h + (c - h) / 2: half of what competence adds.

A verdict needs enough matches. Where the interval is wider than half of what competence adds, so that it could not tell
one from the other, the row is inconclusive. A shortcut that is declared to solve the task is not verifiable: it must
reach the competent player, and no reward tells them apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist, fmean, variance
from typing import Literal, NamedTuple

from msgspec import Struct

from games.shortcuts import Shortcut

LEVEL = 0.05
SMALL, LEAST = 0.1, 0.05
"""of the spread of a reward: what competence adds at least, for a role and for a row"""
Values = Mapping[str, float]
"""match -> reward"""
Failure = Literal[
    "",
    "earns more than random honest play",
    "earns more than a competent player",
    "reaches half of a competent player",
    "does not reach a competent player, although it is declared to solve the task",
]


class Difference(NamedTuple):
    """The mean of a difference and half of its interval."""

    mean: float
    half: float

    @property
    def positive(self) -> bool:
        """Whether it is above 0 beyond its interval."""
        return self.mean > self.half + 1e-9

    @property
    def negative(self) -> bool:
        """Whether it is below 0 beyond its interval."""
        return self.mean < -self.half - 1e-9


class Compared(NamedTuple):
    """One reward of a shortcut, and of honest and competent play in its place."""

    shortcut: Values
    honest: Values
    competent: Values


class ShortcutRow(Struct, frozen=True):
    """A role's reward for one shortcut, compared with the rewards of honest and competent players."""

    role: str
    policy: str
    reward: str
    """credit, credit PHASE or return"""
    mean: float
    low: float
    high: float
    honest: float
    competent: float
    half: float | None
    """the level that it must not reach; None if competence adds nothing measurable to this reward"""
    failure: Failure
    needs: int = 0
    """about how many matches a verdict needs; 0 if these are enough"""
    honest_margin: float = 0.0
    competent_margin: float = 0.0
    """half of the intervals of `honest` and `competent`"""
    solves: str = ""
    """why this shortcut is not held against the reward: it is declared to solve the task"""

    @property
    def ok(self) -> bool:
        """Whether the shortcut does not pay, as far as these matches tell."""
        return not self.failure

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.failure:
            return f"FAIL {self.failure}"
        if self.needs:
            return f"inconclusive: about {self.needs} matches tell"
        return f"not verifiable: {self.solves}" if self.solves else "pass"


class RoleScale(Struct, frozen=True):
    """Whether rewards tell a competent player of a role from random honest play."""

    role: str
    beaten: str = ""
    """a reward in which random honest play earns more than the competent player"""
    unscaled: bool = False
    """no reward pays competence"""
    needs: int = 0
    """about how many matches would tell; 0 if these are enough"""


class ShortcutReport(Struct, frozen=True):
    """What the shortcuts of a game earn. `scales` has one entry for each role that is compared."""

    game: str
    matches: int
    seed: int
    rows: tuple[ShortcutRow, ...]
    scales: tuple[RoleScale, ...] = ()

    @property
    def unscaled(self) -> tuple[str, ...]:
        """Roles in which no reward tells competent from honest play."""
        return tuple(scale.role for scale in self.scales if scale.unscaled)

    @property
    def ok(self) -> bool:
        """No shortcut pays and no competent player is beaten, as far as these matches tell."""
        return not any(s.unscaled or s.beaten for s in self.scales) and all(row.ok for row in self.rows)

    @property
    def conclusive(self) -> bool:
        """The matches are enough for every verdict."""
        return not any(row.needs for row in self.rows) and not any(scale.needs for scale in self.scales)


class RewardJudge:
    """Gives the verdicts of a table of `rows` rewards, played in `matches` matches each."""

    def __init__(self, rows: int, matches: int) -> None:
        self._z = NormalDist().inv_cdf(1 - LEVEL / 2 / max(1, rows))
        self._matches = matches
        # So few matches could all agree by chance, whatever their spread.
        self._fewest = math.ceil(math.log2(2 * max(1, rows) / LEVEL))

    def row(self, shortcut: Shortcut, role: str, reward: str, compared: Compared) -> ShortcutRow:
        """Returns the verdict on one reward of a shortcut."""
        mean, honest, competent = (fmean(of.values()) for of in compared)
        scale, above_level = self._between(compared.competent, compared.honest), self._above_level(compared)
        margin, honest_margin, competent_margin = (self._between(of, {}).half for of in compared)
        paid = scale.positive and scale.mean >= LEAST * _spread([compared])
        failure = self._failure(compared, paid and above_level.mean >= 0)
        needs = self._needs(above_level, scale.mean / 2) if paid and not above_level.negative else 0
        level = (honest + competent) / 2 if paid else None
        if self._matches < self._fewest:
            failure, needs = "", self._fewest
        elif failure == "reaches half of a competent player" and needs and not above_level.positive:
            failure = ""
        elif failure:
            needs = 0
        if shortcut.solves and not needs:
            failure = _declared(failure)
        return ShortcutRow(
            role, shortcut.name, reward, mean, mean - margin, mean + margin, honest, competent, level,
            failure, needs, honest_margin, competent_margin, shortcut.solves,
        )  # fmt: skip

    def role(self, role: str, rewards: Mapping[str, Sequence[Compared]]) -> RoleScale:
        """Returns whether the rewards of a role, each with the comparisons that it is part of, pay competence."""
        if self._matches < self._fewest:
            return RoleScale(role, needs=self._fewest)
        scales = {name: [self._between(c.competent, c.honest) for c in rows] for name, rows in rewards.items()}
        beaten = next(
            (name for name, differences in scales.items() if any(scale.negative for scale in differences)), ""
        )
        if any(scale.positive for differences in scales.values() for scale in differences):
            return RoleScale(role, beaten)
        needs = [
            self._needs(scale, max(scale.mean, SMALL * _spread(rewards[name])))
            for name, differences in scales.items()
            for scale in differences
            if scale.mean + scale.half > SMALL * _spread(rewards[name])
        ]
        return RoleScale(role, beaten, unscaled=not needs, needs=min(needs, default=0))

    def _failure(self, compared: Compared, half: bool) -> Failure:
        if self._between(compared.shortcut, compared.competent).positive:
            return "earns more than a competent player"
        if self._between(compared.shortcut, compared.honest).positive:
            return "earns more than random honest play"
        return "reaches half of a competent player" if half else ""

    def _between(self, one: Values, other: Values) -> Difference:
        """Returns the difference of two rewards match by match, or the mean of one."""
        values = [one[m] - other[m] for m in one if m in other] if other else list(one.values())
        spread = variance(values) / len(values) if len(values) > 1 else 0.0
        return Difference(fmean(values) if values else 0.0, self._z * spread**0.5)

    def _above_level(self, compared: Compared) -> Difference:
        both = compared.honest.keys() & compared.competent.keys()
        return self._between(
            compared.shortcut, {m: (compared.honest[m] + compared.competent[m]) / 2 for m in sorted(both)}
        )

    def _needs(self, difference: Difference, margin: float) -> int:
        """Returns about how many matches make an interval as narrow as `margin`; 0 if it is."""
        return 0 if difference.half <= margin else math.ceil(self._matches * (difference.half / margin) ** 2)


def _declared(failure: Failure) -> Failure:
    """Returns the verdict on a shortcut that is declared to solve the task."""
    if not failure:
        return "does not reach a competent player, although it is declared to solve the task"
    return failure if failure == "earns more than a competent player" else ""


def _spread(comparisons: Sequence[Compared]) -> float:
    values = [value for compared in comparisons for of in compared for value in of.values()]
    return max(max(values, default=0.0) - min(values, default=0.0), 1e-9)


def report_lines(report: ShortcutReport) -> list[str]:
    """Returns the report as a table for each role, in lines of 80 characters, with the verdicts on the roles last."""
    head = f"{report.game}: {len(report.rows)} rewards of shortcuts, {report.matches} matches each, seed {report.seed}"
    reward = max((len(row.reward) for row in report.rows), default=6)
    wide = max(8, min(max((len(row.policy) for row in report.rows), default=8), 37 - reward))
    lines, role, roles = [head], "", list(dict.fromkeys(row.role for row in report.rows))
    for row in sorted(report.rows, key=lambda row: roles.index(row.role)):
        if row.role != role:
            role = row.role
            title = f"{role[: wide + 6]:<{wide + 6}}  {'reward':<{reward}} {'mean':>6} {'95%':>6}  honest  competent"
            lines += ["", title]
        name = row.policy if len(row.policy) <= wide else ""
        lines += [] if name else [f"        {row.policy}"]
        mark, _, why = row.verdict.partition(" ")
        mark = mark if mark in ("pass", "FAIL") else "note"
        lines.append(
            f"  {mark}  {name:<{wide}}  {row.reward:<{reward}} {row.mean:>+6.3f} ±{(row.high - row.low) / 2:.3f}  "
            f"{row.honest:>+6.3f}  {row.competent:>+9.3f}"
        )
        if mark != "pass":
            lines.append(f"        {why if mark == 'FAIL' else row.verdict}")
    lines += ["", *(line for scale in report.scales for line in _scale_lines(scale))]
    failed = sum(not row.ok for row in report.rows)
    verdict = "ok" if report.ok and report.conclusive else "inconclusive, more --matches" if report.ok else "FAILED"
    return [*lines, f"{verdict}: {failed} of {len(report.rows)} rewards pay a shortcut"]


def _scale_lines(scale: RoleScale) -> list[str]:
    why = "no reward tells a competent player from random honest play"
    hint = "if its seats play against each other, name the role in `alone` of the suite, else improve `competent`"
    lines = [f"FAIL {scale.role}: {why}; {hint}"] if scale.unscaled else []
    if scale.beaten:
        lines.append(f"FAIL {scale.role}: random honest play earns more {scale.beaten} than the competent player")
    if scale.needs:
        problem = f"these matches do not tell a competent player from random honest play, about {scale.needs} do"
        lines.append(f"inconclusive {scale.role}: {problem}")
    return lines
