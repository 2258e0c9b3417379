"""Measures a player in one game: exactly if possible, and against anchors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

import msgspec

import games
from arena import event_loop, players
from arena.evaluation.anchors import DEFAULT_ANCHORS, SeatScore, play_anchor
from arena.evaluation.exact import Exact, evaluate
from arena.evaluation.one_shot import evaluate_mixture, one_shot, read_mixture
from arena.players import Player
from arena.players.policy_table import read_table, tabulate
from arena.players.seeds import seed_for
from games import InputError, TextGame
from games.errors import InfrastructureError


class Evaluation(msgspec.Struct, frozen=True):
    """The measurements of a player in one game."""

    player: str
    game: str
    exact: Exact | None
    """None if `not_exact` gives a reason"""
    not_exact: str
    seats: tuple[SeatScore, ...]
    skipped: dict[str, str]
    """anchors that cannot play this game, and why"""


def measure(
    player: Player | str,
    game: str,
    *,
    matches: int = 100,
    against: Sequence[Player | str] | None = None,
    seed: int | None = None,
    make: Callable[[str], Player] = players.make,
) -> Evaluation:
    """Measure a player. `make` creates players from ids; they are closed here.

    The default seed is 0, or random for matches with an endpoint. Raises InputError, and InfrastructureError if all
    matches against an anchor are void.
    """
    board = games.make(game)
    with ExitStack() as stack:

        def made(entry: Player | str) -> Player:
            if not isinstance(entry, str):
                return entry
            instance = make(entry)
            stack.callback(instance.close)
            return instance

        subject = made(player)
        if why := subject.supports(board):
            raise InputError(f"{subject.name} cannot play {board.spec.id}: {why}")
        exact, not_exact = exact_values(subject, board)
        seats: list[SeatScore] = []
        skipped: dict[str, str] = {}
        for entry in against or DEFAULT_ANCHORS if matches else ():
            anchor = made(entry)
            if why := anchor.supports(board):
                skipped[entry if isinstance(entry, str) else entry.name] = why
            else:
                chosen = seed_for((subject, anchor)) if seed is None else seed
                scores = event_loop.run(play_anchor(subject, anchor, board.spec, matches, seed=chosen))
                if not any(score.matches for score in scores):
                    raise InfrastructureError(
                        f"all matches of {subject.name} against {anchor.name} are void; play one to see why: "
                        f"arena play '{board.spec.id}' '{subject.name}'"
                    )
                seats += scores
    return Evaluation(subject.name, board.spec.id, exact, not_exact, tuple(seats), skipped)


def exact_values(player: Player, board: TextGame) -> tuple[Exact | None, str]:
    """Returns the exact values of a player's policy, or None and the reason why there are none."""
    try:
        if (form := one_shot(board)) is not None:
            mixture = event_loop.run(read_mixture(player, form))
            return (None, _secret(player)) if mixture is None else (evaluate_mixture(form, mixture), "")
        table = event_loop.run(read_table(player, tabulate(board)))
    except InputError as error:
        return None, str(error)
    if table is None:
        return None, _secret(player)
    return evaluate(board, table), ""


def _secret(player: Player) -> str:
    return f"{player.name} does not reveal its policy; llm players do with decode=choice"
