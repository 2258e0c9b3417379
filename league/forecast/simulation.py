"""Simulates a tournament: the run's own matchmaker and stop rules, and matches that TrueSkill's model decides.

A side performs with the mean skill of its players plus normal noise of standard deviation beta (Herbrich et al. 2006),
and two sides draw if their performances differ by less than the draw margin of the game. In games that a whole pairing
decides, a player performs once in a pairing. Matches of a pairing have one task, which adds to the performance of a
player what it is worth to it, the same each time it comes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import msgspec
import numpy as np

from league.forecast.game_tasks import GameTasks
from league.matchmaking.planner import Planner
from league.outcomes.outcome import RankDecision
from league.ratings import SkillDraws
from league.ratings.online import draw_probability
from league.records.leaderboard import MatchCounts
from league.records.matches import PlannedMatch, Result, SeatResult
from league.records.run_spec import RunSpec
from league.runs.ratings import ratings_for
from league.stopping import StopMonitor

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
