"""Simulated results for conformance kits, of players with known strength."""

from __future__ import annotations

from collections.abc import Sequence

from games.randomness import RandomStream
from league.ratings import GameInfo
from league.records.matches import PlannedMatch, Result, SeatResult

PAIR = GameInfo("zero_sum", ("first", "second"))
TRIO = GameInfo("zero_sum", ("a", "b", "c"))
DEAL = GameInfo("general_sum", ("seller", "buyer"))
POKER = GameInfo("zero_sum", ("player_0", "player_1"), stakes=True)
TEAM = GameInfo("cooperative", ("player_0", "player_1"))


def played(planned: Sequence[PlannedMatch], seed: int, *, void: float = 0.0, seq: int = 0) -> list[Result]:
    """Returns a result for each planned match. Lower numbers win more often; a share `void` of the matches is void."""
    stream = RandomStream(seed)
    return [_result(one, stream, void, seq + n + 1) for n, one in enumerate(planned)]


def _result(planned: PlannedMatch, stream: RandomStream, void: float, seq: int) -> Result:
    match = planned.match
    strength = {name: stream.random() - 0.1 * _number(name) for name in dict.fromkeys(match.seats.values())}
    mean = sum(strength[name] for name in match.seats.values()) / len(match.seats)
    seats = tuple(SeatResult(s, s, name, strength[name] - mean, turns=2) for s, name in match.seats.items())
    status = "void" if stream.random() < void else "finished"
    return Result(
        planned.index, planned.round, planned.pairing, match.id, match.game, match.seed, status, "", seats, 0.1, seq
    )


def _number(name: str) -> int:
    return int("".join(c for c in name if c.isdigit()) or "0")
