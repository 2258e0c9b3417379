"""Plays turns of players that answer at once without a `PendingTurn`, which takes a fifth of such a turn."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

from arena.match.attribution import refusal
from arena.match.illegal_policy import IllegalPolicy
from arena.match.sanitize import sanitize_decision
from arena.match.turn import PendingTurn, failed_decision
from arena.players.player import Player, View
from arena.records import MatchPlan, Turn
from games import TextGame
from games.sanitize import clean


def play_bot_turns(
    game: TextGame,
    plan: MatchPlan,
    players: Mapping[str, Player],
    illegal: IllegalPolicy,
    seeds: Mapping[str, int],
    turns: list[Turn],
) -> PendingTurn | None:
    """Play turns of single seats as long as the first attempt is a listed action that the game takes.

    Appends them to `turns`. Returns the first other turn with its attempt; None at the end of the match, and before the
    turn of several seats or of a player that waits or remembers.
    """
    spec, notes, match = game.spec, plan.notes, plan.id
    roles, most = spec.seats, spec.max_turns
    while len(acting := game.acting) == 1 and (index := len(turns)) < most:
        (seat,) = acting
        player = players[seat]
        if player.waits or player.remembers:
            return None
        phase, legal = game.phase(seat), game.legal(seat)
        if phase != "play":
            phase = clean(phase)
        view = View(game, seat, roles[seat], legal, seeds[seat], index, (), (), match)
        if notes:
            view.notes = notes.get(seat, ())
        began = perf_counter()
        try:
            decision = sanitize_decision(player.act(view), legal, player)
        except Exception as error:  # noqa: BLE001  an error in a player's code counts against the player
            decision = failed_decision(PendingTurn(view, seat, phase, player, illegal), error)
        seconds, action = perf_counter() - began, decision.action
        if legal is None or action is None or action not in legal:
            turn = PendingTurn(view, seat, phase, player, illegal, seconds=seconds)
            turn.take(decision)
            return turn
        try:
            game.apply({seat: action})
        except Exception as error:  # noqa: BLE001  raised again unless the game refuses the action
            turn = PendingTurn(view, seat, phase, player, illegal, seconds=seconds)
            turn.take(decision)
            if (refused := refusal(game, plan, turns, {seat: turn}, error)) is not None:
                turn.refuse(str(refused))
                return turn
        turns.append(Turn(seat, roles[seat], phase, player.name, action, (decision,), seconds, player.trainable))
    return None
