"""The frame of the matchmakers that look at results: small rounds, each planned from all results before it.

A round is about as many matches as are in flight, so that nobody waits long for its end and every choice knows
nearly all that was played. Each choice of a round counts on the ones before it being played: they are spread over
players and pairs instead of repeating the best one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from itertools import combinations

import numpy as np

from games import InputError
from games.randomness import derive
from league.matchmaking._arrays import Array, Generator
from league.matchmaking.bridging import SHARE, bridges, due
from league.matchmaking.groups import Group, best_group
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.posterior import Posterior, fit, information
from league.matchmaking.table import Table, table_of
from league.matchmaking.tables import interleave
from league.records import Result

BATCH = 32
"""Matches per round."""


class Adaptive(Matchmaker):
    """`rounds` rounds of about `batch` matches, shared out evenly among the games (at least one pairing of each).

    `bridge`: the share of pairings that test the gaps which the results hardly test (`bridging`), in [0, 1]; without
    them the gap of two groups may rest on the prior alone. `explore`: the share drawn at random. `mirrored`: every
    pairing is played with the seats rotated on one seed; False: once, everybody taking either seat of a game of two
    equally often, or nearly. Single matches tell more each, as more pairs meet, where neither seed nor seat decides
    much. "auto": single in a game of two sides that is not rated by pairing, until a seat shows an edge (`Table.edge`).
    """

    def __init__(
        self, batch: int = BATCH, explore: float = 0.0, mirrored: bool | str = True, bridge: float = 0.0
    ) -> None:
        name = type(self).__name__
        if not isinstance(batch, int) or batch < 1:
            raise InputError(f"{name}(batch={batch}): batch is a number of matches, a whole number of at least 1")
        for key, share in (("explore", explore), ("bridge", bridge)):
            if isinstance(share, bool) or not isinstance(share, int | float) or not 0.0 <= share <= 1.0:
                raise InputError(f"{name}({key}={share}): {key} is a share from 0 to 1")
        if explore + bridge > 1.0:
            raise InputError(f"{name}(explore={explore}, bridge={bridge}): together they are at most 1")
        if not isinstance(mirrored, bool) and mirrored != "auto":
            raise InputError(f"{name}(mirrored={mirrored!r}): mirrored is true, false or auto")
        self.batch, self.mirrored = batch, mirrored
        self.explore, self.bridge = float(explore), float(bridge)

    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The pairings of a round, from the results of those before it."""
        if round >= field.rounds:
            return None
        return tuple(interleave([self._game(field, game, round, log) for game in field.games]))

    def total(self, field: Field) -> int:
        """Rounds times the matches of one."""
        return field.rounds * sum(self._pairings(field, game) * self._matches(field, game) for game in field.games)

    @property
    def told(self) -> float:
        """What a pairing tells about each two of its players, in matches of two (for more seats a little more)."""
        return 2.0 if self.mirrored else 1.0

    def _matches(self, field: Field, game: str) -> int:
        """Of one pairing, or of those that "auto" plays in the place of a mirrored one."""
        return field.games[game].size if self.mirrored else 1

    def _pairings(self, field: Field, game: str) -> int:
        return max(1, self.batch // self._matches(field, game) // len(field.games))

    def _game(self, field: Field, game: str, round: int, log: Sequence[Result]) -> list[Pairing]:
        info, name = field.games[game], type(self).__name__
        if info.size < 2:
            raise InputError(f"{name} needs games of two or more seats; {game!r} has one")
        if not self.mirrored and info.by_pairing:
            raise InputError(f"{game!r} is rated by whole pairings: leave out mirrored=false")
        rng = np.random.default_rng(derive(field.seed, name, game, round))
        table = table_of(field, game, round, log)
        total, rule = self._pairings(field, game), self
        if self.mirrored == "auto":
            rule = copy(self)
            rule.mirrored = info.size > 2 or info.by_pairing or table.edge
            total *= 1 if rule.mirrored else info.size
        tests = due(self.bridge, round, total)
        free = int(rng.binomial(total - tests, self.explore / (1.0 - self.bridge))) if self.explore else 0
        groups = rule.choose(table, total - free - tests, info.size, rng)
        groups += bridges(table.wins, tests, info.size, rule.told, rng) if tests else []
        groups += [tuple(rng.choice(table.size, info.size, replace=False).tolist()) for _ in range(free)]
        seated = [_by_lot(group, rng) for group in groups]
        if not rule.mirrored and info.size == 2:
            seated = _in_turn(seated, table.seated[:, 0] - table.seated[:, 1])
        return [Pairing(game, tuple(table.names[i] for i in group), bool(rule.mirrored)) for group in seated]

    @abstractmethod
    def choose(self, table: Table, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """So many groups of `seats` different players, as places in `table.names`."""


class Greedy(Adaptive):
    """Chooses by a worth of each pair; the best group first, then the best given that one, and so on.

    Nobody sits at more tables of a round than an even share of them, rounded up, and `spare` more, but for the last to
    be seated.
    """

    spare = 0

    def __init__(
        self, batch: int = BATCH, explore: float = 0.0, mirrored: bool | str = True, bridge: float = SHARE
    ) -> None:
        super().__init__(batch, explore, mirrored, bridge)

    def choose(self, table: Table, pairings: int, seats: int, rng: Generator) -> list[Group]:
        """The groups whose pairs are worth most."""
        posterior, met = fit(table.counts), table.met.copy()
        used = np.zeros(table.size)
        groups: list[Group] = []
        for _ in range(pairings):
            worth = self.worth(posterior, met) * rng.uniform(1.0, 1.0 + 1e-9, met.shape)  # lots among equals
            group = best_group(np.minimum(worth, worth.T), used < _share(used, pairings, seats, self.spare), seats)
            expected = information(posterior)
            for i, j in combinations(group, 2):
                posterior = posterior.seen(i, j, self.told * float(expected[i, j]))
                met[i, j] += 1
                met[j, i] += 1
            used[list(group)] += 1
            groups.append(group)
        return groups

    @abstractmethod
    def worth(self, posterior: Posterior, met: Array) -> Array:
        """What a pairing of each two is worth, not negative: (n, n), symmetric. `met`: pairings they had."""


def _share(used: Array, pairings: int, seats: int, spare: int) -> float:
    """The number of tables below which a player may sit at one more; enough players are always left."""
    share = float(np.ceil(pairings * seats / len(used))) + spare
    while (used < share).sum() < seats:
        share += 1.0
    return share


def _by_lot(group: Group, rng: Generator) -> Group:
    """Who sits first is drawn by lot: the rotations make it even, the first match of a pairing would not be."""
    return tuple(group[i] for i in rng.permutation(len(group)))


def _in_turn(groups: Sequence[Group], lead: Array) -> list[Group]:
    """Pairs, first who sat first less often so far; as they are where both did alike. `lead`: (n,) matches sat first
    more than second.
    """
    lead = lead.copy()
    out: list[Group] = []
    for a, b in groups:
        first, second = (b, a) if lead[a] > lead[b] else (a, b)
        lead[first] += 1
        lead[second] -= 1
        out.append((first, second))
    return out
