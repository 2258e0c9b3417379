"""King of the hill: the winner stays, the loser goes to the end of the queue."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from league.matchmaking import Matchmaker, Pairing, PairingContext, Result


class KingOfTheHill(Matchmaker):
    """In each game the king meets the next in the queue, `rounds` times; the first of the file begins as king.

    The player with the higher returns over the seat rotations becomes king; after a draw the king stays. A matchmaker
    keeps no state: it recomputes the queue from the results each time, so a resumed run continues exactly.
    """

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The king and the next challengers of every game."""
        if round >= context.rounds:
            return None
        return [Pairing(game, self._table(context, game, round, log)) for game in context.games]

    def total(self, context: PairingContext) -> int:
        """One pairing per game and round, and one match for each rotation of the seats."""
        return context.rounds * sum(len(info.seats) for info in context.games.values())

    def _table(self, context: PairingContext, game: str, round: int, log: Sequence[Result]) -> tuple[str, ...]:
        queue = deque(context.entrants(game))
        seats = len(context.games[game].seats)
        for past in range(round):
            table = [queue.popleft() for _ in range(seats)]
            scores = dict.fromkeys(table, 0.0)
            played = [r for r in log if (r.game, r.round) == (game, past) and r.status != "void"]
            for result in sorted(played, key=lambda r: r.index):
                for seat in result.seats:
                    scores[seat.player] += seat.score
            king = max(table, key=lambda name: scores[name])  # the first of equals: the old king
            table.remove(king)
            queue.appendleft(king)
            queue.extend(table)
        return tuple(queue)[:seats]
