"""King of the hill: the winner stays, the loser goes to the end of the queue."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from league.matchmaking import Field, Matchmaker, Pairing
from league.records import Result


class KingOfTheHill(Matchmaker):
    """In each game the king meets the next in the queue, `rounds` times; the first of the file begins as king.

    Who has the higher returns over the seat rotations is the next king; a draw keeps the old one. A matchmaker keeps no
    state: the hill is climbed anew from the results each time, so a resumed run goes on as if never stopped.
    """

    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The king and the next challengers of every game."""
        if round >= field.rounds:
            return None
        return [Pairing(game, self._table(field, game, round, log)) for game in field.games]

    def total(self, field: Field) -> int:
        """One pairing per game and round, and one match for each rotation of the seats."""
        return field.rounds * sum(len(info.seats) for info in field.games.values())

    def _table(self, field: Field, game: str, round: int, log: Sequence[Result]) -> tuple[str, ...]:
        queue = deque(field.entrants(game))
        seats = len(field.games[game].seats)
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
