"""Two small games for tests, registered by conftest.py: one turn-based, one simultaneous with free text."""

from collections.abc import Mapping

from games import GameSpec, IllegalAction, Observation, RandomStream, TextGame


class Race(TextGame):
    """Two players take 1 or 2 from a pile in turn; taking the last one wins. The seed gives the size of the pile."""

    spec = GameSpec(
        "race-v0", {"player_0": "first", "player_1": "second"}, "zero_sum", "Take 1 or 2.", 20, returns_range=(-1, 1)
    )

    def reset(self, seed: int) -> None:
        self.pile, self.mover = 5 + RandomStream(seed).below(5), 0

    @property
    def acting(self) -> tuple[str, ...]:
        return (f"player_{self.mover}",) if self.pile > 0 else ()

    def observe(self, seat: str) -> Observation:
        return Observation(f"{self.pile} left")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        if seat not in self.acting:
            return ()
        return ("1", "2") if self.pile > 1 else ("1",)

    def apply(self, actions: Mapping[str, str]) -> None:
        ((seat, action),) = actions.items()
        if action not in (self.legal(seat) or ()):
            raise IllegalAction(f"take {' or '.join(self.legal(seat) or ())}, not {action}")
        self.pile -= int(action)
        self.mover = 1 - self.mover

    def returns(self) -> Mapping[str, float]:
        winner = f"player_{1 - self.mover}"
        return {s: (1.0 if s == winner else -1.0) if self.pile == 0 else 0.0 for s in self.spec.seats}


class Auction(TextGame):
    """Both seats bid once, as free text; the higher bid wins. A bid is a whole number from 0 to 9."""

    spec = GameSpec(
        "auction-v0", {"left": "bidder", "right": "bidder"}, "zero_sum", "Bid 0 to 9.", 2, returns_range=(-1, 1)
    )

    def reset(self, seed: int) -> None:
        self.bids: dict[str, int] = {}

    @property
    def acting(self) -> tuple[str, ...]:
        return () if self.bids else ("left", "right")

    def observe(self, seat: str) -> Observation:
        return Observation("sealed bids" if not self.bids else str(self.bids), "bid")

    def legal(self, seat: str) -> tuple[str, ...] | None:
        return None

    def examples(self, seat: str) -> tuple[str, ...]:
        return tuple("0123456789") if self.acting else ()

    def apply(self, actions: Mapping[str, str]) -> None:
        for seat, text in actions.items():
            if not (len(text) == 1 and text.isascii() and text.isdigit()):
                raise IllegalAction(f"{text!r} is not a number from 0 to 9", seat)
        self.bids = {seat: int(text) for seat, text in actions.items()}

    def returns(self) -> Mapping[str, float]:
        left, right = self.bids.get("left", 0), self.bids.get("right", 0)
        sign = (left > right) - (left < right)
        return {"left": float(sign), "right": float(-sign)}
