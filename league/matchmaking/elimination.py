"""Single and double elimination: a player is out after one loss, or after two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge

from games import InputError
from games.randomness import RandomStream, derive
from league.matchmaking.designs import interleave
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.outcomes.table import OutcomeTable
from league.records.matches import Result

REPLAYS = 3
Tie = tuple[str, str]
"""two players who meet until one is ahead; the better seed is first"""


class SingleElimination(Matchmaker):
    """A bracket in each game of two seats. The best remaining seed meets the worst. Byes go to the best seeds, in the
    first round only.

    A tie has `rounds` pairings, each in both seat orders. The player with more points is ahead (a win is 1, a draw
    1/2), then the one with the larger sum of scores. If both are equal or all matches are void, the tie is replayed up
    to `replays` times; then the better seed advances. `seeding` is `file`, the order of the file, or `lot`, random.
    """

    lives = 1
    open = False

    def __init__(self, seeding: Literal["file", "lot"] = "file", replays: Annotated[int, Ge(0)] = REPLAYS) -> None:
        self.seeding, self.replays = seeding, replays

    def next(self, context: PairingContext, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """Returns the open ties of every bracket, or None once each bracket has a winner."""
        ties = {game: self._bracket(context, game, round, log).ties for game in context.games}
        if not any(ties.values()):
            return None
        lists = [[Pairing(game, tie) for _ in range(context.rounds) for tie in ties[game]] for game in ties]
        return tuple(interleave(lists))

    def total(self, context: PairingContext) -> None:
        """Unknown, because ties are replayed. Raises InputError if a game does not have two sides."""
        for game in context.games:
            self._bracket(context, game, 0, ())

    def winner(self, context: PairingContext, game: str, round: int, log: Sequence[Result]) -> str | None:
        """Returns the winner of a game's bracket before a round; None while it is open."""
        left = self._bracket(context, game, round, log).left
        return left[0] if len(left) == 1 else None

    def _bracket(self, context: PairingContext, game: str, round: int, log: Sequence[Result]) -> _Bracket:
        if context.games[game].size != 2:
            raise InputError(f"elimination needs games of two sides; {game!r} has {context.games[game].size}")
        seeds = list(context.entrants(game))
        if self.seeding == "lot":
            seeds = RandomStream(derive(context.seed, "elimination", game)).shuffled(seeds)
        bracket = _Bracket(seeds, self.lives)
        by_round: dict[int, list[Result]] = {}
        for result in sorted((r for r in log if r.game == game and r.round < round), key=lambda r: r.index):
            by_round.setdefault(result.round, []).append(result)
        for number in range(round):
            if not bracket.ties:
                break
            points = _points(by_round.get(number, ()), context, game)
            bracket.play(points, self.replays)
        return bracket


class DoubleElimination(SingleElimination):
    """Like single elimination, but a player is out after its second loss.

    Players with a loss meet each other, if possible without rematches. The last two players meet in the final; if the
    one without a loss loses it, they meet again.
    """

    lives = 2


@dataclass
class _Bracket:
    seeds: list[str]
    lives: int
    losses: Counter[str] = field(default_factory=Counter)
    byes: Counter[str] = field(default_factory=Counter)
    meetings: set[frozenset[str]] = field(default_factory=set)
    replayed: int = 0
    ties: list[Tie] = field(default_factory=list)
    points: dict[str, list[float]] = field(default_factory=dict)
    """[points, sum of scores] of each player of the open ties, replays included"""

    def __post_init__(self) -> None:
        self._draw()

    @property
    def left(self) -> list[str]:
        """The players that are not out, the best seed first."""
        return [p for p in self.seeds if self.losses[p] < self.lives]

    def play(self, points: dict[frozenset[str], dict[str, list[float]]], replays: int) -> None:
        """Add one round of results of the open ties; once all are decided, make the next ones."""
        again: list[Tie] = []
        for tie in self.ties:
            won = points.get(frozenset(tie), {})
            for p in tie:
                self.points[p] = [a + b for a, b in zip(self.points[p], won.get(p, [0.0, 0.0]), strict=True)]
            a, b = (self.points[p] for p in tie)
            if a == b and self.replayed < replays:
                again.append(tie)
            else:
                self.losses[tie[1] if a >= b else tie[0]] += 1
                self.meetings.add(frozenset(tie))
        self.replayed += 1
        self.ties = again
        if not again:
            self._draw()

    def _draw(self) -> None:
        left = self.left
        groups = [[p for p in left if self.losses[p] == lost] for lost in range(self.lives)]
        if len(left) == 2:  # the final, whatever their losses
            groups = [left]
        self.ties = [tie for group in groups for tie in self._pair(group)]
        self.points = {p: [0.0, 0.0] for tie in self.ties for p in tie}
        self.replayed = 0

    def _pair(self, group: Sequence[str]) -> list[Tie]:
        """Pairs the best with the worst. Byes leave a power of two unbeaten players after the first round."""
        if len(group) < 2:
            return []
        unbeaten = self.losses[group[0]] == 0
        size = 1 << (len(group) - 1).bit_length()
        byes = size - len(group) if unbeaten else len(group) % 2
        place = {p: i for i, p in enumerate(self.seeds)}
        order = sorted(group, key=lambda p: (self.byes[p], place[p]))
        self.byes.update(order[:byes])
        rest = sorted(order[byes:], key=lambda p: place[p])
        ties = []
        while rest:
            best = rest.pop(0)
            others = [p for p in rest if frozenset((best, p)) not in self.meetings] or rest
            worst = others[-1]
            rest.remove(worst)
            ties.append((best, worst))
        return ties


def _points(log: Iterable[Result], context: PairingContext, game: str) -> dict[frozenset[str], dict[str, list[float]]]:
    """Returns points and sum of scores of one round: pair of players -> player -> [points, scores]."""
    totals: dict[frozenset[str], dict[str, list[float]]] = {}
    table = OutcomeTable(context.games)
    table.add(log)
    for unit in table.rows().listed():
        for outcome in unit.outcomes:
            players = frozenset(s.player for s in outcome.entries)
            for entry, rank in zip(outcome.entries, outcome.ranks, strict=True):
                total = totals.setdefault(players, {}).setdefault(entry.player, [0.0, 0.0])
                total[0] += 0.5 if len(set(outcome.ranks)) == 1 else float(rank == 0)
                total[1] = round(total[1] + entry.score, 9)
    return totals
