"""Where a tournament is played: in this process, or in the workers of a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from arena.match import IllegalPolicy, faults
from arena.players import Player
from arena.runner import LocalRunner, Runner
from arena.runner.ray.config import RayConfig
from games import InputError
from games.naming import parse_name
from league.board import Panel
from league.config.tournament import TournamentConfig
from league.tournament.lineup import Lineup, assemble

SECRET = "secret"
"""the update channel that carries the run's secret to workers"""
NODES = 8
"""at most this many nodes have a line on the board"""

if TYPE_CHECKING:
    from arena.runner.ray import RayRunner, WorkerPlayers


class TournamentPlayers:
    """The players of a tournament in one worker."""

    def __init__(self, config: TournamentConfig) -> None:
        self._lineup = assemble(config)
        self.players = self._lineup.players

    def describe(self) -> Lineup:
        """Returns the lineup without its player objects."""
        specs = {id: replace(spec, seats=dict(spec.seats)) for id, spec in self._lineup.games.items()}
        return msgspec.structs.replace(self._lineup, games=specs, players={}, plays=dict(self._lineup.plays))

    def update(self, channel: str, message: Any) -> None:
        """Take the run's secret, which is known once the run has started."""
        if channel == SECRET:
            give_secret(self.players.values(), message)


def give_secret(players: Iterable[Player], secret: bytes) -> None:
    """Set the run's secret in players whose seeds leave the process; they derive those seeds from it."""
    for player in players:
        if player.outside:
            player.secret = secret


def share_secret(lineup: Lineup, runner: Runner, secret: bytes) -> None:
    """Set the run's secret in the players of this process, or of the workers of a cluster."""
    give_secret(lineup.players.values(), secret)
    publish = getattr(runner, "publish", None)
    if lineup.outside and publish is not None:
        publish(SECRET, secret, lineup.outside)


@contextmanager
def open_backend(config: TournamentConfig) -> Iterator[tuple[Lineup, Runner]]:
    """The lineup and the runner of its matches. With Ray, only the workers make players.

    Raises InputError if games, players, budget or cluster are invalid.
    """
    if config.workers == "ray":
        if config.budget.tokens is not None or config.budget.cost is not None:
            raise InputError('[budget] is counted by one process; write workers = "local", or remove [budget]')
        if learned := [p.name for p in config.players if parse_name(p.player).base == "learned"]:
            raise InputError(f'player {learned[0]!r} learns, and one process writes the notes; write workers = "local"')
        runner = on_ray(partial(TournamentPlayers, config), config.illegal, config.concurrency, config.ray)
        try:
            yield runner.description, runner
        finally:
            runner.close()
        return
    lineup = assemble(config)
    faults.forget()
    try:
        yield lineup, LocalRunner(lineup.players, config.illegal, config.concurrency)
    finally:
        lineup.close()


def cluster_panels(runner: Runner) -> tuple[Panel, ...]:
    """Returns a panel of the cluster's nodes with their workers and matches in flight, busiest first."""
    nodes: dict[str, list[int]] = {}
    for name, flying in runner.workers():
        nodes.setdefault(name.rpartition(":")[0], []).append(flying)
    if not nodes:
        return ()
    order = sorted(nodes, key=lambda node: (-sum(nodes[node]), node))
    lines = [f"{n}: {_many(len(nodes[n]), 'worker')}, {sum(nodes[n]):,} matches in flight" for n in order[:NODES]]
    if len(order) > NODES:
        lines.append(f"and {_many(len(order) - NODES, 'more node')}")
    workers, flying = sum(map(len, nodes.values())), sum(map(sum, nodes.values()))
    title = f"cluster: {_many(len(nodes), 'node')}, {_many(workers, 'worker')}, {flying:,} matches in flight"
    return (Panel(title, tuple(lines)),)


def _many(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def on_ray(make: Callable[[], WorkerPlayers], illegal: IllegalPolicy, concurrency: int, ray: RayConfig) -> RayRunner:
    """Returns a runner on the workers of a Ray cluster."""
    from arena.runner.ray import RayRunner, WorkerSpec
    from arena.runner.ray.worker_spec import loaded_plugins

    return RayRunner(WorkerSpec(make, illegal, concurrency, loaded_plugins()), ray)
