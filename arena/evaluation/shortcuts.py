"""Plays the shortcuts of a game and compares what they earn with honest play.

The rewards of a role are the credit that the learner maximises, by phase if the role has phases, and the return of the
game. Honest and competent play are those of the same roles against the same partners, on the same seeds.
`shortcut_report` gives the verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from types import MappingProxyType
from typing import NamedTuple

import games
from arena import event_loop
from arena.evaluation.shortcut_report import (
    Compared,
    RewardJudge,
    RoleScale,
    ShortcutReport,
    ShortcutRow,
    Values,
    report_lines,
)
from arena.learner.credit import credits_of
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.match import play as play_match
from arena.match import play_async as play_match_async
from arena.players.bots.scripted import ScriptedPlayer
from games import InputError, TextGame
from games.randomness import derive
from games.shortcuts import Scripted, Shortcut, ShortcutSuite, suite_of

RETURN = "return"
_STRICT = IllegalPolicy(retries=0)
"""a scripted policy would repeat an illegal message"""
_PLAYS, _PARTNER = "policy", "partner"
__all__ = [
    "Rewards", "RoleScale", "ShortcutReport", "ShortcutRow",
    "best_responses", "check_shortcuts", "episodes_of", "report_lines", "rewards_of",
]  # fmt: skip

Rewards = Mapping[tuple[str, str], Values]
"""(role, reward) -> match -> the mean over the seats that play the compared policy"""


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
    cells = [(s, key, ways.of(key)) for s, ways in compared for key in _keys(s, ways)]
    judge = RewardJudge(len(cells), matches)
    rows = tuple(judge.row(s, *key, of) for s, key, of in cells)
    scales = []
    for role in sorted(suite.honest):
        rewards: dict[str, list[Compared]] = {}
        for _, (played_role, reward), of in cells:
            if played_role == role:
                rewards.setdefault(reward, []).append(of)
        scales.append(judge.role(role, rewards))
    return ShortcutReport(game.spec.id, matches, seed, rows, tuple(scales))


def best_responses(id: str, role: str, matches: int = 200, seed: int = 0) -> dict[str, Values]:
    """Returns the credits of each policy of a family against the suite's partners, by match, best mean first.

    The honest and the competent policy are among them, as `honest` and `competent`. Raises InputError if the game
    offers no family for the role.
    """
    game = games.make(id)
    suite = suite_of(game)
    if suite is None or role not in suite.families:
        raise InputError(f"{game.spec.id} has no family of policies for the role {role!r:.60}")
    policies = {"competent": suite.competent[role], "honest": suite.honest[role], **suite.families[role]}
    credits = {
        name: rewards_of(episodes_of(id, {role: of}, matches, seed), _PLAYS)[role, "credit"]
        for name, of in policies.items()
    }
    return dict(sorted(credits.items(), key=lambda item: -fmean(item[1].values())))


def episodes_of(
    id: str,
    plays: Mapping[str, Scripted],
    matches: int = 200,
    seed: int = 0,
    against: Mapping[str, Scripted] = MappingProxyType({}),
) -> list[Episode]:
    """Plays matches of policies by role; `against`, else the suite's partners, play the other roles.

    The same seed gives the same matches as in `check_shortcuts`. Raises InputError for a game without a suite.
    """
    game = games.make(id)
    if (suite := suite_of(game)) is None:
        raise InputError(f"{game.spec.id} has no suite of policies; a game offers it in TextGame.shortcuts")
    return _Profiles(game, suite, matches, seed).matches_of("a policy", plays, against)


class _Ways(NamedTuple):
    """The rewards of a shortcut, and of honest and competent play in its place."""

    shortcut: Rewards
    honest: Rewards
    competent: Rewards

    def of(self, key: tuple[str, str]) -> Compared:
        """Returns one reward of the three."""
        return Compared(*(way[key] for way in self))


class _Profiles:
    """Plays joint policies, each once."""

    def __init__(self, game: TextGame, suite: ShortcutSuite, matches: int, seed: int) -> None:
        self._game, self._suite, self._matches, self._seed = game, suite, matches, seed
        self._played: dict[tuple[Scripted | None, ...], Rewards] = {}

    def compared(self, shortcut: Shortcut) -> _Ways:
        """Returns the rewards of three ways to play the roles of a shortcut."""
        others = {"honest": self._suite.honest, "competent": self._suite.competent}
        against = shortcut.against
        return _Ways(
            self._rewards(f"shortcut {shortcut.name!r}", shortcut.plays, {**against, **shortcut.allies}),
            *(
                self._rewards(f"the policy `{n}`", {r: w[r] for r in shortcut.plays}, against)
                for n, w in others.items()
            ),
        )

    def _rewards(self, label: str, plays: Mapping[str, Scripted], against: Mapping[str, Scripted]) -> Rewards:
        roles = dict.fromkeys(self._game.spec.seats.values())
        partners = [self._partner(role, against)[0] for role in roles]
        key = (*map(plays.get, roles), *partners)
        if key not in self._played:
            self._played[key] = rewards_of(self.matches_of(label, plays, against), _PLAYS)
        return self._played[key]

    def matches_of(self, label: str, plays: Mapping[str, Scripted], against: Mapping[str, Scripted]) -> list[Episode]:
        """Returns the matches of a joint policy. All joint policies play the same seeds."""
        spec, seated = self._game.spec, {}
        seats = self._suite.seats(spec, plays)
        for seat, role in spec.seats.items():
            if seat in seats:
                seated[seat] = ScriptedPlayer(_PLAYS, plays[role], label)
            else:
                seated[seat] = ScriptedPlayer(_PARTNER, *self._partner(role, against))
        return [self._play(seated, derive(self._seed, "shortcuts", n)) for n in range(self._matches)]

    def _partner(self, role: str, against: Mapping[str, Scripted]) -> tuple[Scripted, str]:
        """Returns the policy of a role that is not compared, and its name in messages."""
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
    """Returns the rewards of the seats of a player, by role: its credits and its returns. Void matches have none."""
    sums: dict[tuple[str, str], dict[str, list[float]]] = {}
    for credit in credits_of(episodes, {player}):
        name = f"credit {credit.phase}".rstrip()
        sums.setdefault((credit.role, name), {}).setdefault(credit.match, []).append(credit.reward)
    for episode in episodes:
        for seat, role in episode.roles.items():
            if episode.seats[seat] == player and episode.status != "void":
                row = sums.setdefault((role, RETURN), {})
                row.setdefault(episode.match, []).append(episode.returns[seat])
    return {key: {match: fmean(values) for match, values in of.items()} for key, of in sums.items()}


def _keys(shortcut: Shortcut, rewards: _Ways) -> list[tuple[str, str]]:
    """Returns the rewards that all three ways have; returns only if they are not the credit and show the shortcut."""
    both = [key for key in rewards.shortcut if key in rewards.honest and key in rewards.competent]
    return [
        (role, reward)
        for role, reward in both
        if reward != RETURN
        or not (shortcut.batch or all(of.get((role, "credit")) == of[role, RETURN] for of in rewards))
    ]
