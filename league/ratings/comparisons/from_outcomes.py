"""From outcomes to comparisons of two players, which the batch fit counts.

An outcome among n > 2 players is broken into all its pairs. A pair's marginal probability is exactly that of the
two-player model with the same independent noise, so estimates stay consistent (Azari Soufiani et al. 2014, "Computing
parametric ranking models via rank-breaking"), but the pairs of one outcome are not independent. Counting each with
weight 3 / (n + 1) makes their information that of the whole ranking between equal players: by Kendall, the rank sum of
a player has variance (n^2 - 1) / 3, while n - 1 independent pairs would have n - 1 (a match of 2 weighs 1, a pair of a
match of 4 weighs 0.6).

A comparison records both seats if they may matter. In duplicate scoring they cancel: a general-sum outcome compares
players of the same seat, and in a pairing of a game with stakes each player takes each seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from league.outcomes.outcome import Outcome
from league.records.game_info import GameInfo

WIN, DRAW, LOSS = 0, 1, 2
"""The result of a comparison, as `a` sees it."""


class Cell(NamedTuple):
    """Who is compared with whom, in which seats. Seats are places among the game's sides.

    `size`: how many players the outcome ranks.
    """

    game: str
    a: str
    b: str
    seat_a: int
    seat_b: int
    role_a: str
    role_b: str
    size: int


Comparison = tuple[Cell, int]
"""cell, WIN, DRAW or LOSS"""


def weight(size: int) -> float:
    """Returns the weight of each pair of an outcome among `size` players."""
    return 3.0 / (size + 1.0)


def comparisons(game: str, info: GameInfo, decided: Iterable[Outcome]) -> list[Comparison]:
    """Returns the comparisons of a pairing's outcomes.

    Outcomes that move no overall rating give none, nor do those in which different players share a team: a team's
    result does not compare two players. (TrueSkill rates such teams; a team that one player fills is that player.)
    """
    seats = {seat: place for place, side in enumerate(info.sides) for seat in side}
    out: list[Comparison] = []
    for outcome in decided:
        if outcome.rated and not outcome.roles_only and not outcome.groups:
            out += _pairs(game, outcome, [0 if info.stakes else seats[e.seat] for e in outcome.entries])
    return out


def _pairs(game: str, outcome: Outcome, places: Sequence[int]) -> list[Comparison]:
    seated = sorted(zip(places, outcome.entries, outcome.ranks, strict=True), key=lambda row: (row[0], row[1].player))
    size = len(seated)
    out = []
    for (place_a, a, rank_a), (place_b, b, rank_b) in combinations(seated, 2):
        if a.player != b.player:
            cell = Cell(game, a.player, b.player, place_a, place_b, a.role, b.role, size)
            out.append((cell, DRAW if rank_a == rank_b else WIN if rank_a < rank_b else LOSS))
    return out
