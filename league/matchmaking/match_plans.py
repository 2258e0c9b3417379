"""Planned matches: the only code that numbers matches and assigns their seeds and seats.

Tournaments expand the pairings of a matchmaker (`expand`). Trainings, their rated leagues and their gates choose the
players of a pairing themselves and plan its matches with `plan_pairing`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from arena.match import MatchPlan
from games.randomness import derive
from league.matchmaking.matchmaker import Pairing
from league.matchmaking.seating import seatings, strangers_for
from league.records.game_info import GameInfo
from league.records.matches import PlannedMatch
from league.records.player_ref import PlayerRef


def pairing_seed(seed: int, game: str, round: int, pairing: str) -> int:
    """Returns the seed of a tournament's pairing, from the run's seed, the game, the round and the pairing's id."""
    return derive(seed, game, round, pairing)


def match_seed(seed: int, info: GameInfo, seats: Mapping[str, str], recalling: Collection[str]) -> int:
    """Returns the seed of a match from that of its pairing, which the matches of a pairing share.

    A player that may recall its other matches would know in the second match the cards that its opponent holds, because
    it held them in the first. So a match of a game with chance that seats such a player has a seed of its own.
    """
    if info.chance and any(player in recalling for player in seats.values()):
        return derive(seed, "seats", *seats.values())
    return seed


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
    refs: Mapping[str, PlayerRef] | None = None,
) -> list[PlannedMatch]:
    """Returns the matches of a pairing: one per seating, numbered from `index`, on one seed or that of their seats.

    The match ids are RUN-INDEX; `digits` pads the index with zeros. Without a task, `notes(game, seats)` gives a match
    what earlier matches of these players noted. `refs`: what stands behind the names of some players.
    """
    refs = refs or {}
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
            {player: refs[player] for player in seats.values() if player in refs},
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
    entrants: Callable[[str], Sequence[str]] = lambda game: (),
) -> list[PlannedMatch]:
    """Returns the matches of one round of a tournament, in plan order from index `start`.

    The seed of a pairing depends only on the run's seed, the game, the round and the pairing's id. Its matches share
    it, except those of `recalling` players (`match_seed`), and in a game of strangers those of its other `entrants`
    that take the further seats of the teams. Matches of games without chance begin with `openings` random moves. Raises
    InputError for a pairing that does not fill its game's sides.
    """
    planned: list[PlannedMatch] = []
    for number, pairing in enumerate(pairings):
        id, info = f"r{round:04d}-p{number:05d}", games[pairing.game]
        shared = pairing_seed(seed, pairing.game, round, id)
        apart: Sequence[str] = ()
        if info.strangers:
            apart = strangers_for(info, pairing.players, entrants(pairing.game), derive(shared, "strangers"))
        seated = seatings(info, pairing.players, apart)
        planned += plan_pairing(
            pairing.game,
            seated if pairing.mirrored else seated[:1],
            run=run,
            index=start + len(planned),
            round=round,
            pairing=id,
            seed=partial(match_seed, shared, info, recalling=recalling),
            opening=0 if info.chance else openings,
            digits=6,
        )
    return planned
