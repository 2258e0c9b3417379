"""Planned matches: the only code that numbers matches and assigns their seeds and seats.

Tournaments expand the pairings of a matchmaker (`expand`). Trainings, their rated leagues and their gates choose the
players of a pairing themselves and plan its matches with `plan_pairing`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from arena.match import MatchPlan
from games import InputError
from games.randomness import derive
from league.matchmaking.matchmaker import Pairing
from league.records.game_info import GameInfo
from league.records.matches import PlannedMatch

Seating = dict[str, str]
"""seat -> player, in seat order"""


def pairing_seed(seed: int, game: str, round: int, pairing: str) -> int:
    """The seed of a tournament's pairing, from the run's seed, the game, the round and the pairing's id."""
    return derive(seed, game, round, pairing)


def match_seed(seed: int, info: GameInfo, seats: Mapping[str, str], recalling: Collection[str]) -> int:
    """The seed of a match from that of its pairing, which the matches of a pairing share.

    A player that may recall its other matches would know in the second match the cards that its opponent holds, because
    it held them in the first. So a match of a game with chance that seats such a player has a seed of its own.
    """
    if info.chance and any(player in recalling for player in seats.values()):
        return derive(seed, "seats", *seats.values())
    return seed


def rotations(players: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The rotations of some players, in which each player takes each place once. Equal rotations are listed once."""
    return list(dict.fromkeys(players[i:] + players[:i] for i in range(len(players))))


def seatings(info: GameInfo, players: Sequence[str]) -> list[Seating]:
    """The seats of each match of a pairing: one match per rotation of the sides.

    One player per side takes all its seats. One player per seat, team by team, makes teams of several players, which
    rotate as they are. Raises InputError for another number of players, or for teams of unequal size with one player
    per seat.
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
                "one player per side, or one per seat if all teams have the same size"
            )
        seats = [seat for side in sides for seat in side]
        turns = [(*players[i * size :], *players[: i * size]) for i in range(len(sides))]
        found = [dict(zip(seats, turn, strict=True)) for turn in dict.fromkeys(turns)]
    return [{seat: by[seat] for seat in info.seats} for by in found]


def challenger_seatings(info: GameInfo, challenger: str, rival: str) -> list[Seating]:
    """The seats of each match in which a challenger takes one side, each in turn, and a rival takes all others."""
    return [{seat: challenger if seat in side else rival for seat in info.seats} for side in info.sides]


def plan_pairing(
    game: str,
    seatings: Iterable[Mapping[str, str]],
    *,
    run: str,
    index: int,
    round: int,
    pairing: str,
    seed: int | Callable[[Mapping[str, str]], int],
    task: str = "",
    notes: Callable[[str, Mapping[str, str]], str] | None = None,
    opening: int = 0,
    digits: int = 0,
) -> list[PlannedMatch]:
    """The matches of one pairing: one per seating, numbered from `index`, all on one seed or on that of their seats.

    The match ids are RUN-INDEX; `digits` pads the index with zeros. Without a task, `notes(game, seats)` gives a match
    what earlier matches of these players noted.
    """
    return [
        PlannedMatch(
            number,
            round,
            pairing,
            MatchPlan(
                f"{run}-{number:0{digits}d}",
                game,
                seed(seats) if callable(seed) else seed,
                dict(seats),
                task or (notes(game, seats) if notes else ""),
                opening,
            ),
        )
        for number, seats in enumerate(seatings, index)
    ]


def expand(
    pairings: Sequence[Pairing],
    games: Mapping[str, GameInfo],
    *,
    run: str,
    seed: int,
    round: int,
    start: int,
    openings: int = 0,
    recalling: Collection[str] = (),
) -> list[PlannedMatch]:
    """The matches of one round of a tournament, in plan order from index `start`.

    The seed of a pairing depends only on the run's seed, the game, the round and the pairing's id. Its matches share
    it, except those of `recalling` players (`match_seed`). Matches of games without chance begin with `openings` random
    moves. Raises InputError for a pairing that does not fill its game's sides.
    """
    planned: list[PlannedMatch] = []
    for number, pairing in enumerate(pairings):
        id, info = f"r{round:04d}-p{number:05d}", games[pairing.game]
        seated = seatings(info, pairing.players)
        planned += plan_pairing(
            pairing.game,
            seated if pairing.mirrored else seated[:1],
            run=run,
            index=start + len(planned),
            round=round,
            pairing=id,
            seed=partial(match_seed, pairing_seed(seed, pairing.game, round, id), info, recalling=recalling),
            opening=0 if info.chance else openings,
            digits=6,
        )
    return planned
