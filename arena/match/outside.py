"""The match's side of the gate: what players and games hand over, made fit to be kept in an episode.

Players and games may be anybody's code. Text is cleaned here, once (`games.text.clean`); what cannot be kept at all
raises TypeError, which counts against the player that answered it, or voids the match of the game that gave it.
"""

from __future__ import annotations

import logging
import math
import traceback
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.match.records import CATEGORIES, Decision, Sample
from games.text import clean, cleaned, printable

REASON = 2000
"""characters of a reason that are kept"""


def fit_to_keep(decision: Decision, legal: tuple[str, ...] | None) -> Decision:
    """A player's decision with clean texts. A legal action stays as its game wrote it. Raises TypeError."""
    action, text, reason = decision.action, decision.text, decision.reason
    plain = text is None and not reason and decision.category == "ok" and decision.sample is None
    if plain and type(action) is str and action.isascii() and action.isprintable():
        return decision  # what bots answer
    for name, value in (("action", action), ("text", text), ("reason", reason)):
        if not isinstance(value, str | None):
            raise TypeError(f"the {name} {value!r:.80} is no text; it is a str, or None where there is none")
    if decision.category not in CATEGORIES:
        raise TypeError(f"the category {decision.category!r:.40} is unknown; known: {', '.join(CATEGORIES)}")
    if not isinstance(decision.sample, Sample | None):
        raise TypeError(f"the sample {decision.sample!r:.40} is no arena.match.Sample")
    if action is not None and not (legal and action in legal):
        action = clean(str(action))
    kept = None if text is None else clean(str(text))
    if action is decision.action and kept is text and reason == "":
        return decision
    return replace(
        decision, action=None if action is None else str(action), text=kept, reason=clean(str(reason or ""))[:REASON]
    )


def tame_traceback(record: logging.LogRecord) -> bool:
    """A log filter: the traceback of a player or a game holds its message, which may hold anything."""
    if record.exc_info and not record.exc_text:
        record.exc_text = printable("".join(traceback.format_exception(*record.exc_info)).rstrip(), lines=True)
    return True


def fit_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """A game's facts with clean texts. Raises TypeError for what is no JSON."""
    if not facts:
        return {}
    kept: dict[str, Any] = cleaned(dict(facts))
    try:
        msgspec.json.encode(kept)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"facts() holds what is no JSON: {error}") from None
    return kept


def fit_returns(returns: Mapping[str, float], seats: Mapping[str, str]) -> dict[str, float]:
    """A game's returns as numbers, one for each seat. Raises TypeError, ValueError."""
    kept = dict(returns)
    if kept.keys() == seats.keys() and type(total := sum(kept.values())) in (float, int) and math.isfinite(total):
        return kept  # what our own games return
    if missing := [seat for seat in seats if seat not in returns]:
        raise ValueError(f"returns() has no return of {missing[0]}")
    kept = {seat: float(returns[seat]) for seat in seats}
    for seat, value in kept.items():
        if not math.isfinite(value):
            raise ValueError(f"the return of {seat} is {value}; a return is a finite number")
    return kept
