"""One match of an environment of `verifiers`: an event loop that runs until a seat must reply, and then stands still.

Nothing runs between two replies, so an environment without threads or a network plays the same match again.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.errors import InfrastructureError
from games.prime.rollout import SeatAgents

_TICKS = 16
"""rounds of the event loop that the environment gets for its other work after a seat's turn"""


RoleText = tuple[str, str]
"""one message of a conversation: `system`, `user` or `assistant`, and its text"""


class Awaited(NamedTuple):
    """A seat whose reply to a conversation an environment awaits."""

    seat: str
    conversation: tuple[RoleText, ...]
    reply: asyncio.Future[str]


class EnvironmentMatch:
    """Runs `env.setup`, `run` and `finalize` on one task. All methods belong to one thread."""

    def __init__(self, env: Any, task: Any, specs: Mapping[str, Any]) -> None:
        self._env, self._task = env, task
        self._agents = SeatAgents(dict(specs), self._ask)
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self.waiting: deque[Awaited] = deque()
        """the seats whose replies are awaited, in the order in which the environment asked"""
        self.conversations: dict[str, tuple[RoleText, ...]] = {}
        """the newest conversation of each seat, up to its last reply or to the message that awaits one"""
        self._running = self._loop.create_task(self._play())

    @property
    def over(self) -> bool:
        """Whether the environment has finished."""
        return self._running.done()

    def settle(self) -> None:
        """Run until a seat must reply or the match is over. Raises what the environment raised."""
        self._loop.run_until_complete(self._settled())
        if self._running.done():
            self._running.result()

    def reply(self, text: str) -> None:
        """Give the first awaited seat's reply, and run until the next question or the end."""
        seat, conversation, reply = self.waiting.popleft()
        self.conversations[seat] = (*conversation, ("assistant", text))
        reply.set_result(text)
        self.settle()

    def close(self) -> None:
        """Cancel what runs, and close the loop."""
        self._running.cancel()
        self._loop.run_until_complete(asyncio.gather(self._running, return_exceptions=True))
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    def returns(self, seats: Sequence[str]) -> dict[str, float]:
        """Returns the reward of each seat; the mean of its conversations, if it had several; 0 without any."""
        if not self.over:
            return dict.fromkeys(seats, 0.0)
        returns = {}
        for seat in seats:
            rewards = [float(trace.reward) for trace in self._agents.traces if trace.agent.name == seat]
            returns[seat] = math.fsum(rewards) / len(rewards) if rewards else 0.0
            if not math.isfinite(returns[seat]):
                raise InfrastructureError(f"the environment pays {seat} {returns[seat]}, which is not a number")
        return returns

    def facts(self) -> dict[str, Any]:
        """Returns the task, and each conversation's rewards and metrics."""
        scored = [
            {
                "seat": trace.agent.name,
                "rewards": {name: r.value for name, r in trace.rewards.items() if r is not None},
                "metrics": {name: value for name, value in trace.metrics.items() if value is not None},
                "stop": str(trace.stop_condition or ""),
            }
            for trace in (self._agents.traces if self.over else ())
        ]
        return {"task": str(self._task.data.name or self._task.data.idx), "scored": scored}

    async def _ask(self, seat: str, messages: Sequence[Any]) -> str:
        from verifiers.v1.types import content_text

        conversation = tuple((str(message.role), content_text(message.content)) for message in messages)
        awaited = Awaited(seat, conversation, self._loop.create_future())
        self.waiting.append(awaited)
        self._changed.set()
        return await awaited.reply

    async def _settled(self) -> None:
        while not self.waiting and not self._running.done():
            self._changed.clear()
            changed = asyncio.ensure_future(self._changed.wait())
            await asyncio.wait({self._running, changed}, return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
        for _ in range(_TICKS):
            await asyncio.sleep(0)
        if self.waiting:
            self.conversations[self.waiting[0].seat] = self.waiting[0].conversation

    async def _play(self) -> None:
        import verifiers.v1 as vf

        task = self._task
        await self._env.setup(self._agents)
        await self._env.run(task, self._agents)
        if not self._agents.traces:
            raise ValueError("the environment ran no agent")
        recorded = vf.TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash)
        episode = vf.Episode(env=vf.EnvInfo(id=self._env.config.env_id), task=recorded)
        episode.traces.extend(self._agents.traces)
        await self._env.finalize(task, episode)
        episode.ok = True
