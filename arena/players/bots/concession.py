"""The player `haggler`: a time-dependent negotiator for bargain-v0."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Interval

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.native.bargain.coached import COACH, CoachedBargainGame
from games.native.bargain.game import BargainGame
from games.native.bargain.messages import BargainPosition, read


class ConcessionPlayer(Player):
    """Concedes from its best price to its own value as messages run out (Faratin, Sierra and Jennings 1998).

    After a share t of its messages it asks for best + (own - best) * t ** patience. `patience` above 1 concedes late
    (boulware), below 1 early (conceder), 1 linearly. It accepts an offer that is at least as good as its own next one,
    never a loss, and walks away when only losses are left.
    """

    def __init__(self, patience: Annotated[float, Interval(gt=0, le=100)] = 2.0) -> None:
        self.patience = float(patience)
        self.name = f"haggler(patience={patience})"

    def act(self, view: View) -> Decision:
        """Returns the next message, from the seat's observation only. A coach gives a random general suggestion."""
        if view.seat == COACH:
            return Decision(view.rng.choice(view.game.examples(COACH)))
        position = read(view.observation.text)
        if position is None:
            return Decision(None, "error", reason="haggler cannot read this position; it plays bargain-v0")
        return Decision(message(position, self.patience))

    def supports(self, game: TextGame) -> str | None:
        """Supports bargain-v0 only."""
        return None if isinstance(game, BargainGame | CoachedBargainGame) else "it plays only bargain-v0"


def message(position: BargainPosition, patience: float) -> str:
    """Returns the haggler's message in a position."""
    target = price(position, patience)
    offer = position.offer
    if offer is not None:
        gain = _gain(position, offer)
        # before the last message, an offer as good as the own next one is enough
        if gain > 0 and (target is None or position.left == 1 or gain >= _gain(position, target)):
            return f"accept: {offer} is fine with me."
    if target is None or position.left == 1:
        return "walk away: There is no price for both of us."
    return f"offer {target}: I can do {target}."


def price(position: BargainPosition, patience: float) -> int | None:
    """Returns the price to ask for next, with a gain of at least 1, or None if no price has one."""
    seller = position.seat == "seller"
    best = position.high if seller else position.low
    worst = position.private + (1 if seller else -1)
    if _gain(position, best) < 1:
        return None
    # the last offer that the other side can accept has a message after it
    last = position.spoken + position.left - 2
    t = min(1.0, position.spoken / last) if last > 0 else 1.0
    return round(best + (worst - best) * float(t**patience))


def _gain(position: BargainPosition, price: int) -> int:
    return price - position.private if position.seat == "seller" else position.private - price
