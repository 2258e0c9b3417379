"""Win rates against players of known strength, per seat, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from arena.match import Episode, IllegalPolicy, MatchPlan
from arena.players.player import Player
from arena.runner.local import LocalRunner
from games import GameSpec
from games.randomness import derive

DEFAULT_ANCHORS = ("random", "mcts(simulations=100)", "solver")
"""the anchors of `arena eval`; those that do not support the game are skipped"""

Z95 = 1.959963984540054
"""97.5% quantile of the standard normal"""


class SeatScore(msgspec.Struct, frozen=True):
    """The results of a player in one seat, or its team's seats, against an anchor in all other seats."""

    anchor: str
    seat: str
    role: str
    matches: int
    """without void ones"""
    wins: int
    draws: int
    rate: float
    """(wins + draws / 2) / matches; nan without matches"""
    low: float
    high: float
    """95% Wilson interval of the rate"""
    score: float
    """mean return"""
    illegal: float
    """share of the player's attempts that failed"""


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Returns the Wilson score interval (Wilson 1927) of a rate; (0, 1) without observations. A draw counts half.

    >>> [round(x, 4) for x in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if n == 0:
        return 0.0, 1.0
    p, z = successes / n, Z95
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(max(0.0, p * (1 - p) / n + z * z / (4 * n * n)))
    return max(0.0, centre - half), min(1.0, centre + half)


def plans(
    spec: GameSpec, player: str, anchor: str, seats: Sequence[str], matches: int, seed: int, salt: str = ""
) -> list[MatchPlan]:
    """Returns `matches` plans per seat: the player in the seat and its team (no strangers), the anchor in the others.

    The seats share the seeds. With `salt`, every match has a seed of its own, which depends on that text too.
    """
    return [
        MatchPlan(
            f"{spec.id}:{anchor}:{seat}:{i}",
            spec.id,
            derive(seed, spec.id, i, salt, seat) if salt else derive(seed, spec.id, i),
            {other: player if other in _player_seats(spec, seat) else anchor for other in spec.seats},
        )
        for i in range(matches)
        for seat in seats
    ]


def _team(spec: GameSpec, seat: str) -> tuple[str, ...]:
    """Returns the seats of this seat's team, including itself."""
    return next((team for team in spec.teams if seat in team), (seat,))


def _player_seats(spec: GameSpec, seat: str) -> tuple[str, ...]:
    """Returns the seats that the player of this seat takes in its team."""
    return (seat,) if spec.strangers else _team(spec, seat)


async def play_anchor(
    player: Player,
    anchor: Player,
    spec: GameSpec,
    matches: int,
    *,
    seed: int = 0,
    illegal: IllegalPolicy | None = None,
    concurrency: int = 64,
    progress: Callable[[int, int], None] | None = None,
) -> list[SeatScore]:
    """Play `matches` in every seat of a game and count the results. In team games, the first seat represents a team.

    The matches in different seats share their seeds, unless one of the players may recall what it saw in another match.
    `progress` gets the number of ended matches, and of all.
    """
    runner = LocalRunner({"player": player, "anchor": anchor}, illegal, concurrency)
    seats = [team[0] for team in spec.teams] or list(spec.seats)
    apart = f"against {anchor.name}" if player.may_recall or anchor.may_recall else ""
    episodes = await runner.play_all(plans(spec, "player", "anchor", seats, matches, seed, apart), progress)
    return [seat_score(anchor.name, spec, seat, episodes) for seat in seats]


def seat_score(anchor: str, spec: GameSpec, seat: str, episodes: Sequence[Episode]) -> SeatScore:
    """Returns the results of `player` in this seat. A win is a higher return than that of every other team."""
    matches = [e for e in episodes if e.seats[seat] == "player" and e.status != "void"]
    wins = draws = attempts = failed = 0
    for episode in matches:
        best = max((v for s, v in episode.returns.items() if s not in _team(spec, seat)), default=0.0)
        wins += episode.returns[seat] > best + 1e-9
        draws += abs(episode.returns[seat] - best) <= 1e-9
        made = [a for t in episode.turns if not t.opening and t.seat in _player_seats(spec, seat) for a in t.attempts]
        made += episode.failure if episode.forfeited_by in _player_seats(spec, seat) else ()
        attempts += len(made)
        failed += sum(a.category != "ok" for a in made)
    n = len(matches)
    low, high = wilson(wins + draws / 2, n)
    return SeatScore(
        anchor=anchor,
        seat=seat,
        role=spec.seats[seat],
        matches=n,
        wins=wins,
        draws=draws,
        rate=(wins + draws / 2) / n if n else math.nan,
        low=low,
        high=high,
        score=sum(e.returns[seat] for e in matches) / n if n else math.nan,
        illegal=failed / attempts if attempts else 0.0,
    )
