"""The workers as the driver sees them: Ray's actors, who is there, and how many matches to give each at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.workers.actor import Hello, Played, Worker
from arena.workers.cluster import Cluster, room
from arena.workers.crew import Recipe
from games import InputError

SHORT, LONG = 0.1, 0.5
"""seconds: a batch that took less is doubled for its worker, one that took more is halved"""
MOST = 1024
"""matches in a batch"""
PATIENCE = 30.0
"""seconds between two words about a cluster that has no room yet"""
GRACE = 5.0
"""seconds that workers have to remove their files before they are ended"""


@dataclass(eq=False)
class Slot:
    """One worker."""

    actor: Any
    name: str = "a worker"
    here: bool = False
    batch: int = 1
    """matches to give it at once"""
    flying: int = 0
    greeting: Any = None
    """what tells that it is there, while it is not"""
    alone: bool = False
    """plays one match, and nothing beside it"""

    def room(self, concurrency: int) -> int:
        """How many more matches it may be given: so many that the next batch is there when one has ended."""
        return 0 if self.alone else max(0, max(concurrency, 2 * self.batch) - self.flying)

    def learn(self, matches: int, played: Played) -> None:
        """From how long a batch took."""
        if played.seconds < SHORT:
            self.batch = min(MOST, max(self.batch, 2 * matches))
        elif played.seconds > LONG:
            self.batch = max(1, self.batch // 2)


def start(recipe: Recipe, cluster: Cluster) -> list[Slot]:
    """The workers; Ray starts one again whenever it dies, on any node with room for it."""
    import ray

    # A greeting waits for a worker that is being started again; a batch goes to somebody else.
    Worker.hello = ray.method(max_task_retries=-1)(Worker.hello)  # type: ignore[method-assign]
    made = ray.remote(Worker).options(
        num_cpus=cluster.cpus,
        num_gpus=cluster.gpus,
        resources=cluster.resources or None,
        max_restarts=-1,
        max_concurrency=1 << 14,
        scheduling_strategy="SPREAD",
    )
    return [Slot(made.remote(recipe)) for _ in range(cluster.actors or room(cluster))]


def first(slots: Sequence[Slot], say: Callable[[str], None]) -> Hello:
    """Wait for one worker. Raises InputError: what is wrong with the players is wrong everywhere."""
    import ray

    greetings = [slot.actor.hello.remote() for slot in slots]
    while not (ready := ray.wait(greetings, num_returns=1, timeout=PATIENCE)[0]):
        say("waiting for room for a worker in the Ray cluster; `ray status` shows who takes it")
    hello: Hello = ray.get(ready[0])
    if hello.problem:
        raise InputError(hello.problem)
    return hello


def end(slots: Sequence[Slot]) -> None:
    """End the workers. Those that are there remove their files first."""
    import ray

    leaving = [slot.actor.leave.remote() for slot in slots if slot.here]
    if leaving:
        ray.wait(leaving, num_returns=len(leaving), timeout=GRACE)
    for slot in slots:
        ray.kill(slot.actor)
