"""`arena.play`, `arena.play_async` and `arena.evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import games
from arena import event_loop
from arena import players as registry
from arena.match import Episode, IllegalPolicy, MatchPlan, faults
from arena.match import play as play_match
from arena.match import play_async as play_match_async
from arena.match.seats import problem_with
from arena.players import Player
from arena.players.seeds import seed_for
from games import GameSpec, InputError, TextGame

if TYPE_CHECKING:
    from arena.evaluation.report import Evaluation

Seated = Player | str | Sequence[Player | str] | Mapping[str, Player | str]
"""one player for all seats, one per seat in order, or seat -> player; a text is an id such as mcts(simulations=100)"""


def play(
    game: TextGame | str,
    players: Seated,
    seed: int | None = None,
    *,
    illegal: IllegalPolicy | None = None,
    timeout: float | None = None,
) -> Episode:
    """Play one match and return its record. Works inside a running event loop too.

    The default seed is 0, or random if an endpoint plays: its server must not be able to guess the seed. timeout:
    seconds for one attempt of a player that waits. Raises InputError if the game, a player or a seat does not work.
    Players given by id are created and closed here.
    """
    loaded = games.make(game) if isinstance(game, str) else game
    with seated_players(loaded, players) as by_seat:
        return play_seated(loaded, by_seat, seed, illegal, timeout)


async def play_async(
    game: TextGame | str,
    players: Seated,
    seed: int | None = None,
    *,
    illegal: IllegalPolicy | None = None,
    timeout: float | None = None,
) -> Episode:
    """Play the same match as `play` in the running event loop."""
    faults.forget()
    loaded = games.make(game) if isinstance(game, str) else game
    with seated_players(loaded, players) as by_seat:
        plan = _plan(loaded.spec, by_seat, seed)
        return await play_match_async(loaded, plan, by_seat, illegal or IllegalPolicy(), timeout)


def evaluate(
    player: Player | str,
    game: str,
    *,
    matches: int = 100,
    against: Sequence[Player | str] | None = None,
    seed: int | None = None,
) -> Evaluation:
    """Measure a player: exact exploitability if the game is small enough, and win rates against anchors in each seat.

    Plays `matches` in each seat against each player of `against`, by default random, mcts and solver. Raises
    InputError.
    """
    from arena.evaluation.report import measure

    return measure(player, game, matches=matches, against=against, seed=seed)


def play_seated(
    game: TextGame,
    by_seat: Mapping[str, Player],
    seed: int | None = None,
    illegal: IllegalPolicy | None = None,
    timeout: float | None = None,
) -> Episode:
    """Play one match of players that are already seated, with an event loop if one of them waits."""
    faults.forget()
    plan, illegal = _plan(game.spec, by_seat, seed), illegal or IllegalPolicy()
    if game.blocking or any(player.waits for player in by_seat.values()):
        return event_loop.run(play_match_async(game, plan, by_seat, illegal, timeout))
    return play_match(game, plan, by_seat, illegal)


@contextmanager
def seated_players(
    game: TextGame, players: Seated, make: Callable[[str], Player] = registry.make
) -> Iterator[dict[str, Player]]:
    """seat -> player. Players given by id are created with `make`, once per id, and closed at the end.

    Raises InputError for wrong seats and players, TypeError for objects that are not players.
    """
    chosen = seating(game.spec, players)
    created: dict[str, Player] = {}
    with ExitStack() as stack:
        for id in chosen.values():
            if isinstance(id, str) and id not in created:
                created[id] = make(id)
                stack.callback(created[id].close)
        by_seat = {seat: created[one] if isinstance(one, str) else one for seat, one in chosen.items()}
        for seat, player in by_seat.items():
            if problem := problem_with(player):
                raise TypeError(f"players[{seat!r}]: {problem}")
            if why := player.supports(game):
                raise InputError(f"{player.name} cannot play {game.spec.id}: {why}")
        yield by_seat


def known_seat(spec: GameSpec, seat: str) -> str:
    """Returns the seat. Raises InputError if the game has no such seat."""
    if seat not in spec.seats:
        raise InputError(f"{spec.id} has no seat {seat!r}; its seats: {', '.join(spec.seats)}")
    return seat


def seating(spec: GameSpec, players: Seated) -> dict[str, Player | str]:
    """Returns seat -> player or id. Raises InputError for an unknown or empty seat or a wrong number of players."""
    seats = list(spec.seats)
    if isinstance(players, Mapping):
        for seat in players:
            known_seat(spec, seat)
        if empty := [seat for seat in seats if seat not in players]:
            raise InputError(f"seat {empty[0]!r} of {spec.id} has no player; its seats: {', '.join(seats)}")
        return {seat: players[seat] for seat in seats}
    listed = [players] if isinstance(players, str | Player) or not isinstance(players, Sequence) else list(players)
    if len(listed) not in (1, len(seats)):
        raise InputError(
            f"{spec.id} has {len(seats)} seat{'s' * (len(seats) != 1)} ({', '.join(seats)}), {len(listed)} players "
            f"were given; give {len(seats)}{', or one for all' * (len(seats) != 1)}"
        )
    return dict(zip(seats, listed * (len(seats) if len(listed) == 1 else 1), strict=True))


def _plan(spec: GameSpec, by_seat: Mapping[str, Player], seed: int | None) -> MatchPlan:
    seed = seed_for(by_seat.values()) if seed is None else seed
    return MatchPlan(f"play-{seed}", spec.id, seed, {seat: player.name for seat, player in by_seat.items()})


__all__ = ["Seated", "evaluate", "play", "play_async", "play_seated", "seated_players", "seating"]
