"""From pairings to planned matches: every rotation of the players over the sides, all on one seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.match import MatchPlan
from games import InputError
from games.randomness import derive
from league.matchmaking.matchmaker import Pairing
from league.ratings import GameInfo
from league.records import PlannedMatch


def rotations(players: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Each player takes each place once; for two players both orders. Rotations that are the same are kept once."""
    return list(dict.fromkeys(players[i:] + players[:i] for i in range(len(players))))


def seatings(info: GameInfo, players: Sequence[str]) -> list[dict[str, str]]:
    """Who sits where in each match of a pairing: seat -> player, in seat order; one match per rotation of the sides.

    One player per side fills all its seats. One player per seat, team by team, makes teams of several players; they
    rotate as they are. Raises InputError for another number of players, or such teams of unequal size.
    """
    sides = info.sides
    if len(players) == len(sides):
        found = [
            {seat: player for side, player in zip(sides, turn, strict=True) for seat in side}
            for turn in rotations(tuple(players))
        ]
    else:
        size = len(sides[0])
        if len(players) != len(info.seats) or any(len(side) != size for side in sides):
            raise InputError(
                f"{len(players)} players for {len(sides)} sides of {', '.join(str(len(s)) for s in sides)} seats; give "
                "one player per side, or one per seat where all teams are equally large"
            )
        seats = [seat for side in sides for seat in side]
        turns = [(*players[i * size :], *players[: i * size]) for i in range(len(sides))]
        found = [dict(zip(seats, turn, strict=True)) for turn in dict.fromkeys(turns)]
    return [{seat: by[seat] for seat in info.seats} for by in found]


def expand(
    pairings: Sequence[Pairing],
    games: Mapping[str, GameInfo],
    *,
    run: str,
    seed: int,
    round: int,
    start: int,
    openings: int = 0,
) -> list[PlannedMatch]:
    """The matches of one round, in plan order from index `start`, each with `openings` random moves first if its game
    has no chance: chance varies a match already.

    The seed of a pairing depends on the run's seed, the game, the round and the pairing's id, on nothing else.
    Raises InputError for a pairing that does not fill its game's sides.
    """
    planned: list[PlannedMatch] = []
    for number, pairing in enumerate(pairings):
        id = f"r{round:04d}-p{number:05d}"
        shared = derive(seed, pairing.game, round, id)
        info = games[pairing.game]
        matches, opening = seatings(info, pairing.players), 0 if info.chance else openings
        for seats in matches if pairing.mirrored else matches[:1]:
            index = start + len(planned)
            plan = MatchPlan(f"{run}-{index:06d}", pairing.game, shared, seats, opening=opening)
            planned.append(PlannedMatch(index, round, id, plan))
    return planned
