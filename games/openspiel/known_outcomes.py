"""Hand-written matches with known outcomes; they detect flipped signs and wrong seats."""

from __future__ import annotations

from games.game import KnownOutcome, Seat


def _turns(*texts: str, first: int = 0) -> tuple[dict[Seat, str], ...]:
    """Returns actions of two players in turn, starting with `first`."""
    return tuple({f"player_{(first + i) % 2}": text} for i, text in enumerate(texts))


def _pair(zero: float, one: float) -> dict[Seat, float]:
    return {"player_0": zero, "player_1": one}


def _both(zero: str, one: str) -> tuple[dict[Seat, str], ...]:
    return ({"player_0": zero, "player_1": one},)


# Canonical id -> outcomes. None of these matches has a chance event, so the seed has no effect.
OUTCOMES: dict[str, tuple[KnownOutcome, ...]] = {
    "openspiel/tic_tac_toe": (
        KnownOutcome(0, _turns("x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(0,2)"), _pair(1, -1)),
        KnownOutcome(0, _turns("x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(2,2)", "o(1,2)"), _pair(-1, 1)),
    ),
    "openspiel/connect_four": (
        KnownOutcome(0, _turns("x0", "o1", "x0", "o1", "x0", "o1", "x0"), _pair(1, -1)),
        KnownOutcome(0, _turns("x0", "o1", "x0", "o1", "x0", "o1", "x2", "o1"), _pair(-1, 1)),
    ),
    # White, player_1, moves first and is checkmated (fool's mate).
    "openspiel/chess": (KnownOutcome(0, _turns("f3", "e5", "g4", "Qh4#", first=1), _pair(1, -1)),),
    # Misere: player_1 takes the last object and loses.
    "openspiel/nim": (
        KnownOutcome(
            0,
            _turns("pile:4, take:7;", "pile:3, take:5;", "pile:2, take:3;", "pile:1, take:1;"),
            _pair(1, -1),
        ),
    ),
    "openspiel/matrix_pd": (KnownOutcome(0, _both("Cooperate", "Defect"), _pair(0, 10)),),
    "openspiel/matrix_rps": (KnownOutcome(0, _both("Rock", "Paper"), _pair(-1, 1)),),
    "openspiel/blotto": (KnownOutcome(0, _both("[4,4,2]", "[0,0,10]"), _pair(1, -1)),),
    "openspiel/sheriff(num_rounds=1)": (
        KnownOutcome(
            0,
            (
                {"player_0": "PlaceIllegalItems(num=2)"},
                {"player_0": "Bribe(amount=1)"},
                {"player_1": "InspectionFeedback(will_inspect=True)"},
            ),
            _pair(-4, 4),
        ),
    ),
}
