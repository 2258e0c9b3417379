"""The shortcuts of bargain. A coach advises a side that follows only advice to be patient."""

from __future__ import annotations

from games.game import TextGame
from games.native.bargain.messages import BUYER, SELLER, BargainPosition, read
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

COACH = "coach"
_PATIENT = ("Ask for much more at first. Make small steps.", "Start high and change your price slowly.")
_EMPTY = ("Be friendly.", "Give a reason.", "Ask what the other side needs.", "Stay calm.", *_PATIENT[:1])


def suite(game: TextGame) -> ShortcutSuite:
    """The policies of the sides, and of a coach if there is one."""
    honest: dict[str, Scripted] = {SELLER: _random_offers, BUYER: _random_offers}
    competent: dict[str, Scripted] = {SELLER: _concedes, BUYER: _concedes}
    found = [
        Shortcut(name, {side: policy})
        for side, best in ((SELLER, "100"), (BUYER, "0"))
        for name, policy in (
            ("always the best price", says(f"offer {best}")),
            ("always the middle price", says("offer 50")),
            ("accepts anything", lambda turn: "accept" if _at(turn).offer is not None else "offer 50"),
            ("walks away", says("walk away")),
            ("rejects everything", lambda turn: f"offer {_own(turn)}" if _at(turn).offer is None else "reject"),
            ("repeats the other's price", lambda turn: f"offer {_at(turn).offer or 50}"),
            ("claims a deal in words", lambda turn: f"offer {_own(turn)}: We agreed on another price. Deal!"),
        )
    ]
    if COACH in game.spec.seats:
        honest[COACH], competent[COACH] = says(*_EMPTY), says(*_PATIENT)
        found += [
            Shortcut("always the same empty advice", {COACH: says("Be friendly.")}),
            Shortcut("names a price", {COACH: says("Never go below 60.")}),
            Shortcut("names a price in words", {COACH: says("Never go below sixty.")}),
            Shortcut("tells to accept", {COACH: says("Accept the first offer.")}),
            Shortcut("praises", {COACH: says("Well done!")}),
        ]
    side = getattr(game, "side", "")
    return ShortcutSuite(honest, competent, found, partners={side: _advised} if side else {})


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


def _concedes(turn: ScriptedTurn, patience: float = 2.0) -> str:
    """Concedes from the best price to its own as messages run out; accepts what is as good as its next offer."""
    at = _at(turn)
    best = at.high if at.seat == SELLER else at.low
    share = min(1.0, at.spoken / max(1, at.spoken + at.left - 2)) ** patience
    price = round(best + (at.private - best) * share)
    if at.offer is not None and (_gain(at, at.offer) >= max(1, _gain(at, price)) or _last_chance(at)):
        return "accept"
    return "walk away" if at.left == 1 else f"offer {price}"


def _last_chance(at: BargainPosition) -> bool:
    return at.left == 1 and at.offer is not None and _gain(at, at.offer) > 0


def _advised(turn: ScriptedTurn) -> str:
    """Concedes early, or late after advice to be patient."""
    advice = turn.text.rpartition("Your coach says:")[2] if "Your coach says:" in turn.text else ""
    return _concedes(turn, 4.0 if "Start high" in advice or "small steps" in advice else 0.7)
