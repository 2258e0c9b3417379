"""Base classes of the matchmakers that depend on results. They plan small rounds, each from all earlier results.

A round has about as many matches as run concurrently, so that few workers wait for its end and each choice knows most
results. Each choice assumes that the earlier choices of its round are played, which spreads a round over players and
pairs instead of repeating the best pair.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from itertools import combinations
from math import ceil
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Interval

from games import InputError
from games.randomness import derive
from league.matchmaking.arrays import Array, Generator
from league.matchmaking.bridging import SHARE, bridges, bridging_count
from league.matchmaking.designs import interleave
from league.matchmaking.groups import Group, best_group
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.matchmaking.results_table import ResultsTable, table_of
from league.matchmaking.skill_belief import SkillBelief, fit, information
from league.records.game_info import GameInfo
from league.records.matches import Result

BATCH = 32
"""matches per round"""

Batch = Annotated[int, Ge(1)]
Share = Annotated[float, Interval(ge=0, le=1)]
Mirrored = bool | Literal["auto"]


class Adaptive(Matchmaker):
    """Plans `rounds` rounds of about `batch` matches, divided evenly among the games, at least one pairing for each.

    `bridge` is the share of pairings that test gaps which few results test (see `bridging`); without them the gap
    between two groups may depend on the prior alone.

    With `mirrored`, every pairing is played once per rotation of the seats, on one seed. Without it, a pairing is one
    match, and players take both seats of a two-sided game about equally often. Single matches let more pairs meet, so
    they say more if neither seed nor seat decides much. "auto" plays single matches in two-sided games that are not
    rated by pairing, until a seat shows an advantage (`ResultsTable.seat_advantage`).
    """

    def __init__(self, batch: Batch = BATCH, mirrored: Mirrored = True, bridge: Share = 0.0) -> None:
        self.batch, self.mirrored, self.bridge = batch, mirrored, float(bridge)

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the pairings of a round, from the results of the earlier rounds."""
        if round >= context.rounds:
            return None
        return tuple(interleave([self._game(context, game, round, log) for game in context.games]))

    def total(self, context: PairingContext) -> int:
        """Returns the number of rounds times the matches per round."""
        for game in context.games:
            self._checked(context, game)
        each = (self._pairings(context, game) * self._matches(context, game) for game in context.games)
        return context.rounds * sum(each)

    @property
    def evidence(self) -> float:
        """How much a pairing says about two of its players, in matches of two (slightly more for more seats)."""
        return 2.0 if self.mirrored else 1.0

    def opening(self, players: int) -> int:
        """Returns how many pairings of each player are its opening, in which nothing is bridged."""
        return 0

    def _checked(self, context: PairingContext, game: str) -> GameInfo:
        """Returns what is known of a game. Raises InputError if these pairings cannot use it."""
        info = context.games[game]
        if info.size < 2:
            raise InputError(f"this pairing needs games of two or more seats; {game!r} has one: use round-robin")
        if not self.mirrored and info.by_pairing:
            raise InputError(f"{game!r} is rated by whole pairings: remove mirrored=false")
        return info

    def _matches(self, context: PairingContext, game: str) -> int:
        """Returns the matches of a pairing, or the single matches that "auto" plays instead of it."""
        return context.games[game].size if self.mirrored else 1

    def _pairings(self, context: PairingContext, game: str) -> int:
        return max(1, self.batch // self._matches(context, game) // len(context.games))

    def _game(self, context: PairingContext, game: str, round: int, log: Sequence[Result]) -> list[Pairing]:
        info = self._checked(context, game)
        rng = np.random.default_rng(derive(context.seed, type(self).__name__, game, round))
        table = table_of(context, game, round, log)
        total, rule = self._pairings(context, game), self
        if self.mirrored == "auto":
            rule = copy(self)
            rule.mirrored = info.size > 2 or info.by_pairing or table.seat_advantage
            total *= 1 if rule.mirrored else info.size
        late = round - ceil(rule.opening(table.size) * table.size / (total * info.size))
        tests = bridging_count(self.bridge, late, total) if late >= 0 else 0
        groups = rule.choose(table, total - tests, info.size, rng)
        groups += bridges(table.wins, tests, info.size, rule.evidence, rng) if tests else []
        seated = [tuple(group[i] for i in rng.permutation(len(group))) for group in groups]
        if not rule.mirrored and info.size == 2:
            seated = _alternate_seats(seated, table.seated[:, 0] - table.seated[:, 1])
        return [Pairing(game, tuple(table.names[i] for i in group), bool(rule.mirrored)) for group in seated]

    @abstractmethod
    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns `pairings` groups of `seats` different players, as indices into `table.names`."""


class Greedy(Adaptive):
    """Chooses the group with the most valuable pairs, then the best group given the first, and so on.

    In one round nobody sits at more tables than an even share, rounded up, plus `spare`, except the players that fill
    the last table. In the `opening` all play equally often.
    """

    spare = 0

    def __init__(self, batch: Batch = BATCH, mirrored: Mirrored = True, bridge: Share = SHARE) -> None:
        super().__init__(batch, mirrored, bridge)

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns the groups whose pairs have the highest values."""
        belief, meetings = fit(table.counts), table.meetings.copy()
        used = np.zeros(table.size)
        groups: list[Group] = []
        for _ in range(pairings):
            value = _even(self.value(belief, meetings), meetings, self.opening(table.size))
            value *= rng.uniform(1.0, 1.0 + 1e-9, meetings.shape)  # random order of equals
            group = best_group(np.minimum(value, value.T), used < _most(used, pairings, seats, self.spare), seats)
            expected = information(belief)
            for i, j in combinations(group, 2):
                belief = belief.after_match(i, j, self.evidence * float(expected[i, j]))
                meetings[i, j] += 1
                meetings[j, i] += 1
            used[list(group)] += 1
            groups.append(group)
        return groups

    @abstractmethod
    def value(self, belief: SkillBelief, meetings: Array) -> Array:
        """Returns (n, n), the value of each pairing, symmetric, not negative. `meetings` counts the pairings."""


def _even(value: Array, meetings: Array, opening: int) -> Array:
    """Returns values (n, n) that put the players with the fewest pairings first, in the opening."""
    played = meetings.sum(1)
    if played.mean() >= opening:
        return value
    fewer = played.max() - played
    return np.asarray(value / max(float(value.max()), 1e-300) + np.add.outer(fewer, fewer), np.float64)


def _most(used: Array, pairings: int, seats: int, spare: int) -> float:
    """Returns a limit of tables per player: those below it may take another one, always at least `seats` players."""
    most = float(np.ceil(pairings * seats / len(used))) + spare
    while (used < most).sum() < seats:
        most += 1.0
    return most


def _alternate_seats(groups: Sequence[Group], lead: Array) -> list[Group]:
    """Returns pairs in which the player that sat first less often sits first; equal pairs stay as they are.

    `lead` (n,) is how many more matches each player sat first than second.
    """
    lead = lead.copy()
    out: list[Group] = []
    for a, b in groups:
        first, second = (b, a) if lead[a] > lead[b] else (a, b)
        lead[first] += 1
        lead[second] -= 1
        out.append((first, second))
    return out


class Random(Adaptive):
    """Draws every group at random; bridging matches only if `bridge` asks for them."""

    def choose(self, table: ResultsTable, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """Returns independent groups."""
        return [tuple(rng.choice(table.size, seats, replace=False).tolist()) for _ in range(pairings)]
