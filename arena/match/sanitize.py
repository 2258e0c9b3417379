"""Cleans and checks what players and games return before an episode records it.

Players and games may be plugins. Their texts are cleaned here, once, by `games.sanitize.clean`. A value that cannot be
recorded raises TypeError: it counts against the player that returned it, or makes the game's match void.
"""

from __future__ import annotations

import logging
import math
import traceback
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.players.player import Player
from arena.records import CATEGORIES, Decision, Sample
from games.contract import returns_error
from games.game import Notes
from games.outcome import FixedReturns
from games.sanitize import clean, cleaned, printable

MAX_REASON = 2000
"""characters of a reason that are recorded"""


def sanitize_decision(decision: object, legal: tuple[str, ...] | None, player: Player) -> Decision:
    """Returns what a player returned, with clean texts. A legal action stays as the game wrote it. Raises TypeError."""
    if (
        type(decision) is Decision
        and type(action := decision.action) is str
        and decision.text is None
        and decision.sample is None
        and decision.category == "ok"
        and not decision.reason
        and not (decision.spent or decision.prompt_tokens)
        and ((legal and action in legal) or (action.isascii() and action.isprintable()))
    ):
        return decision  # fast path for bots
    if not isinstance(decision, Decision):
        name, method = type(player).__name__, "act_async" if player.waits else "act"
        raise TypeError(f"{name}.{method} returned {decision!r:.80}; a player returns arena.match.Decision(action)")
    return _cleaned(decision, legal)


def _cleaned(decision: Decision, legal: tuple[str, ...] | None) -> Decision:
    action, text, reason = decision.action, decision.text, decision.reason
    for name, value in (("action", action), ("text", text), ("reason", reason)):
        if not isinstance(value, str | None):
            raise TypeError(f"{name} must be a str or None, got {type(value).__name__}: {value!r:.80}")
    if decision.category not in CATEGORIES:
        raise TypeError(f"unknown category {decision.category!r:.40}; known: {', '.join(CATEGORIES)}")
    if not isinstance(decision.sample, Sample | None):
        raise TypeError(f"sample must be an arena.match.Sample or None, got {decision.sample!r:.40}")
    for name, count in (("spent", decision.spent), ("prompt_tokens", decision.prompt_tokens)):
        if type(count) is not int or count < 0:
            raise TypeError(f"{name} must be a number of tokens, got {count!r:.40}")
    if action is not None and not (legal and action in legal):
        action = clean(str(action))
    kept = None if text is None else clean(str(text))
    if action is decision.action and kept is text and reason == "":
        return decision
    return replace(
        decision,
        action=None if action is None else str(action),
        text=kept,
        reason=clean(str(reason or ""))[:MAX_REASON],
    )


def sanitize_traceback(record: logging.LogRecord) -> bool:
    """Returns a log filter that escapes tracebacks: the message of an exception of a plugin may contain anything."""
    if record.exc_info and not record.exc_text:
        record.exc_text = printable("".join(traceback.format_exception(*record.exc_info)).rstrip(), lines=True)
    return True


def sanitize_facts(facts: Mapping[str, Any], *, notes: bool = False) -> dict[str, Any]:
    """Returns a game's facts with clean texts. Raises TypeError if they, or the `notes` in them, cannot be stored."""
    if not facts:
        return {}
    if notes and (problem := Notes.problem(facts)):
        raise TypeError(problem)
    kept: dict[str, Any] = cleaned(dict(facts))
    try:
        msgspec.json.encode(kept)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"facts() cannot be written as JSON: {error}") from None
    return kept


def sanitize_returns(returns: Mapping[str, float], seats: Mapping[str, str]) -> dict[str, float]:
    """Returns a game's returns as one finite number per seat. Raises ValueError."""
    if type(returns) is FixedReturns and returns.seats is seats:
        return dict(returns)
    kept, total = {}, 0.0
    if not isinstance(returns, Mapping):
        raise ValueError(returns_error(returns, seats))
    for seat, value in returns.items():
        if type(value) is not float or seat not in seats:  # an int is hashed otherwise than the float read back for it
            break
        kept[seat] = value
        total += value
    else:
        if len(kept) == len(seats) and math.isfinite(total):
            return kept  # fast path for our own games, in half of the time of a comparison of both key sets
    if problem := returns_error(returns, seats):
        raise ValueError(problem)
    return {seat: float(returns[seat]) for seat in seats}
