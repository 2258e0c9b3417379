"""The player `haggler`: a time-dependent negotiator for bargain-v0."""

from __future__ import annotations

from arena.match.records import Decision
from arena.players.player import Player, View
from games import InputError, TextGame
from games.dialogue.bargain import Bargain
from games.dialogue.bargain_messages import Position, read
from games.dialogue.coached import COACH, Coached


class Haggler(Player):
    """Concedes from its best price to its own value as messages run out (Faratin, Sierra and Jennings 1998).

    After the share t of its messages it asks for best + (own - best) * t ** patience: `patience` above 1 holds out
    and gives way late (boulware), below 1 it gives way early (conceder), 1 is linear. It accepts what is at least as
    good as its own next offer, never a loss, and walks away when nothing better than a loss can come any more.
    """

    def __init__(self, patience: float = 2.0) -> None:
        if not 0 < patience <= 100:
            raise InputError(f"haggler(patience={patience!r}): patience must be a number above 0, 100 at most")
        self.patience = float(patience)
        self.name = f"haggler(patience={patience})"

    def act(self, view: View) -> Decision:
        """The next message, from the seat's own observation alone; as a coach one of the general suggestions."""
        if view.seat == COACH:
            return Decision(view.rng.choice(view.game.examples(COACH)))
        position = read(view.observation.text)
        if position is None:
            return Decision(None, "error", reason="haggler cannot read this position; it plays bargain-v0")
        return Decision(message(position, self.patience))

    def supports(self, game: TextGame) -> str | None:
        """It plays bargain-v0 only."""
        return None if isinstance(game, Bargain | Coached) else "it only bargains: it plays bargain-v0"


def message(position: Position, patience: float) -> str:
    """The action of the haggler in a position."""
    target = price(position, patience)
    offer = position.offer
    if offer is not None:
        gain = _gain(position, offer)
        # after the last message nothing can come; before it, better than the own next offer is good enough
        if gain > 0 and (target is None or position.left == 1 or gain >= _gain(position, target)):
            return f"accept: {offer} is fine with me."
    if target is None or position.left == 1:
        return "walk away: There is no price for both of us."
    return f"offer {target}: I can do {target}."


def price(position: Position, patience: float) -> int | None:
    """The price the haggler asks for next, in its favour by at least 1; None where no price is."""
    seller = position.seat == "seller"
    best = position.high if seller else position.low
    worst = position.private + (1 if seller else -1)
    if _gain(position, best) < 1:
        return None
    # the last offer that can still be accepted is the one with a message after it
    last = position.spoken + position.left - 2
    t = min(1.0, position.spoken / last) if last > 0 else 1.0
    return round(best + (worst - best) * float(t**patience))


def _gain(position: Position, price: int) -> int:
    return price - position.private if position.seat == "seller" else position.private - price
