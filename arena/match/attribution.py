"""Finds whose text made a game raise: a player must not gain a void match by a text that its game cannot read."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from arena.match.faults import log_fault
from arena.match.opening import play_opening
from arena.match.positions import play_again
from arena.match.sanitize import sanitize_facts, sanitize_returns, sanitize_traceback
from arena.match.turn import PendingTurn, SeatFailure
from arena.players.prompt_shortening import PromptTooLong
from arena.records import MatchPlan, Turn
from games import IllegalAction, MissingPackage, TextGame
from games.errors import InfrastructureError, RunPaused
from games.verifiers.verdict import MissingProgram

log = logging.getLogger(__name__)
log.addFilter(sanitize_traceback)

NO_FAULT = (InfrastructureError, MissingPackage, MissingProgram)
"""what says that something could not run; it is nobody's failed attempt"""
_ABSENT = (RunPaused, MissingPackage, MissingProgram)
"""what no text causes"""
_ANY_TEXT = "pass"
"""played for a seat whose game gives no example"""


def apply(game: TextGame, actions: Mapping[str, str], free: bool) -> None:
    """Applies the actions of a turn.

    If one of them is `free` text, everything that the match asks next is asked here, so that a text after which the
    game cannot be observed or paid counts against its writer and not against the next reader. Raises what the game
    raises, and ValueError or TypeError for returns or facts that cannot be recorded.
    """
    game.apply(actions)
    if not free:
        return
    for seat in game.spec.seats:
        game.phase(seat), game.legal(seat), game.observe(seat)
    if not game.acting:
        sanitize_returns(game.returns(), game.spec.seats)
        sanitize_facts(game.facts(), notes=game.spec.notes is not None)


def refusal(
    game: TextGame, plan: MatchPlan, played: Sequence[Turn], pending: Mapping[str, PendingTurn], error: Exception
) -> IllegalAction | None:
    """Returns why a seat must decide again after the game raised `error` at the actions of the `pending` turns.

    An IllegalAction is its own answer. Any other error is put down to free text if the turn can be played with
    examples of the game instead: then the texts of the seats come back one by one, and the seat whose text makes the
    game raise is refused. Returns None if it does not raise again: the actions are then applied. Raises `error` if no
    text is the cause, and SeatFailure if a text causes an InfrastructureError, which is no failed attempt.
    """
    if isinstance(error, IllegalAction):
        return error
    if isinstance(error, _ABSENT):
        raise error
    restore(game, plan, played)
    actions = {seat: turn.action for seat, turn in pending.items() if turn.action is not None}
    writers = [seat for seat in actions if game.legal(seat) is None]
    if not writers:
        raise error
    tried = dict(actions) | {seat: (game.examples(seat) or (_ANY_TEXT,))[0] for seat in writers}
    _attempt(game, tried)
    refused: IllegalAction | None = None
    for seat in writers:
        restore(game, plan, played)
        tried[seat] = actions[seat]
        try:
            refused = _attempt(game, tried)
        except _ABSENT:
            raise
        except InfrastructureError as failure:
            raise SeatFailure(pending[seat], failure) from failure
        except Exception as failure:  # noqa: BLE001  an error of a game, with this text and not without it
            log_fault(log, f"game {plan.game} cannot read a text of {seat} in match {plan.id}", failure)
            restore(game, plan, played)
            return IllegalAction(f"the game cannot read this text: {type(failure).__name__}", seat)
    if isinstance(error, InfrastructureError):
        raise error  # it passed, but an environment elsewhere may not be in the same state again
    return refused


def writer(turns: Sequence[Turn], failure: SeatFailure) -> str:
    """Returns the seat that made a match void: the one that failed, or another one that wrote most of its prompt."""
    reader, error = failure.turn.seat, failure.__cause__
    if not isinstance(error, PromptTooLong):
        return reader
    sizes: dict[str, int] = {}
    for turn in turns:
        sizes[turn.seat] = sizes.get(turn.seat, 0) + len(turn.action.encode())
    return next((seat for seat, size in sizes.items() if seat != reader and 2 * size > error.size), reader)


def _attempt(game: TextGame, actions: Mapping[str, str]) -> IllegalAction | None:
    """Returns the game's refusal of the actions (one is free text), or None. Raises as `apply` does."""
    try:
        apply(game, actions, free=True)
    except IllegalAction as refused:
        return refused
    return None


def restore(game: TextGame, plan: MatchPlan, played: Sequence[Turn]) -> None:
    """Bring the game to the state after these turns of a match, the opening included."""
    game.load_task(plan.task)
    game.reset(plan.seed)
    at = len(play_opening(game, plan)) if plan.opening else 0
    for _ in play_again(game, played[at:]):
        pass
