"""The policies of bargain, against a side that concedes only as much as the other does.

Against a side that concedes in any case, waiting for its last offer earns more than bargaining. A coach advises a side
that follows only advice to be patient.
"""

from __future__ import annotations

from functools import partial

from games.attack import policy
from games.game import Seat
from games.native.bargain.deal import BargainPosition
from games.native.bargain.messages import BUYER, COACH, HIGH, LOW, SELLER
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_STEP = 3
"""how far a side moves beyond what the other has moved"""
_UNEVEN = 5
"""by less than this steps differ, so that not all matches have the same few prices"""
_NEAR = 5
"""how far a generous offer is from the other side's best price: that side would ask for more, so it does not accept"""
_PATIENT = ("Ask for much more at first. Make small steps.", "Start high and change your price slowly.")
_EMPTY = ("Be friendly.", "Give a reason.", "Ask what the other side needs.", "Stay calm.", *_PATIENT[:1])


def suite(coach: str) -> ShortcutSuite:
    """Returns the policies of the sides; of a coached game those of the coach."""
    return _coached(coach) if coach else _uncoached()


def _uncoached() -> ShortcutSuite:
    shortcuts = [
        Shortcut(name, {side: way})
        for side, best, generous in ((SELLER, HIGH, LOW + _NEAR), (BUYER, LOW, HIGH - _NEAR))
        for name, way in (
            ("always the best price", says(f"offer {best}")),
            ("always the middle price", says("offer 50")),
            ("accepts anything", lambda turn: "accept" if _at(turn).offer is not None else "offer 50"),
            ("the best price, any gain at the end", _waits),
            ("walks away", says("walk away")),
            ("rejects everything", lambda turn: f"offer {_at(turn).private}" if _at(turn).offer is None else "reject"),
            ("repeats the other's price", lambda turn: f"offer {_at(turn).offer or 50}"),
            # `arena attack`: it paid when the other side returned a retreat as if it were a favour
            ("takes back a generous offer", policy(f'when("late", 4, honest(), "offer {generous}")')),
            ("claims a deal in words", lambda turn: f"offer {_at(turn).private}: We agreed on another price. Deal!"),
        )
    ]
    return ShortcutSuite(
        honest=_sides(_random_offers),
        competent=_sides(steps(25)),
        shortcuts=shortcuts,
        partners=_sides(_returns_favours),
        references={"haggler": _sides(haggles)},
    )


def _sides(policy: Scripted) -> dict[Seat, Scripted]:
    return {SELLER: policy, BUYER: policy}


def _coached(side: str) -> ShortcutSuite:
    """Returns the policies of a coach, whose side meets one that concedes in any case."""
    advice = ("Be friendly.", "Never go below 60.", "Never go below sixty.", "Accept the first offer.", "Well done!")
    competent: dict[Seat, Scripted] = {COACH: says(*_PATIENT)}
    return ShortcutSuite(
        honest={COACH: says(*_EMPTY)},
        competent=competent,
        partners=_sides(partial(_concedes, patience=2.0)) | {side: _advised},
        shortcuts=[Shortcut(f"always {text!r}", {COACH: says(text)}) for text in advice],
        references={"haggler": competent | _sides(haggles)},
    )


def _at(turn: ScriptedTurn) -> BargainPosition:
    position: BargainPosition = turn.data["position"]
    return position


def _best(at: BargainPosition) -> int:
    return HIGH if at.seat == SELLER else LOW


def _random_offers(turn: ScriptedTurn) -> str:
    """Offers and accepts any price that is no loss."""
    at = _at(turn)
    if at.offer is not None and at.gain(at.offer) >= 0 and turn.stream.random() < 0.5:
        return "accept"
    low, high = sorted((at.private, _best(at)))
    return f"offer {low + turn.stream.below(high - low + 1)}"


def _concedes(turn: ScriptedTurn, patience: float = 1.0) -> str:
    """Concedes from the best price towards its own as messages run out."""
    at = _at(turn)
    share = min(1.0, at.spoken / max(1, at.spoken + at.left - 2)) ** patience
    return _offers(at, round(_best(at) + (at.private - _best(at)) * share), at.left <= 2)


def steps(size: int) -> Scripted:
    """Returns a side that moves by so much with each of its messages, though never to a loss.

    Of steps from 8 to 40 those of 25, which are all prices in five messages, are the best response of both sides to
    `_returns_favours`; `_concedes` with patience 0.3 to 1.5 earns less, also if it keeps 0.2 to 0.6 of the way.
    """

    def policy(turn: ScriptedTurn) -> str:
        at = _at(turn)
        move = size * (at.spoken // 2)
        price = abs(_best(at) - min(HIGH - LOW, move - turn.stream.below(min(_UNEVEN, 1 + move))))
        return _offers(at, price if at.gain(price) >= 0 else at.private, at.left <= 2)

    return policy


def _returns_favours(turn: ScriptedTurn) -> str:
    """Moves as far from its best price as the other side has moved towards it, and a little more."""
    at = _at(turn)
    moved = _STEP + (max(0, at.gain(at.offers[-1]) - at.gain(at.offers[0])) if at.offers else 0)
    price = max(HIGH - moved, at.private) if at.seat == SELLER else min(LOW + moved, at.private)
    return _offers(at, price, at.left == 1)


def _waits(turn: ScriptedTurn) -> str:
    """Stays at its best price and takes any gain at the end."""
    at = _at(turn)
    return _offers(at, _best(at), at.left <= 2)


def _offers(at: BargainPosition, price: int, last: bool) -> str:
    """Offers a price, or accepts what is as good; `last`: accepts any gain."""
    gain = at.gain(at.offer) if at.offer is not None else 0
    if gain >= max(1, at.gain(price)) or (last and gain > 0):
        return f"accept: {at.offer} it is."
    return "walk away" if at.left == 1 else f"offer {price}"


def _advised(turn: ScriptedTurn) -> str:
    """Concedes early, or late after advice to be patient."""
    advice = " ".join(turn.data.get("advice", ()))
    return _concedes(turn, 4.0 if "Start high" in advice or "small steps" in advice else 0.7)


def haggles(turn: ScriptedTurn) -> str:
    """Concedes late from its best price to its own value as messages run out (Faratin, Sierra and Jennings 1998).

    It accepts an offer that is at least as good as its own next one, never a loss, and walks away when only losses are
    left.
    """
    at = _at(turn)
    price = asking_price(at)
    if at.offer is not None:
        gain = at.gain(at.offer)
        # before the last message, an offer as good as the own next one is enough
        if gain > 0 and (price is None or at.left == 1 or gain >= at.gain(price)):
            return f"accept: {at.offer} is fine with me."
    if price is None or at.left == 1:
        return "walk away: There is no price for both of us."
    return f"offer {price}: I can do {price}."


def asking_price(at: BargainPosition, patience: float = 2.0) -> int | None:
    """Returns the price that the haggler asks for next, with a gain of at least 1, or None if no price has one.

    After a share s of its messages it asks for best + (worst - best) * s ** patience: above 1 it concedes late
    (boulware), below 1 early (conceder), at 1 linearly.
    """
    best, worst = _best(at), at.private + (1 if at.seat == SELLER else -1)
    if at.gain(best) < 1:
        return None
    # the last offer that the other side can accept has a message after it
    last = at.spoken + at.left - 2
    share = min(1.0, at.spoken / last) if last > 0 else 1.0
    return round(best + (worst - best) * float(share**patience))
