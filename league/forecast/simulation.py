"""Simulates a tournament: the run's own matchmaker and stop rules, and matches that TrueSkill's model decides.

A side performs with the mean skill of its players plus normal noise of standard deviation beta (Herbrich et al. 2006),
and two sides draw if their performances differ by less than the draw margin of the game. In games that a whole pairing
decides, a player performs once in a pairing. Matches of a pairing have one task, which adds to the performance of a
player what it is worth to it, the same each time it comes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import pi, sin, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

import msgspec
import numpy as np

from league.matchmaking.planner import Planner
from league.outcomes.outcome import RankDecision, ranks_of
from league.outcomes.sides import is_counted
from league.ratings import SkillDraws
from league.ratings.online import draw_probability
from league.records.game_info import GameInfo
from league.records.leaderboard import MatchCounts
from league.records.matches import PlannedMatch, Result, SeatResult
from league.records.run_spec import RunSpec
from league.runs.ratings import ratings_for
from league.stopping import StopMonitor

_PSEUDO = 10.0
"""pairs of matches without anything in common that are added, since few say little"""
_MOST = 0.9
"""of the variance of a gap: more cannot be told from a task that decides"""
_NORMAL = NormalDist()


class GameTasks(NamedTuple):
    """The tasks of a game: `tasks` are numbers as in `Result.task`, of which each pairing has one; `luck` is the
    standard deviation, in beta, of what a task is worth to a player, measured on matches.

    The number of tasks is Chao's estimate from those that came once and twice (Chao, "Nonparametric estimation of the
    number of classes in a population", 1984, in its form without bias). A task suits a player by a normal amount; its
    variance is that of the scores that two matches of the same two players on one task share.
    """

    tasks: tuple[int, ...] = ()
    luck: float = 0.0

    @classmethod
    def of(cls, game: str, results: Iterable[Result], info: GameInfo) -> GameTasks:
        """Returns the tasks of a game from which the results are drawn; none if they have none."""
        posed = [one for one in results if one.game == game and one.task]
        times = Counter(task for task, _ in {(one.task, one.pairing) for one in posed})
        once, twice = (sum(n == number for n in times.values()) for number in (1, 2))
        unseen = round(once * (once - 1) / (2 * (twice + 1)))
        rng = np.random.default_rng(len(times))
        others = rng.integers(1, 2**32, unseen).tolist()
        return cls((*sorted(times), *others), _luck(posed, info))

    def draw(self, rng: np.random.Generator) -> int:
        """Returns the task of a pairing; 0 if the game has none."""
        return self.tasks[rng.integers(len(self.tasks))] if self.tasks else 0


def _luck(results: Iterable[Result], info: GameInfo) -> float:
    """Returns the standard deviation of what a task is worth to a player, in beta; 0 without two matches of it."""
    scores: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in results:
        names = [seat.player for seat in one.seats]
        if len(names) == 2 and info.rated and not info.by_pairing and is_counted(one, info):
            ((first, second),) = ranks_of((one,), info)
            points = 0.5 * (1 + (first < second) - (first > second))
            low, high = sorted(names)
            scores[low, high][one.task].append(points if names[0] == low else 1.0 - points)
    total, pairs = 0.0, 0
    for tasks in scores.values():
        mean = fmean(score for same in tasks.values() for score in same)
        if 0.0 < mean < 1.0:
            shared = [(a - mean) * (b - mean) for same in tasks.values() for a, b in combinations(same, 2)]
            total += sum(shared) / _NORMAL.pdf(_NORMAL.inv_cdf(mean)) ** 2
            pairs += len(shared)
    # Of normal gaps that are cut at their median this is the correlation (Sheppard 1899), near it otherwise.
    share = min(_MOST, sin(min(pi / 2.0, max(0.0, total / (pairs + _PSEUDO)))))
    return sqrt(share / (1.0 - share))


Tokens = Callable[[str, str], int]
"""game and player -> completion tokens of a match"""
Matchup = tuple[str, tuple[str, ...]]
"""a game and its players, sorted"""


@dataclass(frozen=True, slots=True)
class SimulatedEnd:
    """How a simulated tournament ended."""

    matches: int
    """without those that were played before"""
    kinds: Mapping[Matchup, int]
    """game and players -> matches"""
    stopped: bool
    """whether a stop rule ended it; otherwise its rounds did, or `limit`"""
    limited: bool


class _World:
    """What is drawn for one simulated league: `skills`, tasks of pairings, performances, and what tasks are worth."""

    def __init__(self, skills: Mapping[str, float], rng: np.random.Generator) -> None:
        self.rng = rng
        self._skills = skills
        self._tasks: dict[tuple[str, str], int] = {}
        self._worth: dict[tuple[int, str], float] = {}
        self._performances: dict[tuple[str, str], float] = {}

    def task(self, game: str, pairing: str, pool: GameTasks) -> int:
        """Returns the task of a pairing."""
        if (game, pairing) not in self._tasks:
            self._tasks[game, pairing] = pool.draw(self.rng)
        return self._tasks[game, pairing]

    def performance(self, unit: str, players: Sequence[str], beta: float, task: int, luck: float) -> float:
        """Returns how well a side plays, once for each unit."""
        key = unit, players[0]
        if key not in self._performances:
            mean = sum(self._skills[player] + beta * self._gain(task, player, luck) for player in players)
            self._performances[key] = mean / len(players) + beta * float(self.rng.standard_normal())
        return self._performances[key]

    def _gain(self, task: int, player: str, luck: float) -> float:
        """Returns what a task is worth to a player, in beta."""
        if not task or not luck:
            return 0.0
        if (task, player) not in self._worth:
            self._worth[task, player] = luck * float(self.rng.standard_normal())
        return self._worth[task, player]


class LeagueSimulator:
    """Simulates one league after another. `played`: results so far, in plan order, without a gap. `tasks`: those of
    the games that have any.
    """

    def __init__(
        self,
        spec: RunSpec,
        played: Sequence[Result],
        tokens: Tokens,
        limit: int,
        alive: Callable[[], bool],
        tasks: Mapping[str, GameTasks] = {},
    ) -> None:
        self._tasks = tasks
        self._spec, self._played, self._tokens, self._limit, self._alive = spec, played, tokens, limit, alive
        beta = spec.ratings.beta
        chances = {game: draw_probability(game, spec.ratings) for game in spec.games}
        self._margins = {g: NormalDist().inv_cdf(0.5 + 0.5 * p) * beta * 2**0.5 for g, p in chances.items()}

    def run(self, skills: Mapping[str, float], rng: np.random.Generator) -> SimulatedEnd | None:
        """Plays a tournament of players with these skills; None if `alive` turned false before its end."""
        monitor, decision, log = StopMonitor(self._spec), RankDecision(self._spec.games), list(self._played)
        monitor.add(log)
        start, kinds = len(log), Counter[Matchup]()
        world = _World(skills, rng)
        for planned in () if monitor.reason else self._plan(log):
            if len(log) - start == self._limit:
                return SimulatedEnd(self._limit, kinds, stopped=False, limited=True)
            if not self._alive():
                return None
            result = self._result(planned, world)
            log.append(msgspec.structs.replace(result, seq=len(log) + 1, ranks=decision.ranks(result)))
            kinds[result.game, tuple(sorted({seat.player for seat in result.seats}))] += 1
            monitor.add(log[-1:])
            if monitor.reason:
                break
        return SimulatedEnd(len(log) - start, kinds, stopped=bool(monitor.reason), limited=False)

    def _plan(self, log: Sequence[Result]) -> Iterator[PlannedMatch]:
        """Yields the matches after those of `log`, to which each is added before the next is asked for."""
        planner = Planner(self._spec)
        while planned := planner.extend(log[-1].round + 1 if log else 0, len(log), log if planner.needs_log else ()):
            yield from planned

    def _result(self, planned: PlannedMatch, world: _World) -> Result:
        """Returns the result of a planned match."""
        match, info, beta = planned.match, self._spec.games[planned.match.game], self._spec.ratings.beta
        pool = self._tasks.get(match.game, GameTasks())
        task = world.task(match.game, planned.pairing, pool)
        unit = planned.pairing if info.by_pairing else match.id
        scores: dict[str, float] = {}
        for side in info.sides:
            players = [match.seats[seat] for seat in side]
            scores |= dict.fromkeys(side, world.performance(unit, players, beta, task, pool.luck))
        if len(info.sides) == 2 and max(scores.values()) - min(scores.values()) < self._margins[match.game]:
            scores = dict.fromkeys(scores, 0.0)
        seats = tuple(
            SeatResult(seat, "", player, scores[seat], tokens=self._tokens(match.game, player))
            for seat, player in match.seats.items()
        )
        cell = int(world.rng.integers(1, 2**62))  # no match repeats another
        return Result(
            planned.index, planned.round, planned.pairing, match.id, match.game, match.seed, "finished", "", seats, 0.0,
            transcript=cell, task=task,
        )  # fmt: skip


class SkillPrior:
    """What is known of each player's skill: the board's draws of all skills together, after earlier results; else the
    prior of the run's rating settings. An anchor keeps its rating.
    """

    def __init__(self, spec: RunSpec, results: Sequence[Result]) -> None:
        prior = spec.ratings.mu, spec.ratings.sigma
        self.players = tuple(spec.plays)
        self.normal = dict.fromkeys(self.players, prior)
        """player -> mean and standard deviation of what the draws do not hold"""
        self.normal |= {a.player: (a.rating, a.sd) for a in spec.ratings.anchors if a.player in self.normal}
        self.posterior: SkillDraws | None = None
        if results:
            ratings = ratings_for(spec)
            ratings.add(results)
            ratings.final("", MatchCounts())
            self.posterior = ratings.posterior()

    def draw(self, rng: np.random.Generator) -> Mapping[str, float]:
        """Returns one possible skill of each player."""
        skills = {player: float(rng.normal(mean, sd)) for player, (mean, sd) in self.normal.items()}
        if (posterior := self.posterior) is not None:
            column = posterior.skills[:, rng.integers(posterior.skills.shape[1])].tolist()
            skills |= {
                p: skill for p, skill, played in zip(posterior.players, column, posterior.played, strict=True) if played
            }
        return {player: skills[player] for player in self.players}
