"""Single and double elimination: who has lost once, or twice, is out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as default

from games import InputError
from games.randomness import Stream, derive
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.tables import interleave
from league.ratings import outcomes
from league.records import Result

REPLAYS = 3
Tie = tuple[str, str]
"""two players who meet until one is ahead, the better seed first"""


class SingleElimination(Matchmaker):
    """One bracket in each game of two seats. The best seed left meets the worst; byes go to the best seeds, in the
    first round only.

    A tie is `rounds` pairings, each in both seat orders. Ahead is who has more points (a match won 1, drawn 1/2), then
    the larger sum of scores; where both are level or every match was void, the tie is played again, up to `replays`
    times, then the better seed goes on. `seeding`: `file`, the order of the players in the file, or `lot`.
    """

    lives = 1

    def __init__(self, seeding: str = "file", replays: int = REPLAYS) -> None:
        if seeding not in ("file", "lot"):
            raise InputError(f"seeding={seeding}: players are seeded by `file` (their order there) or by `lot`")
        if not isinstance(replays, int) or replays < 0:
            raise InputError(f"replays={replays}: a tie is played again a whole number of times, 0 or more")
        self.seeding, self.replays = seeding, replays

    def next(self, field: Field, round: int, log: Sequence[Result]) -> Sequence[Pairing] | None:
        """The open ties of every bracket, or None once each has its winner."""
        ties = {game: self._bracket(field, game, round, log).ties for game in field.games}
        if not any(ties.values()):
            return None
        lists = [[Pairing(game, tie) for _ in range(field.rounds) for tie in ties[game]] for game in ties]
        return tuple(interleave(lists))

    def winner(self, field: Field, game: str, round: int, log: Sequence[Result]) -> str | None:
        """Who won a game's bracket by the results before a round; None while it is open."""
        left = self._bracket(field, game, round, log).left
        return left[0] if len(left) == 1 else None

    def _bracket(self, field: Field, game: str, round: int, log: Sequence[Result]) -> _Bracket:
        if field.games[game].size != 2:
            raise InputError(f"elimination needs games of two sides; {game!r} has {field.games[game].size}")
        seeds = list(field.entrants(game))
        if self.seeding == "lot":
            seeds = Stream(derive(field.seed, "elimination", game)).shuffled(seeds)
        bracket = _Bracket(seeds, self.lives)
        by_round: dict[int, list[Result]] = {}
        for result in sorted((r for r in log if r.game == game and r.round < round), key=lambda r: r.index):
            by_round.setdefault(result.round, []).append(result)
        for number in range(round):
            if not bracket.ties:
                break
            points = _points(by_round.get(number, ()), field, game)
            bracket.play(points, self.replays)
        return bracket


class DoubleElimination(SingleElimination):
    """As single elimination, but a player is out with its second loss.

    Who has lost meets others who have lost, whom it has not met where that can be. The last two meet: a second time
    where the one without a loss loses the first.
    """

    lives = 2


@dataclass
class _Bracket:
    seeds: list[str]
    lives: int
    losses: Counter[str] = default(default_factory=Counter)
    byes: Counter[str] = default(default_factory=Counter)
    met: set[frozenset[str]] = default(default_factory=set)
    replayed: int = 0
    ties: list[Tie] = default(default_factory=list)
    points: dict[str, list[float]] = default(default_factory=dict)
    """of the players of the open ties, replays included: points, then score"""

    def __post_init__(self) -> None:
        self._draw()

    @property
    def left(self) -> list[str]:
        """Who is not out, the best seed first."""
        return [p for p in self.seeds if self.losses[p] < self.lives]

    def play(self, points: dict[frozenset[str], dict[str, list[float]]], replays: int) -> None:
        """Take in one round's results of the open ties; once all are decided, draw the next ones."""
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
                self.met.add(frozenset(tie))
        self.replayed += 1
        self.ties = again
        if not again:
            self._draw()

    def _draw(self) -> None:
        left = self.left
        groups = [[p for p in left if self.losses[p] == lost] for lost in range(self.lives)]
        if len(left) == 2:  # the final, whatever they lost so far
            groups = [left]
        self.ties = [tie for group in groups for tie in self._pair(group)]
        self.points = {p: [0.0, 0.0] for tie in self.ties for p in tie}
        self.replayed = 0

    def _pair(self, group: Sequence[str]) -> list[Tie]:
        """Best against worst; byes so that, without a loss, a power of two is left after the first round."""
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
            others = [p for p in rest if frozenset((best, p)) not in self.met] or rest
            worst = others[-1]
            rest.remove(worst)
            ties.append((best, worst))
        return ties


def _points(log: Iterable[Result], field: Field, game: str) -> dict[frozenset[str], dict[str, list[float]]]:
    """Of one round: for each two that met, the points and the sum of scores of both."""
    found: dict[frozenset[str], dict[str, list[float]]] = {}
    for pairing in _by_pairing(log):
        for outcome in outcomes(pairing, field.games[game]):
            players = frozenset(s.player for s in outcome.entries)
            for entry, rank in zip(outcome.entries, outcome.ranks, strict=True):
                total = found.setdefault(players, {}).setdefault(entry.player, [0.0, 0.0])
                total[0] += 0.5 if len(set(outcome.ranks)) == 1 else float(rank == 0)
                total[1] = round(total[1] + entry.score, 9)
    return found


def _by_pairing(log: Iterable[Result]) -> list[list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in log:
        found.setdefault(result.pairing, []).append(result)
    return list(found.values())
