"""What players did in void matches, which no rating method counts: voids that they caused, tokens, failed attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from league.ratings.online.tally import Tally
from league.ratings.outcomes.plain import MatchLog, VoidMatches
from league.ratings.outcomes.sides import added
from league.records.leaderboard import Leaderboard, Standing
from league.records.matches import Result

_Key = tuple[str, str, str]
"""game, role, player; "" for all games or all roles"""


class VoidLedger:
    """Adds void matches to the rows of a leaderboard, whichever method rates them."""

    def __init__(self) -> None:
        self._voids: Counter[_Key] = Counter()
        self._costs: dict[_Key, Tally] = {}

    def add_results(self, results: Iterable[Result]) -> None:
        """Add results; those that are not void change nothing."""
        self._add((result.game, result.seats, 1) for result in results if result.status == "void")

    def add_log(self, log: MatchLog) -> None:
        """Add a whole log."""
        self._add(log.void)
        self.add_results(log.others)

    def entered(self, board: Leaderboard) -> Leaderboard:
        """Returns the leaderboard with the void matches in its rows. A player without a row gets none."""
        if not self._costs:
            return board
        return msgspec.structs.replace(
            board,
            standings=self._rows(board.standings),
            games={game: self._rows(rows, game) for game, rows in board.games.items()},
            roles={
                game: {role: self._rows(rows, game, role) for role, rows in roles.items()}
                for game, roles in board.roles.items()
            },
        )

    def _add(self, matches: Iterable[VoidMatches]) -> None:
        for game, seats, times in matches:
            for seat in seats:
                for of in ((game, seat.role), (game, ""), ("", "")):
                    key = (*of, seat.player)
                    self._voids[key] += times * bool(seat.void_phase)
                    self._costs.setdefault(key, Tally()).spend(seat, times)

    def _rows(self, rows: Sequence[Standing], game: str = "", role: str = "") -> tuple[Standing, ...]:
        return tuple(self._row(row, (game, role, row.player)) for row in rows)

    def _row(self, row: Standing, key: _Key) -> Standing:
        cost = self._costs.get(key)
        if cost is None:
            return row
        return msgspec.structs.replace(
            row,
            voids=self._voids[key],
            turns=row.turns + cost.turns,
            tokens=row.tokens + cost.tokens,
            prompt_tokens=row.prompt_tokens + cost.prompt_tokens,
            faults=dict(sorted(added((row.faults, cost.faults)).items())),
        )
