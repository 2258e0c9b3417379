"""The players of a tournament, here or in the workers of a Ray cluster, behind one face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from arena.match import IllegalPolicy
from arena.players import Player
from arena.runner import Plays, Runner
from games import InputError
from league.board import Panel
from league.config import IllegalConfig, RayConfig, TournamentConfig
from league.entry import Entry, assemble

SECRET = "secret"
"""the channel on which workers are sent the run's secret"""
NODES = 8
"""nodes that have a line on the board"""

if TYPE_CHECKING:
    from arena.workers import Crew, RayRunner
    from arena.workers.cluster import Cluster


class Entrants:
    """A worker's own players of a tournament."""

    def __init__(self, config: TournamentConfig) -> None:
        self._entry = assemble(config)
        self.players = self._entry.players

    def describe(self) -> Entry:
        """Who plays what, without the players."""
        specs = {id: replace(spec, seats=dict(spec.seats)) for id, spec in self._entry.games.items()}
        return Entry(specs, {}, dict(self._entry.plays), self._entry.outside)

    def update(self, channel: str, news: Any) -> None:
        """Nothing but the run's secret, which is known once there is a run."""
        if channel == SECRET:
            give_secret(self.players.values(), news)


def give_secret(players: Iterable[Player], secret: bytes) -> None:
    """Have players make the seeds that leave the process with the run's secret."""
    for player in players:
        if player.outside:
            player.secret = secret


def share_secret(entry: Entry, runner: Plays, secret: bytes) -> None:
    """Give the run's secret to the players here, or to those in the workers of a cluster."""
    give_secret(entry.players.values(), secret)
    publish = getattr(runner, "publish", None)
    if entry.outside and publish is not None:
        publish(SECRET, secret, entry.outside)


@contextmanager
def entrants(config: TournamentConfig) -> Iterator[tuple[Entry, Plays]]:
    """The entry and who plays its matches. With workers the players are made in them alone.

    Raises InputError where anything is wrong with games, players, budget or cluster.
    """
    policy = policy_of(config.illegal)
    if config.workers == "ray":
        if config.budget.tokens is not None or config.budget.cost is not None:
            raise InputError('budget is kept by one process; with [budget] write workers = "local"')
        runner = on_ray(partial(Entrants, config), policy, config.concurrency, config.ray)
        try:
            yield runner.about, runner
        finally:
            runner.close()
        return
    entry = assemble(config)
    try:
        yield entry, Runner(entry.players, policy, config.concurrency)
    finally:
        entry.close()


def cluster_panels(runner: Plays) -> tuple[Panel, ...]:
    """The nodes of a cluster with their workers and matches in flight, the busiest first."""
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


def on_ray(make: Callable[[], Crew], policy: IllegalPolicy, concurrency: int, ray: RayConfig) -> RayRunner:
    """A runner on the workers of a cluster."""
    from arena.workers import RayRunner, Recipe
    from arena.workers.crew import loaded_plugins

    return RayRunner(Recipe(make, policy, concurrency, loaded_plugins()), cluster_of(ray))


def cluster_of(config: RayConfig) -> Cluster:
    """The settings of a file as the workers know them."""
    from arena.workers.cluster import Cluster

    return Cluster(config.address, config.actors, config.cpus, config.gpus, dict(config.resources))


def policy_of(config: IllegalConfig) -> IllegalPolicy:
    """What happens after an illegal action."""
    return IllegalPolicy(config.retries, config.then)
