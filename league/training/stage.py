"""Where training matches are played: on the trainer's own weights, on a second set beside them, or on a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from arena import players
from arena.players import Player
from arena.runner import Plays, Runner
from league.crews import SECRET, give_secret, on_ray, policy_of
from league.training.config import TrainingConfig
from league.training.live import Snapshots
from league.training.understudy import Cast, Tensors

if TYPE_CHECKING:
    from arena.workers import RayRunner

Weights = Mapping[str, Tensors]
"""policy -> its trained parameters"""
Described = Mapping[str, str]
"""policy -> the player id of its snapshot, `llm(model=FOLDER, ...)`"""
CHANNEL = "live"


class Stage(Protocol):
    """Plays matches of the live policy, snapshots and anchors."""

    copies: bool
    """whether it plays with weights of its own, which must be published to it"""

    @property
    def runner(self) -> Plays:
        """Plays them."""
        ...

    def publish(self, weights: Weights, version: int) -> None:
        """From now on the live policy plays with these."""
        ...

    def join(self, name: str, folder: Path, ids: Described) -> None:
        """A snapshot that lies in a folder may be seated."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


class Here:
    """This process. `cast`: the second set of weights; None: the live policy plays on the trainer's own."""

    def __init__(
        self, config: TrainingConfig, live: Mapping[str, Player], anchors: Mapping[str, Player], cast: Cast | None
    ) -> None:
        self._cast, self.copies = cast, cast is not None
        self._ids: dict[str, Described] = {}
        self._frozen = Snapshots(lambda name: self._ids[name], config.opponents.loaded)
        seated = {**(live if cast is None else cast.players), **anchors}
        self.runner = Runner(seated, policy_of(config.illegal), config.concurrency)

    def publish(self, weights: Weights, version: int) -> None:
        """Copy the weights into the second set."""
        if self._cast is not None:
            self._cast.load(weights, version)

    def join(self, name: str, folder: Path, ids: Described) -> None:
        """Loaded when somebody meets it."""
        self._ids[name] = ids
        self.runner.players = {**self.runner.players, name: self._frozen.player(name)}

    def close(self) -> None:
        """Free snapshots and weights."""
        self._frozen.close()
        if self._cast is not None:
            self._cast.close()


class Away:
    """The workers of a Ray cluster: weights and snapshots travel through its object store."""

    def __init__(
        self, config: TrainingConfig, live: Mapping[str, Player], anchors: Mapping[str, Player], keys: Sequence[str]
    ) -> None:
        self.copies = True
        self._live = list(live)
        self.runner: RayRunner = on_ray(
            partial(Company, config, keys), policy_of(config.illegal), config.concurrency, config.ray
        )
        for name, anchor in anchors.items():
            if anchor.outside:
                self.runner.publish(SECRET, anchor.secret, [name])

    def publish(self, weights: Weights, version: int) -> None:
        """Every worker takes them before it plays its next match of the live policy."""
        self.runner.publish(CHANNEL, (weights, version), self._live)

    def join(self, name: str, folder: Path, ids: Described) -> None:
        """Its files go to the workers that seat it."""
        files = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
        self.runner.publish(name, (str(folder.resolve()), files, dict(ids)), [name])

    def close(self) -> None:
        """End the workers."""
        self.runner.close()


class Company:
    """A worker's own players of a training: the live policy, the anchors, and the snapshots it was sent."""

    def __init__(self, config: TrainingConfig, keys: Sequence[str]) -> None:
        from arena.workers import scratch

        self._cast = Cast(config, keys)
        self._ids: dict[str, Described] = {}
        self._frozen = Snapshots(lambda name: self._ids[name], config.opponents.loaded)
        anchors = {a.name: players.make(a.player, a.name) for a in config.anchors}
        self.players: dict[str, Player] = {**self._cast.players, **anchors}
        self._folder = scratch.folder() / "snapshots"

    def describe(self) -> Any:
        """Nothing that the driver does not know."""

    def update(self, channel: str, news: Any) -> None:
        """Weights of the live policy, the run's secret, or a snapshot."""
        if channel == CHANNEL:
            self._cast.load(*news)
            return
        if channel == SECRET:
            give_secret(self.players.values(), news)
            return
        there, files, ids = news
        here = self._folder / channel
        for name, data in files.items():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_bytes(data)
        self._ids[channel] = {key: id.replace(there, str(here)) for key, id in ids.items()}
        self.players[channel] = self._frozen.player(channel)


def stage_for(
    config: TrainingConfig, live: Mapping[str, Player], anchors: Mapping[str, Player], keys: Sequence[str]
) -> Stage:
    """What the file asks for. Raises InputError."""
    if config.workers == "ray":
        return Away(config, live, anchors, keys)
    beside = config.overlap > 0 or config.policy.engine == "vllm"
    return Here(config, live, anchors, Cast(config, keys) if beside else None)
