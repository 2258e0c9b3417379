"""Plays turns of players that answer at once without a `PendingTurn`, which takes a fifth of such a turn."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from arena.match.attribution import refusal
from arena.match.illegal_policy import IllegalPolicy
from arena.match.sanitize import sanitize_decision
from arena.match.turn import PendingTurn, failed_decision
from arena.players.player import Player, View
from arena.records import Decision, MatchPlan, Turn
from games import TextGame
from games.sanitize import clean

_ATTEMPTS: dict[str, tuple[Decision]] = {}
"""legal action -> the attempts of a turn that plays it at once; episodes share them, as they never change"""


def _attempts(action: str) -> tuple[Decision]:
    if len(_ATTEMPTS) >= 4096:
        _ATTEMPTS.clear()
    return _ATTEMPTS.setdefault(action, (Decision(action),))


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
    roles, one_phase = spec.seats, game.one_phase
    mixed = False  # asked once, because to look up two attributes of a class takes a hundredth of a turn
    for player in players.values():
        if player.waits or player.remembers:
            mixed = True
    action: Any  # str, if it is played
    for index in range(len(turns), spec.max_turns):
        acting = game.acting
        if len(acting) != 1:
            return None
        (seat,) = acting
        player = players[seat]
        if mixed and (player.waits or player.remembers):
            return None
        legal, phase = game.legal(seat), "play" if one_phase else clean(game.phase(seat))
        role = roles[seat]
        view = View(game, seat, role, legal, seeds[seat], index, (), (), match)
        if notes:
            view.notes = notes.get(seat, ())
        began = perf_counter()
        try:
            decision = player.act(view)
            # Nothing to sanitize, as in nearly all turns of bots; to compare in C takes half of the time of a call.
            plain = (
                type(decision) is Decision
                and type(action := decision.action) is str
                and legal is not None
                and action in legal
                and decision == (attempts := _ATTEMPTS.get(action) or _attempts(action))[0]
            )
            if not plain:
                decision = sanitize_decision(decision, legal, player)
                attempts = (decision,)
        except Exception as error:  # noqa: BLE001  an error in a player's code counts against the player
            decision, plain = failed_decision(PendingTurn(view, seat, phase, player, illegal), error), False
        seconds = perf_counter() - began
        if not plain and (legal is None or (action := decision.action) is None or action not in legal):
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
        turns.append(Turn(seat, role, phase, player.name, action, attempts, seconds, player.trainable))
    return None
