"""Where training matches are played: on the trainer's own weights, on replicas in this process, or on Ray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from arena import players
from arena.match import faults
from arena.players import Player
from arena.runner import LocalRunner, Runner
from league.tournament.backends import SECRET, give_secret, on_ray
from league.training.participants.players import LoadedSnapshots, SavedSnapshot
from league.training.plan import TrainingPlan
from league.training.policy_trainer import Published
from league.training.replicas import ReplicaSet

if TYPE_CHECKING:
    from arena.runner.ray import RayRunner

WEIGHTS = "live"
"""the channel on which workers receive the weights of live policies; snapshots have a channel each, under their name"""


class Rollouts(Protocol):
    """Plays matches of the live policy, snapshots and anchors."""

    has_replicas: bool
    """whether the live policy plays on weights of its own, which must be published"""

    @property
    def runner(self) -> Runner:
        """The runner of the matches."""
        ...

    @property
    def rated(self) -> Runner:
        """The runner of rated matches; another one if they can be played beside the first one's."""
        ...

    def publish(self, published: Published) -> None:
        """Have the live policies play with these weights from now on."""
        ...

    def rest(self) -> None:
        """Give memory of the trainer's GPU back until weights are published, if the settings say so."""
        ...

    def wake(self) -> None:
        """Have the engines of snapshots play, without new weights."""
        ...

    def add_snapshot(self, snapshot: SavedSnapshot) -> None:
        """Make a snapshot available as a player."""
        ...

    def close(self) -> None:
        """Free engines, snapshots and workers."""
        ...


class LocalRollouts:
    """Plays in this process. With `replicas` None, the live policy plays on the trainer's own weights."""

    def __init__(
        self,
        plan: TrainingPlan,
        live: Mapping[str, Player],
        anchors: Mapping[str, Player],
        replicas: ReplicaSet | None,
    ) -> None:
        self._replicas, self.has_replicas = replicas, replicas is not None
        self._snapshots = LoadedSnapshots(_loaded(plan))
        self._players = {**(live if replicas is None else replicas.players), **anchors}
        faults.forget()
        self.runner = LocalRunner(self._players, plan.illegal, plan.concurrency)
        self.rated = LocalRunner(self._players, plan.illegal, plan.concurrency)

    def publish(self, published: Published) -> None:
        """Copy the weights into the replicas."""
        if self._replicas is not None:
            self._replicas.load(published)

    def rest(self) -> None:
        """Let the replicas' engines sleep."""
        if self._replicas is not None:
            self._replicas.rest()

    def wake(self) -> None:
        """Wake the replicas' engines that play snapshots too."""
        if self._replicas is not None:
            self._replicas.wake()

    def add_snapshot(self, snapshot: SavedSnapshot) -> None:
        """Make a snapshot available; it is loaded at its first decision."""
        self._players[snapshot.name] = self._snapshots.player(snapshot)

    def close(self) -> None:
        """Free snapshots and replicas."""
        self._snapshots.close()
        if self._replicas is not None:
            self._replicas.close()


class RayRollouts:
    """Plays on the workers of a Ray cluster. Weights and snapshots travel through its object store."""

    has_replicas = True

    def __init__(self, plan: TrainingPlan, live: Mapping[str, Player], anchors: Mapping[str, Player]) -> None:
        self._live = list(live)
        self.runner: RayRunner = on_ray(partial(TrainingPlayers, plan), plan.illegal, plan.concurrency, plan.ray)
        self.rated = self.runner
        for name, anchor in anchors.items():
            if anchor.outside:
                self.runner.publish(SECRET, anchor.secret, [name])

    def publish(self, published: Published) -> None:
        """Send the weights. Every worker loads them before its next match of a live policy.

        They travel in the host's memory: a worker would restore tensors of a GPU on its own, beside its engine.
        """
        self.runner.publish(WEIGHTS, _on_host(published), self._live)

    def rest(self) -> None:
        """Nothing: no trainer works on the workers' GPUs."""

    def wake(self) -> None:
        """Nothing: their engines never sleep."""

    def add_snapshot(self, snapshot: SavedSnapshot) -> None:
        """Send a snapshot's files to the workers that play a match of it."""
        folder = snapshot.folder
        files = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
        self.runner.publish(snapshot.name, (snapshot, files), [snapshot.name])

    def close(self) -> None:
        """Stop the workers."""
        self.runner.close()


class TrainingPlayers:
    """The players inside one worker: the live policy, the anchors, and the snapshots that the worker received."""

    def __init__(self, plan: TrainingPlan) -> None:
        from arena.runner.ray import scratch

        self._replicas = ReplicaSet(plan, worker=True)
        self._snapshots = LoadedSnapshots(_loaded(plan))
        anchors = {name: players.make(id, name) for name, id in plan.anchors.items()}
        self.players: dict[str, Player] = {**self._replicas.players, **anchors}
        self._folder = scratch.folder() / "snapshots"

    def describe(self) -> Any:
        """None: the driver knows all players."""

    def update(self, channel: str, message: Any) -> None:
        """Receive weights of the live policy, the run's secret, or a snapshot with its files."""
        if channel == WEIGHTS:
            self._replicas.load(message)
            return
        if channel == SECRET:
            give_secret(self.players.values(), message)
            return
        sent: tuple[SavedSnapshot, Mapping[str, bytes]] = message
        snapshot, files = replace(sent[0], folder=self._folder / channel), sent[1]
        for name, data in files.items():
            path = snapshot.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.players[channel] = self._snapshots.player(snapshot)


def open_rollouts(plan: TrainingPlan, live: Mapping[str, Player], anchors: Mapping[str, Player]) -> Rollouts:
    """Returns the rollouts that a plan asks for. Raises InputError."""
    if plan.on_ray:
        return RayRollouts(plan, live, anchors)
    return LocalRollouts(plan, live, anchors, ReplicaSet(plan) if plan.overlap or plan.vllm else None)


def _on_host(published: Published) -> Published:
    from arena.inference.tensor_file import on_host

    return {
        id: (version, {part: dict(zip(ts, on_host(ts.values()), strict=True)) for part, ts in weights.items()})
        for id, (version, weights) in published.items()
    }


def _loaded(plan: TrainingPlan) -> int:
    """Returns how many snapshots a step may meet, and so are kept in memory."""
    return sum(policy.opponents.loaded for policy in plan.policies.values())
