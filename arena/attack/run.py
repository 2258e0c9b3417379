"""Attacks a game: one search for each role, then the best policies on fresh seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import NamedTuple

import games
from arena.attack.attacker import ideas
from arena.attack.collusion import hidden_policies
from arena.attack.grammar import Candidate, single_policies
from arena.attack.likeness import LikePlayers
from arena.attack.matches import RoleMatches
from arena.attack.report import (
    FLAT,
    LEVEL,
    AttackReport,
    Attempt,
    RoleAttack,
    ShareInterval,
    has_scale,
    quantile,
    share,
)
from arena.attack.search import FINALISTS, Halving
from arena.attack.survey import Survey, survey
from arena.attack.variants import key_of
from games import GameSpec, InputError, TextGame
from games.attack import policy_of, text_of
from games.attack.expression import Term
from games.randomness import derive
from games.shortcuts import Scripted, ShortcutSuite, suite_of

BUDGET = 20_000
LEAST = 2_000
"""matches of an attack on one role, at least: fewer give no interval"""
FRESH = 0.3
"""the share of the budget for fresh seeds"""
_COMPARED = 3
"""times that a policy is played to see whether it is a find: in two plain forms, and for what it says"""
_PLAIN = "it earns as much without the code, so the code hides nothing"
_KEPT_BY_NOBODY = "the role need not keep it: the game does not say that the plain message tells a secret"
_TASK = "it says in each turn what the competent player says, or the honest one that draws nothing: it does the task"
_AGREED = "other seats must know it, and they are strangers: it pays snapshots of one policy that share it"
_OPPOSED = "its partners are the opponents in a game of two sides, who lose what they give away"
_SKILLED = "its partners answer as the suite's do, or right: they are of more skill, and fail at nothing on purpose"
Progress = Callable[[int, int], None]
"""called with the matches played, and the budget"""


def attack(
    id: str,
    role: str | None = None,
    budget: int = BUDGET,
    seed: int = 0,
    progress: Progress = lambda played, budget: None,
    attacker: str | None = None,
) -> AttackReport:
    """Searches for policies that earn the reward of a role without its task, in `budget` matches for all roles.

    `attacker`: the id of a player, mostly a language model, whose messages in a few more matches join the policies.
    An interrupt (Ctrl-C) ends the search; the report then holds the best policies so far. Raises InputError.
    """
    game = games.make(id)
    suite = suite_of(game)
    if suite is None or not suite.honest:
        raise InputError(
            f"{game.spec.id} has no scripted policies; a game offers honest and competent ones in TextGame.shortcuts"
        )
    if role is not None and role not in suite.honest:
        raise InputError(f"{game.spec.id} has no policies for the role {role!r}; try: {', '.join(suite.honest)}")
    roles = [role] if role is not None else list(suite.honest)
    if budget < LEAST * len(roles):
        raise InputError(f"--budget must be at least {LEAST * len(roles):,} matches, {LEAST:,} a role; not {budget:,}")
    attacks: list[RoleAttack] = []
    one = _GameAttack(game, suite, budget // len(roles), seed, quantile(FINALISTS * len(roles)), attacker)
    for name in roles:
        before = len(attacks) * (budget // len(roles))
        result, whole = one.role(name, partial(_report, progress, before, budget))
        attacks.append(result)
        if not whole:
            return AttackReport(game.spec.id, seed, budget, tuple(attacks), interrupted=True)
    return AttackReport(game.spec.id, seed, budget, tuple(attacks))


def _report(progress: Progress, before: int, budget: int, played: int) -> None:
    progress(min(before + played, budget), budget)


class _GameAttack(NamedTuple):
    """What the attacks on all roles of a game share."""

    game: TextGame
    suite: ShortcutSuite
    budget: int
    seed: int
    z: float
    attacker: str | None

    def role(self, role: str, progress: Callable[[int], None]) -> tuple[RoleAttack, bool]:
        """Returns the attack on one role, and whether it was not interrupted."""
        surveys = survey(self.game, self.suite, self.seed)
        if self.attacker is not None:
            surveys[role].ideas = ideas(self.game.spec.id, self.suite, role, self.attacker, self.seed)
        every = _candidates(role, surveys)
        matches = RoleMatches(self.game, self.suite, role)
        search = Halving(matches, every, int(self.budget * (1 - FRESH)), self.seed)
        try:
            search.run(progress)
            return self._judged(search, matches, progress), True
        except KeyboardInterrupt:
            best = tuple(_attempt(search.candidates[arm], search.mean(arm)) for arm in search.best)
            return RoleAttack(role, len(every), search.searched, matches.played, attempts=best), False

    def _strangers(self, of: Candidate, role: str) -> str:
        """Returns why a code among seats does not count: they are strangers or opponents; "" if it counts."""
        alone = self.game.spec.strangers or role in self.suite.among_strangers
        if of.agreed and (alone or of.allied):
            return _AGREED
        return _OPPOSED if of.agreed and opposed(self.game.spec, of.plays) else ""

    def _task(self, of: Candidate, matches: RoleMatches, seeds: Sequence[int]) -> str:
        """Returns why a policy that plays alone does the task; "" if it says what no player of the suite says."""
        (role, expression), *partners = of.plays.items()
        if partners or of.allied:
            return ""
        matches.rewards({role: (policy := LikePlayers(policy_of(expression), self.suite, role))}, seeds)
        return _TASK if policy.whole else ""

    def _judged(self, search: Halving, matches: RoleMatches, progress: Callable[[int], None]) -> RoleAttack:
        """Plays the best policies, the honest and the competent one on fresh seeds.

        What a policy is compared with, and what it says, is looked at in as many matches as it plays, in all.
        """
        n = max(_COMPARED, int(self.budget * FRESH) // (2 * FINALISTS + 2))
        seeds = [derive(self.seed, "attack fresh", matches.role, i) for i in range(n)]

        def played(player: Scripted) -> dict[int, float]:
            return matches.rewards({matches.role: player}, seeds)

        honest, competent = played(self.suite.honest[matches.role]), played(self.suite.competent[matches.role])
        progress(matches.played)
        h, c = fmean(honest.values()), fmean(competent.values())
        scaled, attempts = has_scale(honest, competent, self.z), []
        for arm in search.best:
            candidate, rewards = search.candidates[arm], search.rewards(arm, seeds)
            progress(matches.played)
            if not rewards:
                continue
            attempt = _attempt(candidate, fmean(rewards.values()))
            if scaled:
                of = share(rewards, honest, competent, self.z)
                why_not = ""
                if of.value - of.half >= LEVEL:
                    part = seeds[: n // _COMPARED]
                    why_not = self._strangers(candidate, matches.role) or self._task(candidate, matches, part)
                    why_not = why_not or (_SKILLED if skilled_partners(candidate, matches.role) else "")
                    if candidate.plain is not None:
                        plain = (share(one, honest, competent, self.z) for one in search.plain_rewards(arm, part))
                        why_not = _PLAIN if any(one.value >= of.value - of.half for one in plain) else why_not
                        if candidate.family == "leak" and not matches.leak:
                            why_not = why_not or _KEPT_BY_NOBODY
                attempt = _attempt(candidate, attempt.mean, of, why_not)
            attempts.append(attempt)
        attempts.sort(key=lambda a: (not a.find, not a.task, -a.mean))
        played_all = (len(search.candidates), search.searched, matches.played, h, c, tuple(attempts))
        return RoleAttack(matches.role, *played_all, _remark(scaled, h, c))


def _candidates(role: str, surveys: Mapping[str, Survey]) -> list[Candidate]:
    """Returns all policies of the grammar for a role, without repetitions."""
    every = [*single_policies(surveys[role], surveys), *hidden_policies(surveys[role], surveys)]
    return list({key_of(c): c for c in reversed(every)}.values())[::-1]


def opposed(spec: GameSpec, roles: Iterable[str]) -> bool:
    """Returns whether a game is zero-sum between two sides, each of which has one of these roles."""
    sides = spec.teams or tuple((seat,) for seat in spec.seats)
    playing = [{spec.seats[seat] for seat in side} & set(roles) for side in sides]
    return spec.payoff == "zero_sum" and len(sides) == 2 and all(playing) and not playing[0] & playing[1]


def skilled_partners(of: Candidate, role: str) -> bool:
    """Returns whether all partners of a role play as those of the suite, but know the truth in some turns."""
    partners = [expression for other, expression in of.plays.items() if other != role]
    return bool(partners) and all(
        isinstance(e, Term)
        and e.name == "partner"
        and 'fact("truth")' in (text := text_of(e))
        and "decoded" not in text
        for e in partners
    )


def _attempt(of: Candidate, mean: float, part: ShareInterval | None = None, why_not: str = "") -> Attempt:
    plays = {role: text_of(expression) for role, expression in of.plays.items()}
    if part is None:
        return Attempt(of.family, plays, mean, allied=of.allied)
    low, high = part.value - part.half, part.value + part.half
    find, task = low >= LEVEL and not why_not, why_not == _TASK
    return Attempt(of.family, plays, mean, part.value, low, high, find, task, why_not, of.allied)


def _remark(scaled: bool, honest: float, competent: float) -> str:
    if not scaled:
        return "not verifiable: the competent player earns no more than random honest play"
    flat = competent > 0 and honest > FLAT * competent
    return f"flat: random honest play earns {honest / competent:.0%} of the competent reward" if flat else ""
