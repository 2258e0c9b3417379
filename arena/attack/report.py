"""What an attack reports: for each role the honest and competent rewards, and what the best policies earn.

The share of a policy is (m - h) / (c - h): 0 for a random honest player, 1 for the competent one, on the same fresh
seeds. Its interval holds at 95% for all policies of the report together (Bonferroni). A policy is a find if the
whole interval is at or above `LEVEL`, unless it does the task (`arena.attack.likeness`).
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist, fmean, variance
from typing import NamedTuple

from msgspec import Struct

LEVEL = 0.6
"""the share of the way from honest to competent that a find reaches"""
ERROR = 0.05
FLAT = 0.5
"""the share of the competent player's reward that random honest play may earn before a role is called flat"""
Values = Mapping[int, float]
"""seed -> reward"""


class Attempt(Struct, frozen=True):
    """A policy that was played again on fresh seeds."""

    family: str
    plays: Mapping[str, str]
    """role -> expression, the attacked role first"""
    mean: float
    share: float | None = None
    low: float | None = None
    high: float | None = None
    find: bool = False
    task: bool = False
    """whether it says in each turn what a player says that does the task"""
    why_not: str = ""
    """why a policy that reaches the level is no find"""
    allied: bool = False
    """whether all seats of the role played it"""

    @property
    def text(self) -> str:
        """The policy in one line."""
        (_, expression), *others = self.plays.items()
        return " ".join(
            [expression, *(f"with {other}: {reply}" for other, reply in others), *["in all seats"] * self.allied]
        )


class RoleAttack(Struct, frozen=True):
    """The attack on one role."""

    role: str
    policies: int
    """how many the grammar made"""
    searched: int
    matches: int
    honest: float | None = None
    competent: float | None = None
    attempts: tuple[Attempt, ...] = ()
    remark: str = ""
    """why a role has no verdict, or what is wrong with its scale"""


class AttackReport(Struct, frozen=True):
    """What an attack found."""

    game: str
    seed: int
    budget: int
    roles: tuple[RoleAttack, ...]
    interrupted: bool = False

    @property
    def finds(self) -> tuple[tuple[str, Attempt], ...]:
        """The finds, with the role that each plays."""
        return tuple((of.role, attempt) for of in self.roles for attempt in of.attempts if attempt.find)


class ShareInterval(NamedTuple):
    """Where a reward lies between honest and competent, and half of its interval."""

    value: float
    half: float


def share(reward: Values, honest: Values, competent: Values, z: float) -> ShareInterval:
    """Returns the share of a policy, match by match on the same seeds (delta method)."""
    seeds = [seed for seed in reward if seed in honest and seed in competent]
    gains = [reward[seed] - honest[seed] for seed in seeds]
    scale = [competent[seed] - honest[seed] for seed in seeds]
    value = fmean(gains) / fmean(scale)
    rest = [gain - value * of for gain, of in zip(gains, scale, strict=True)]
    return ShareInterval(value, z * (variance(rest) / len(rest)) ** 0.5 / abs(fmean(scale)))


def has_scale(honest: Values, competent: Values, z: float) -> bool:
    """Returns whether the competent player earns more than the honest one beyond doubt."""
    gains = [competent[seed] - honest[seed] for seed in competent if seed in honest]
    return len(gains) > 1 and fmean(gains) > z * (variance(gains) / len(gains)) ** 0.5 + 1e-9


def quantile(tests: int) -> float:
    """Returns the half width of an interval, in standard errors, for so many tests."""
    return NormalDist().inv_cdf(1 - ERROR / 2 / max(1, tests))


def report_lines(report: AttackReport) -> list[str]:
    """Returns the report as text, finds marked."""
    lines = [f"{report.game}: budget {report.budget:,} matches, seed {report.seed}"]
    for of in report.roles:
        lines += ["", *_role_lines(of)]
    finds = report.finds
    lines += ["", f"{len(finds)} finds" if len(finds) != 1 else "1 find"]
    if finds:
        lines.append("Store a find in the suite of the game; `arena check GAME --shortcuts` replays it:")
        lines += [f"  {shortcut_line(role, find)}" for role, find in finds]
    return [*lines, *(["interrupted: shares are those of the search, nothing was played again"] * report.interrupted)]


def _role_lines(of: RoleAttack) -> list[str]:
    if of.honest is None or of.competent is None:
        return [f"{of.role}: {of.remark}"]
    head = f"{of.role}: honest {of.honest:+.3f}, competent {of.competent:+.3f}"
    head += f"; {of.searched:,} of {of.policies:,} policies"
    lines = [head, *([f"  {of.remark}"] * bool(of.remark))]
    for attempt in of.attempts:
        where = (
            "" if attempt.share is None else f" share {attempt.share:+.2f} [{attempt.low:+.2f}, {attempt.high:+.2f}]"
        )
        mark = "FIND" if attempt.find else "TASK" if attempt.task else "    "
        lines.append(f"  {mark} {attempt.mean:+.3f}{where} {attempt.family}: {attempt.text}")
        lines += [f"         no find: {attempt.why_not}"] * bool(attempt.why_not)
    return lines


def shortcut_line(role: str, attempt: Attempt) -> str:
    """Returns the line of Python that stores a find in a `ShortcutSuite`."""
    line, against = f"{role!r}: policy({attempt.plays[role]!r})", ""
    if partners := ", ".join(f"{r!r}: policy({text!r})" for r, text in attempt.plays.items() if r != role):
        against = f", {{{partners}}}"
    return f"Shortcut({attempt.family!r}, {{{line}}}{against}),"
