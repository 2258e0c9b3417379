"""A turn in progress: one seat is asked for one action until an attempt succeeds."""

from __future__ import annotations

import logging

import msgspec
from msgspec.structs import replace

from arena.match.faults import log_fault
from arena.match.illegal_policy import IllegalPolicy
from arena.match.sanitize import MAX_REASON, sanitize_traceback
from arena.players.player import Player, View
from arena.records import Decision, MatchPlan, Turn
from games import Observation, TextGame, plugins
from games.contract import contract_error
from games.errors import InfrastructureError, RunPaused
from games.sanitize import clean, one_line
from roles import Exchange

log = logging.getLogger(__name__)
log.addFilter(sanitize_traceback)


class Forfeit(Exception):
    """A seat has no attempt left; the match ends."""

    def __init__(self, turn: PendingTurn) -> None:
        super().__init__(turn.seat)
        self.turn = turn


class SeatFailure(InfrastructureError):
    """The player of a seat, or its text, made the match void."""

    def __init__(self, turn: PendingTurn, error: InfrastructureError) -> None:
        super().__init__(str(error))
        self.turn = turn


class PendingTurn(msgspec.Struct, gc=False, eq=False):
    """A seat's turn in progress; `start_turn` makes it."""

    view: View
    seat: str
    phase: str
    player: Player
    illegal: IllegalPolicy
    memory: list[Exchange] | None = None
    """the seat's earlier turns, for a player that remembers them"""
    observation: Observation | None = None
    """what a player that remembers sees in this turn"""
    attempts: tuple[Decision, ...] = ()
    action: str | None = None
    """None until there is an action to play"""
    substituted: bool = False
    seconds: float = 0.0
    """time that the player took, added by the loop: seats may act at the same time"""

    def take(self, decision: Decision) -> None:
        """Take a decision. Raises Forfeit if it fails and was the last attempt."""
        action, legal = decision.action, self.view.legal
        if action is not None and (legal is None or action in legal):
            self.attempts += (decision,)
            self.action = action
            return
        if action is not None:
            decision = replace(decision, category="illegal", reason=f"{action!r} is not a legal action")
        self._fail((*self.attempts, decision))

    def refuse(self, reason: str) -> None:
        """Turn the last attempt into a failed one because the game refused its action. Raises Forfeit like `take`."""
        if self.substituted:
            raise RuntimeError(f"the game refuses its own example {self.action!r}: {reason}")
        refused = replace(self.attempts[-1], category="illegal", reason=clean(reason))
        self._fail((*self.attempts[:-1], refused))

    def _fail(self, attempts: tuple[Decision, ...]) -> None:
        self.attempts, self.action = attempts, None
        self.view = replace(self.view, rejected=attempts)
        if len(attempts) <= self.illegal.retries:
            return
        options = self.view.game.examples(self.seat) if self.illegal.then == "random" else ()
        if not options:
            raise Forfeit(self)
        self.action, self.substituted = self.view.rng.choice(options), True

    def record(self) -> Turn:
        """Returns the finished turn. Call it after the action was played."""
        assert self.action is not None
        if self.memory is not None and self.observation is not None:
            self.memory.append(Exchange(self.observation, self.action))
        return Turn(
            self.seat,
            self.view.role,
            self.phase,
            self.player.name,
            self.action,
            self.attempts,
            self.seconds,
            self.player.trainable,
            self.substituted,
        )


def start_turn(
    game: TextGame,
    plan: MatchPlan,
    seat: str,
    player: Player,
    illegal: IllegalPolicy,
    seed: int,
    index: int,
    memory: dict[str, list[Exchange]],
) -> PendingTurn:
    """Returns the turn of a seat that is to act. `memory`: seat -> its earlier turns, for players with a memory."""
    phase = game.phase(seat)
    if phase != "play":
        phase = clean(phase)
    view = View(game, seat, game.spec.seats[seat], game.legal(seat), seed, index, (), (), plan.id)
    if plan.notes:
        view.notes = plan.notes.get(seat, ())
    if not player.remembers:
        return PendingTurn(view, seat, phase, player, illegal)
    earlier = memory.setdefault(seat, [])
    view.exchanges = earlier or ()
    return PendingTurn(view, seat, phase, player, illegal, earlier, view.observation)


def failed_decision(turn: PendingTurn, error: Exception) -> Decision:
    """Returns the failed attempt of a player that raised. Raises SeatFailure if its engine is to blame,
    and InfrastructureError if the game is.
    """
    if isinstance(error, RunPaused):
        raise error
    if isinstance(error, InfrastructureError):
        raise SeatFailure(turn, error) from error
    if problem := contract_error(turn.view.game):
        raise InfrastructureError(f"the game failed: {turn.view.game.spec.id}: {problem}") from error
    log_fault(log, f"player {turn.player.name} failed as {turn.seat}", error)
    place = plugins.culprit(error)
    reason = one_line(f"{type(error).__name__}: {error}{place and f' ({place})'}", MAX_REASON)
    return Decision(None, "error", reason=reason)
