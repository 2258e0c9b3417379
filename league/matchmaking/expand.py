"""From pairings to planned matches: every rotation of the players over the seats, all on one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.match import MatchPlan
from games.randomness import derive
from league.matchmaking.matchmaker import Pairing
from league.ratings import GameInfo
from league.records import PlannedMatch


def rotations(players: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Each player takes each seat once; for two players both orders. Rotations that are the same are kept once."""
    return list(dict.fromkeys(players[i:] + players[:i] for i in range(len(players))))


def expand(
    pairings: Sequence[Pairing], games: Mapping[str, GameInfo], *, run: str, seed: int, round: int, start: int
) -> list[PlannedMatch]:
    """The matches of one round, in plan order from index `start`.

    The seed of a pairing depends on the run's seed, the game, the round and the pairing's id, on nothing else.
    Raises ValueError for a pairing that does not fill its game's seats.
    """
    planned: list[PlannedMatch] = []
    for number, pairing in enumerate(pairings):
        seats = games[pairing.game].seats
        if len(pairing.players) != len(seats):
            raise ValueError(f"{pairing.game} has {len(seats)} seats; the pairing has {len(pairing.players)} players")
        id = f"r{round:04d}-p{number:05d}"
        shared = derive(seed, pairing.game, round, id)
        for players in rotations(pairing.players):
            index = start + len(planned)
            plan = MatchPlan(f"{run}-{index:06d}", pairing.game, shared, dict(zip(seats, players, strict=True)))
            planned.append(PlannedMatch(index, round, id, plan))
    return planned
