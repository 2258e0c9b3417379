"""The shortcuts of bargain, against a side that concedes only as much as the other does.

Against a side that concedes in any case, waiting for its last offer earns more than bargaining. A coach advises a side
that follows only advice to be patient.
"""

from __future__ import annotations

import re
from functools import partial

from games.game import TextGame
from games.native.bargain.messages import BUYER, SELLER, BargainPosition, read
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

COACH = "coach"
_OFFERS = re.compile(r"^\[(seller|buyer)\] offers ([0-9]+)", re.MULTILINE)
_STEP = 3
"""how far a side moves beyond what the other has moved"""
_PATIENT = ("Ask for much more at first. Make small steps.", "Start high and change your price slowly.")
_EMPTY = ("Be friendly.", "Give a reason.", "Ask what the other side needs.", "Stay calm.", *_PATIENT[:1])


def suite(game: TextGame) -> ShortcutSuite:
    """The policies of the sides; of a coached game those of the coach."""
    if side := getattr(game, "side", ""):
        return _coached(side)
    honest: dict[str, Scripted] = {SELLER: _random_offers, BUYER: _random_offers}
    competent: dict[str, Scripted] = {SELLER: _concedes, BUYER: _concedes}
    found = [
        Shortcut(name, {side: policy})
        for side, best in ((SELLER, "100"), (BUYER, "0"))
        for name, policy in (
            ("always the best price", says(f"offer {best}")),
            ("always the middle price", says("offer 50")),
            ("accepts anything", lambda turn: "accept" if _at(turn).offer is not None else "offer 50"),
            ("the best price, any gain at the end", _waits),
            ("walks away", says("walk away")),
            ("rejects everything", lambda turn: f"offer {_own(turn)}" if _at(turn).offer is None else "reject"),
            ("repeats the other's price", lambda turn: f"offer {_at(turn).offer or 50}"),
            ("claims a deal in words", lambda turn: f"offer {_own(turn)}: We agreed on another price. Deal!"),
        )
    ]
    return ShortcutSuite(honest, competent, found, dict.fromkeys((SELLER, BUYER), _returns_favours))


def _coached(side: str) -> ShortcutSuite:
    """The policies of a coach, whose side meets one that concedes in any case."""
    advice = ("Be friendly.", "Never go below 60.", "Never go below sixty.", "Accept the first offer.", "Well done!")
    concedes = partial(_concedes, patience=2.0, kept=0.0)
    return ShortcutSuite(
        honest={COACH: says(*_EMPTY)},
        competent={COACH: says(*_PATIENT)},
        partners={SELLER: concedes, BUYER: concedes, side: _advised},
        shortcuts=[Shortcut(f"always {text!r}", {COACH: says(text)}) for text in advice],
    )


def _at(turn: ScriptedTurn) -> BargainPosition:
    found = read(turn.text)
    assert found is not None
    return found


def _own(turn: ScriptedTurn) -> int:
    return _at(turn).private


def _gain(at: BargainPosition, price: int) -> int:
    return price - at.private if at.seat == SELLER else at.private - price


def _random_offers(turn: ScriptedTurn) -> str:
    """Offers and accepts any price that is no loss."""
    at = _at(turn)
    if at.offer is not None and _gain(at, at.offer) >= 0 and turn.stream.random() < 0.5:
        return "accept"
    low, high = (at.private, at.high) if at.seat == SELLER else (at.low, at.private)
    return f"offer {low + turn.stream.below(high - low + 1)}"


def _concedes(turn: ScriptedTurn, patience: float = 1.0, kept: float = 0.4) -> str:
    """Concedes from the best price towards its own as messages run out.

    Of policies with patience 0.3, 0.5, 1 or 2 that keep a share of 0, 0.2 or 0.4 of the way, this is the best response
    to `_returns_favours` for both sides.
    """
    at = _at(turn)
    best = at.high if at.seat == SELLER else at.low
    share = min(1.0, at.spoken / max(1, at.spoken + at.left - 2)) ** patience
    return _offers(at, round(best + (at.private - best) * (1 - kept) * share), at.left <= 2)


def _returns_favours(turn: ScriptedTurn) -> str:
    """Moves as far from its best price as the other side has moved, and a little more."""
    at = _at(turn)
    offers = [int(price) for seat, price in _OFFERS.findall(turn.text) if seat != at.seat]
    moved = _STEP + (abs(offers[-1] - offers[0]) if offers else 0)
    price = max(at.high - moved, at.private) if at.seat == SELLER else min(at.low + moved, at.private)
    return _offers(at, price, at.left == 1)


def _waits(turn: ScriptedTurn) -> str:
    """Stays at its best price and takes any gain at the end."""
    at = _at(turn)
    return _offers(at, at.high if at.seat == SELLER else at.low, at.left <= 2)


def _offers(at: BargainPosition, price: int, last: bool) -> str:
    """Offers a price, or accepts what is as good; `last`: accepts any gain."""
    gain = _gain(at, at.offer) if at.offer is not None else 0
    if gain >= max(1, _gain(at, price)) or (last and gain > 0):
        return "accept"
    return "walk away" if at.left == 1 else f"offer {price}"


def _advised(turn: ScriptedTurn) -> str:
    """Concedes early, or late after advice to be patient."""
    advice = turn.text.rpartition("Your coach says:")[2] if "Your coach says:" in turn.text else ""
    return _concedes(turn, 4.0 if "Start high" in advice or "small steps" in advice else 0.7, kept=0.0)
