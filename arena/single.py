"""One call for one thing: a match, a measurement. `arena.play` and `arena.evaluate` are these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import games
from arena import players as registry
from arena import running
from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.match import play as play_match
from arena.match import play_async as play_match_async
from arena.match.seats import problem_with
from arena.players import Player
from arena.players.seeds import seed_for
from games import GameSpec, InputError, TextGame

if TYPE_CHECKING:
    from arena.evaluation.report import Evaluation

Seated = Player | str | Sequence[Player | str] | Mapping[str, Player | str]
"""one for all seats, one for each in seat order, or by seat; a text is a name such as mcts(simulations=100)"""


def play(
    game: TextGame | str, players: Seated, seed: int | None = None, *, illegal: IllegalPolicy | None = None
) -> Episode:
    """Play one match and return its record, also inside a running event loop.

    Without `seed` it is 0, or drawn where an endpoint sits, as whoever serves a model must not find it by trying.
    Raises InputError for a game, player or seat that does not work. Players given by name are made and closed here.
    """
    made = games.make(game) if isinstance(game, str) else game
    with _made(made, players) as by_seat:
        plan, policy = _plan(made.spec, by_seat, seed), illegal or IllegalPolicy()
        if made.blocking or any(player.waits for player in by_seat.values()):
            return running.run(play_match_async(made, plan, by_seat, policy))
        return play_match(made, plan, by_seat, policy)


async def play_async(
    game: TextGame | str, players: Seated, seed: int | None = None, *, illegal: IllegalPolicy | None = None
) -> Episode:
    """The same match as `play`, awaited."""
    made = games.make(game) if isinstance(game, str) else game
    with _made(made, players) as by_seat:
        return await play_match_async(made, _plan(made.spec, by_seat, seed), by_seat, illegal or IllegalPolicy())


def evaluate(
    player: Player | str,
    game: str,
    *,
    matches: int = 100,
    against: Sequence[Player | str] | None = None,
    seed: int | None = None,
) -> Evaluation:
    """Measure a player: exact exploitability if the game is small enough, and win rates against anchors in each seat.

    `matches` in each seat against each of `against`, by default random, mcts and solver. Raises InputError.
    """
    from arena.evaluation.report import measure

    return measure(player, game, matches=matches, against=against, seed=seed)


def _plan(spec: GameSpec, by_seat: Mapping[str, Player], seed: int | None) -> MatchPlan:
    seed = seed_for(by_seat.values()) if seed is None else seed
    return MatchPlan(f"play-{seed}", spec.id, seed, {seat: player.name for seat, player in by_seat.items()})


@contextmanager
def _made(game: TextGame, given: Seated) -> Iterator[dict[str, Player]]:
    """Who sits where, as players. Raises InputError."""
    chosen = seating(game.spec, given)
    mine: dict[str, Player] = {}
    try:
        for one in chosen.values():
            if isinstance(one, str) and one not in mine:
                mine[one] = registry.make(one)
        by_seat = {seat: mine[one] if isinstance(one, str) else one for seat, one in chosen.items()}
        for seat, player in by_seat.items():
            if problem := problem_with(player):
                raise TypeError(f"players[{seat!r}]: {problem}")
            if why := player.supports(game):
                raise InputError(f"{player.name} cannot play {game.spec.id}: {why}")
        yield by_seat
    finally:
        for player in mine.values():
            player.close()


def seating(spec: GameSpec, given: Seated) -> dict[str, Player | str]:
    """Who sits where. Raises InputError for a seat that does not exist or has nobody, and for a wrong number."""
    seats = list(spec.seats)
    if isinstance(given, Mapping):
        if strange := [seat for seat in given if seat not in seats]:
            raise InputError(f"{spec.id} has no seat {strange[0]!r}; its seats: {', '.join(seats)}")
        if empty := [seat for seat in seats if seat not in given]:
            raise InputError(f"seat {empty[0]!r} of {spec.id} has no player; its seats: {', '.join(seats)}")
        return {seat: given[seat] for seat in seats}
    listed = [given] if isinstance(given, str | Player) or not isinstance(given, Sequence) else list(given)
    if len(listed) not in (1, len(seats)):
        raise InputError(
            f"{spec.id} has {len(seats)} seats ({', '.join(seats)}), {len(listed)} players were given; "
            f"give {len(seats)}, or one for all"
        )
    return dict(zip(seats, listed * (len(seats) if len(listed) == 1 else 1), strict=True))


__all__ = ["evaluate", "play", "play_async", "seating"]
