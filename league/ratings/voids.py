"""What players did in void matches, which no rating method counts: voids that they caused, tokens, failed attempts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

from league.outcomes.sides import added
from league.outcomes.table import Outcomes
from league.ratings.online.tally import Tally, TallyKey
from league.records.leaderboard import Leaderboard, Standing


class VoidLedger:
    """Adds the void matches of a table of outcomes to the rows of a leaderboard, whichever method rates them."""

    def __init__(self, rows: Outcomes) -> None:
        self._voids: Counter[TallyKey] = Counter()
        self._costs: defaultdict[TallyKey, Tally] = defaultdict(Tally)
        """by game, role and player; "" for all games or all roles"""
        for match, times in rows.void:
            for seat in match.seats:
                for of in ((match.game, seat.role), (match.game, ""), ("", "")):
                    key = (*of, seat.player)
                    self._voids[key] += times * bool(seat.void_phase)
                    self._costs[key].spend(seat, times)

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

    def _rows(self, rows: Sequence[Standing], game: str = "", role: str = "") -> tuple[Standing, ...]:
        return tuple(self._row(row, (game, role, row.player)) for row in rows)

    def _row(self, row: Standing, key: TallyKey) -> Standing:
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
