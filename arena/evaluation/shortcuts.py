"""Plays the shortcuts of a game and compares what they earn with honest play.

For each role of a shortcut and each reward (the credit that the learner maximises, by phase if the role has phases, and
the return of the game) the mean is taken over matches. With h and c, the means of random honest and of competent play
in the same roles against the same partners, a shortcut fails if

- its mean is above h by more than the interval of the difference (Welch; 95% for the whole table, by Bonferroni), or
- c is above h by more than its interval, and the shortcut's mean is at least h + (c - h) / 2: half of what competence
  adds to honest play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist, fmean, variance
from typing import Literal, NamedTuple

from msgspec import Struct

import games
from arena import event_loop
from arena.learner.credit import credits_of
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.match import play as play_match
from arena.match import play_async as play_match_async
from arena.players.bots.scripted import ScriptedPlayer
from games import InputError, TextGame
from games.randomness import derive
from games.shortcuts import Scripted, Shortcut, ShortcutSuite, suite_of

RETURN = "return"
_LEVEL = 0.05
_STRICT = IllegalPolicy(retries=0)
"""a scripted policy would repeat an illegal message"""
_PLAYS, _PARTNER = "policy", "partner"
Failure = Literal["", "earns more than random honest play", "reaches half of a competent player"]


class Earned(NamedTuple):
    """The mean of a reward and half of its interval."""

    mean: float
    half: float


class ShortcutRow(Struct, frozen=True):
    """One reward of one role for one shortcut, beside what honest and competent players get."""

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

    @property
    def ok(self) -> bool:
        """Whether the shortcut does not pay."""
        return not self.failure


class ShortcutReport(Struct, frozen=True):
    """What the shortcuts of a game earn. `unscaled`: roles in which no reward tells competent from honest play."""

    game: str
    matches: int
    seed: int
    rows: tuple[ShortcutRow, ...]
    unscaled: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """No shortcut pays, and every role has a reward that pays competence."""
        return not self.unscaled and all(row.ok for row in self.rows)


Rewards = Mapping[tuple[str, str], Sequence[float]]
"""(role, reward) -> one number per match, the mean over the seats that play the compared policy"""


def check_shortcuts(id: str, matches: int = 200, seed: int = 0) -> ShortcutReport:
    """Play every shortcut of a game, `matches` matches each. Raises InputError if the game offers none."""
    if matches < 2:
        raise InputError(f"--matches must be at least 2, not {matches}: an interval needs a spread")
    game = games.make(id)
    suite = suite_of(game)
    if suite is None:
        raise InputError(f"{game.spec.id} has no shortcuts; a game offers them in TextGame.shortcuts")
    played = _Profiles(game, suite, matches, seed)
    compared = [(shortcut, played.compared(shortcut)) for shortcut in suite.every()]
    z = NormalDist().inv_cdf(1 - _LEVEL / 2 / max(1, sum(len(_keys(s, found)) for s, found in compared)))
    rows = tuple(_row(s, key, found, z) for s, found in compared for key in _keys(s, found))
    scaled = {row.role for row in rows if row.half is not None}
    unscaled = {role for role in suite.honest if role not in scaled}
    return ShortcutReport(game.spec.id, matches, seed, rows, tuple(sorted(unscaled)))


class _Compared(NamedTuple):
    """The rewards of a shortcut, and of honest and competent play in its place."""

    shortcut: Rewards
    honest: Rewards
    competent: Rewards


class _Profiles:
    """Plays joint policies, each once."""

    def __init__(self, game: TextGame, suite: ShortcutSuite, matches: int, seed: int) -> None:
        self._game, self._suite, self._matches, self._seed = game, suite, matches, seed
        self._played: dict[tuple[Scripted | None, ...], Rewards] = {}

    def compared(self, shortcut: Shortcut) -> _Compared:
        """The rewards of three ways to play the roles of a shortcut."""
        ways = {
            f"shortcut {shortcut.name!r}": shortcut.plays,
            "the policy `honest`": self._suite.honest,
            "the policy `competent`": self._suite.competent,
        }
        found = (self._rewards(of, {r: w[r] for r in shortcut.plays}, shortcut.against) for of, w in ways.items())
        return _Compared(*found)

    def _rewards(self, label: str, plays: Mapping[str, Scripted], against: Mapping[str, Scripted]) -> Rewards:
        roles = dict.fromkeys(self._game.spec.seats.values())
        partners = [self._partner(role, against)[0] for role in roles]
        key = (*map(plays.get, roles), *partners)
        if key not in self._played:
            self._played[key] = rewards_of(self._matches_of(label, plays, against), _PLAYS)
        return self._played[key]

    def _matches_of(self, label: str, plays: Mapping[str, Scripted], against: Mapping[str, Scripted]) -> list[Episode]:
        """The matches of a joint policy. All joint policies play the same seeds."""
        spec, seated = self._game.spec, {}
        mine = self._suite.seats(spec, plays)
        for seat, role in spec.seats.items():
            if seat in mine:
                seated[seat] = ScriptedPlayer(_PLAYS, plays[role], label)
            else:
                seated[seat] = ScriptedPlayer(_PARTNER, *self._partner(role, against))
        return [self._play(seated, derive(self._seed, "shortcuts", n)) for n in range(self._matches)]

    def _partner(self, role: str, against: Mapping[str, Scripted]) -> tuple[Scripted, str]:
        """The policy of a role that is not compared, and its name in messages."""
        if role in against:
            return against[role], "a policy of `against`"
        name = "partners" if role in self._suite.partners else "competent"
        return self._suite.partner(role), f"the policy `{name}`"

    def _play(self, seated: Mapping[str, ScriptedPlayer], seed: int) -> Episode:
        plan = MatchPlan(f"{seed}", self._game.spec.id, seed, {seat: p.name for seat, p in seated.items()})
        if self._game.blocking:
            episode = event_loop.run(play_match_async(self._game, plan, seated, _STRICT))
        else:
            episode = play_match(self._game, plan, seated, _STRICT)
        if failed := next((player.failure for player in seated.values() if player.failure), ""):
            raise InputError(f"{self._game.spec.id}: {failed}")
        return episode


def rewards_of(episodes: Sequence[Episode], player: str) -> Rewards:
    """The rewards of the seats of a player, by role: its credits and its returns. Void matches have none."""
    sums: dict[tuple[str, str], dict[str, list[float]]] = {}
    for credit in credits_of(episodes, {player}):
        name = f"credit {credit.phase}".rstrip()
        sums.setdefault((credit.role, name), {}).setdefault(credit.match, []).append(credit.reward)
    for episode in episodes:
        for seat, role in episode.roles.items():
            if episode.seats[seat] == player and episode.status != "void":
                row = sums.setdefault((role, RETURN), {})
                row.setdefault(episode.match, []).append(episode.returns[seat])
    return {key: [fmean(values) for values in of.values()] for key, of in sums.items()}


def _keys(shortcut: Shortcut, found: _Compared) -> list[tuple[str, str]]:
    """The rewards that all three ways have; returns only if they are not the credit and show what the shortcut does."""
    both = [key for key in found.shortcut if key in found.honest and key in found.competent]
    return [
        (role, reward)
        for role, reward in both
        if reward != RETURN or not (shortcut.batch or all(of.get((role, "credit")) == of[role, RETURN] for of in found))
    ]


def _row(shortcut: Shortcut, key: tuple[str, str], found: _Compared, z: float) -> ShortcutRow:
    mine, honest, competent = (_earned(of[key], z) for of in found)
    above = _above(competent, honest)
    level = honest.mean + (competent.mean - honest.mean) / 2 if above else None
    failure: Failure = ""
    if _above(mine, honest):
        failure = "earns more than random honest play"
    elif level is not None and mine.mean >= level:
        failure = "reaches half of a competent player"
    low, high = mine.mean - mine.half, mine.mean + mine.half
    return ShortcutRow(*_named(key, shortcut), mine.mean, low, high, honest.mean, competent.mean, level, failure)


def _named(key: tuple[str, str], shortcut: Shortcut) -> tuple[str, str, str]:
    return key[0], shortcut.name, key[1]


def _earned(values: Sequence[float], z: float) -> Earned:
    spread = variance(values) / len(values) if len(values) > 1 else 0.0
    return Earned(fmean(values), z * spread**0.5)


def _above(one: Earned, other: Earned) -> bool:
    """Whether one mean is above another beyond the interval of their difference."""
    return one.mean - other.mean > math.hypot(one.half, other.half) + 1e-9


def report_lines(report: ShortcutReport) -> list[str]:
    """The report as a table, with the failures last."""
    head = f"{report.game}: {len(report.rows)} rewards of shortcuts, {report.matches} matches each, seed {report.seed}"
    wide = max((len(row.policy) for row in report.rows), default=6)
    lines = [head, f"{'role':<13} {'shortcut':<{wide}} {'reward':<15} {'mean':>7} {'interval':^17} honest  competent"]
    for row in report.rows:
        interval, verdict = f"[{row.low:+.3f}, {row.high:+.3f}]", f"FAIL {row.failure}" if row.failure else "pass"
        lines.append(
            f"{row.role:<13} {row.policy:<{wide}} {row.reward:<15} {row.mean:>+7.3f} {interval:<17} "
            f"{row.honest:>+6.3f} {row.competent:>+10.3f}  {verdict}"
        )
    why = "no reward tells a competent player from random honest play"
    hint = "if its seats play against each other, name the role in `alone` of the suite, else improve `competent`"
    lines += [f"FAIL {role}: {why}; {hint}" for role in report.unscaled]
    failed = sum(not row.ok for row in report.rows)
    return [*lines, f"{'ok' if report.ok else 'FAILED'}: {failed} of {len(report.rows)} rewards pay a shortcut"]
