"""What each role of a training learned, measured against partners that stand still: its first and its last snapshot.

In self-play a role's reward depends on what the other roles learn at the same time: an attacker may improve and earn
less. So the first and the last snapshot play each role with the same partners on the same seeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

import games
import roles
from arena import event_loop
from arena.learner import credits_of
from arena.match import Episode, MatchPlan
from arena.players import Player
from arena.runner import LocalRunner
from games import GameSpec
from games.randomness import derive
from league.config.training import TrainingConfig
from league.runs import stored_players


def cross_play(config: TrainingConfig, first: int, last: int, matches: int) -> dict[str, list[float]]:
    """The mean credits of the snapshots of two steps, as [first, last], by `GAME/ROLE with the first (last) partners`.

    `matches` of each game for each role, snapshot and kind of partners.
    """
    players = {
        name: stored_players.make(f"{config.name}@{step}", config.db)
        for name, step in (("first", first), ("last", last))
    }
    out: dict[str, list[float]] = {}
    for spec in (games.make(game.id).spec for game in config.games):
        for role in dict.fromkeys(spec.seats.values()):
            for others in players:
                found = [_credit(config, spec, players, role, mine, others, matches) for mine in players]
                out[f"{spec.id}/{role} with the {others} partners"] = found
    for player in players.values():
        player.close()
    return out


def _credit(
    config: TrainingConfig,
    spec: GameSpec,
    players: Mapping[str, Player],
    role: str,
    mine: str,
    others: str,
    matches: int,
) -> float:
    """The mean credit of a player in all seats of a role; 0 if no match gives the role a credit."""
    own = {name: roles.make(id) for name, id in config.roles.items()}
    live = {"live": players[mine], "partner": players[others]}
    runner = LocalRunner(live, config.illegal, config.concurrency)
    seats = {seat: "live" if of == role else "partner" for seat, of in spec.seats.items()}
    seeds = [derive(config.seed, "cross-play", n) for n in range(matches)]
    queue = [MatchPlan(f"{n}", spec.id, seed, seats) for n, seed in enumerate(seeds)][::-1]
    episodes: list[Episode] = []
    event_loop.run(runner.run(lambda room: [queue.pop() for _ in range(min(room, len(queue)))], episodes.extend))
    episodes.sort(key=lambda episode: int(episode.match))
    credits = credits_of(episodes, {"live"}, role=lambda name: own.get(name) or roles.make(name))
    return fmean([credit.reward for credit in credits] or [0.0])
