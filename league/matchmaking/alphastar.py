"""AlphaStar's league: whom each kind of player meets, when it is frozen, when it starts again.

Vinyals et al., Nature 2019, methods and the pseudocode published with it. Pure functions of a league's members and
their payoff. `AlphaStar` pairs a tournament by `opponent`; `ready` and `reset` are for whoever trains several learners:
the training league here has one, and freezes it by rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

import numpy as np

from games.randomness import Stream
from league.matchmaking.pfsp import Kind as Weighting
from league.matchmaking.pfsp import weights
from league.ratings.sides import GameInfo, sides
from league.records import Result

Kind = Literal["main", "main-exploiter", "league-exploiter"]

DECAY = 0.99
"""per match of a pair, in both directions: a memory of 100 matches"""
MAIN_PFSP, MAIN_VERIFICATION = 0.5, 0.15
"""shares of a main player's matches; the rest is self-play"""
EXPLOITED, FORGOTTEN, SELF_PLAY, EXPLOITER_READY = 0.3, 0.7, 0.3, 0.1
BEATEN = 0.7
"""win rate against every target at which a player is frozen early"""
MIN_STEPS, MAX_STEPS = 2_000_000_000, 4_000_000_000
LEAGUE_RESET = 0.25


@dataclass(frozen=True)
class Member:
    """A learner, or with `parent` a frozen copy of one. `kind` of a copy is its parent's."""

    name: str
    kind: Kind
    parent: str | None = None

    @property
    def frozen(self) -> bool:
        """Whether it is a checkpoint."""
        return self.parent is not None


@dataclass(frozen=True)
class Opponent:
    """Whom to meet, and by which branch of the mix: `pfsp`, `verification`, `forgetting`, `self-play`, `main` or
    `checkpoint`. Only against a learner (`live`) is the opponent trained too.
    """

    name: str
    branch: str
    live: bool


class Payoff:
    """Win rates between members, old matches fading. A self-meeting says nothing."""

    def __init__(self, decay: float = DECAY) -> None:
        self._decay = decay
        self._games: dict[tuple[str, str], float] = {}
        self._points: dict[tuple[str, str], float] = {}

    @classmethod
    def of(cls, results: Iterable[Result], info: GameInfo | None = None, decay: float = DECAY) -> Payoff:
        """From a log of one game, in plan order. A match of more than two sides counts for each two of its players.

        `info` is needed where the game has teams.
        """
        payoff = cls(decay)
        for result in sorted((r for r in results if r.status != "void"), key=lambda r: r.index):
            for one, other in combinations(sides(result, info) if info else [(s,) for s in result.seats], 2):
                for a, b in product(one, other):
                    payoff.record(a.player, b.player, _score((not a.forfeited, a.score), (not b.forfeited, b.score)))
        return payoff

    def record(self, a: str, b: str, score: float) -> None:
        """One match: `score` 1 where `a` won, 1/2 drawn, 0 lost. Raises ValueError for anything outside [0, 1]."""
        if not 0.0 <= score <= 1.0:
            raise ValueError(f"score of {a} against {b} is {score}; it must lie in 0..1")
        if a == b:
            return
        for pair, points in (((a, b), score), ((b, a), 1.0 - score)):
            self._games[pair] = self._decay * self._games.get(pair, 0.0) + 1.0
            self._points[pair] = self._decay * self._points.get(pair, 0.0) + points

    def win_rate(self, a: str, b: str) -> float:
        """Of `a` against `b`; 1/2 where they have not met."""
        games = self._games.get((a, b), 0.0)
        return self._points[a, b] / games if games else 0.5

    def win_rates(self, a: str, others: Sequence[str]) -> list[float]:
        """Of `a` against each."""
        return [self.win_rate(a, b) for b in others]


def opponent(player: Member, league: Sequence[Member], payoff: Payoff, rng: Stream) -> Opponent:
    """Whom a learner meets next. `league` in the order the members joined. Raises ValueError for a frozen player, or
    a main exploiter's league without a main player.
    """
    if player.frozen:
        raise ValueError(f"{player.name} is a checkpoint; only learners are given opponents")
    if player.kind == "main":
        return _main(player, league, payoff, rng)
    if player.kind == "main-exploiter":
        return _main_exploiter(player, league, payoff, rng)
    history = [m for m in league if m.frozen]
    if not history:
        return _someone(player, [m for m in league if m.kind == "main" and not m.frozen] or [player], rng, "main")
    return _pfsp(player, history, payoff, rng, "linear-capped", "pfsp")


def ready(player: Member, league: Sequence[Member], payoff: Payoff, steps: int) -> bool:
    """Whether a learner is frozen into a checkpoint now, `steps` after its last one.

    Never before MIN_STEPS; then once it beats every target in 70% of the matches, or after MAX_STEPS. Targets: all
    checkpoints; of a main exploiter the main players. Nobody to beat yet is not the same as beating everybody.
    """
    if steps < MIN_STEPS:
        return False
    if player.kind == "main-exploiter":
        targets = [m.name for m in league if m.kind == "main" and not m.frozen]
    else:
        targets = [m.name for m in league if m.frozen]
    beaten = bool(targets) and min(payoff.win_rates(player.name, targets)) > BEATEN
    return beaten or steps > MAX_STEPS


def reset(player: Member, rng: Stream) -> bool:
    """Whether a learner goes back to its initial weights after a checkpoint: a main exploiter always, a league
    exploiter one time in four, a main player never.
    """
    return player.kind == "main-exploiter" or (player.kind == "league-exploiter" and rng.random() < LEAGUE_RESET)


def _main(player: Member, league: Sequence[Member], payoff: Payoff, rng: Stream) -> Opponent:
    coin = rng.random()
    history = [m for m in league if m.frozen]
    if coin < MAIN_PFSP and history:
        return _pfsp(player, history, payoff, rng, "squared", "pfsp")
    mains = [m for m in league if m.kind == "main" and not m.frozen]
    main = rng.choice(mains)
    if MAIN_PFSP <= coin < MAIN_PFSP + MAIN_VERIFICATION:
        found = _verification(player, main, history, payoff, rng)
        if found is not None:
            return found
    return _self_play(player, main, league, payoff, rng)


def _verification(
    player: Member, main: Member, history: Sequence[Member], payoff: Payoff, rng: Stream
) -> Opponent | None:
    """Has an exploiter been forgotten, or an old self? None where neither."""
    exploiters = [m for m in history if m.kind == "main-exploiter"]
    rates = payoff.win_rates(player.name, [m.name for m in exploiters])
    if rates and min(rates) < EXPLOITED:
        return _pfsp(player, exploiters, payoff, rng, "squared", "verification")
    past = [m for m in history if m.parent == main.name]
    rates = payoff.win_rates(player.name, [m.name for m in past])
    past = past[: _without_monotonic_tail(rates)]
    if past and min(rates[: len(past)]) < FORGOTTEN:
        return _pfsp(player, past, payoff, rng, "squared", "forgetting")
    return None


def _without_monotonic_tail(rates: Sequence[float]) -> int:
    """How many of the oldest checkpoints are left without the newest ones over which the win rate only falls."""
    for i in range(len(rates) - 1, 0, -1):
        if rates[i - 1] < rates[i]:
            return i + 1
    return 0


def _self_play(player: Member, main: Member, league: Sequence[Member], payoff: Payoff, rng: Stream) -> Opponent:
    if payoff.win_rate(player.name, main.name) > SELF_PLAY:
        return Opponent(main.name, "self-play", live=True)
    return _past_of(player, main, league, payoff, rng)


def _main_exploiter(player: Member, league: Sequence[Member], payoff: Payoff, rng: Stream) -> Opponent:
    mains = [m for m in league if m.kind == "main" and not m.frozen]
    if not mains:
        raise ValueError(f"{player.name} exploits main players; the league has none")
    main = rng.choice(mains)
    if payoff.win_rate(player.name, main.name) > EXPLOITER_READY:
        return Opponent(main.name, "main", live=True)
    return _past_of(player, main, league, payoff, rng)


def _past_of(player: Member, main: Member, league: Sequence[Member], payoff: Payoff, rng: Stream) -> Opponent:
    past = [m for m in league if m.parent == main.name]
    if not past:
        return Opponent(main.name, "main", live=True)
    return _pfsp(player, past, payoff, rng, "variance", "checkpoint")


def _pfsp(
    player: Member, others: Sequence[Member], payoff: Payoff, rng: Stream, kind: Weighting, branch: str
) -> Opponent:
    rates = np.array(payoff.win_rates(player.name, [m.name for m in others]))
    chosen = others[rng.weighted(weights(rates, kind).tolist())]
    return Opponent(chosen.name, branch, live=not chosen.frozen)


def _someone(player: Member, others: Sequence[Member], rng: Stream, branch: str) -> Opponent:
    chosen = rng.choice(others)
    return Opponent(chosen.name, "self-play" if chosen == player else branch, live=not chosen.frozen)


def _score(a: tuple[bool, float], b: tuple[bool, float]) -> float:
    return 0.5 if a == b else float(a > b)
