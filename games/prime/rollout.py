"""The agents that an environment of `verifiers` drives, played by seats of a match.

In the library an agent is a program in a sandbox that asks an endpoint. Here it is a chat: every model call waits for
the reply of a seat. An agent without tools does the same in the library, so prompts, stops and rewards are equal.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

Ask = Callable[[str, Sequence[Any]], Awaitable[str]]
"""waits for the reply of a seat to a conversation"""


class MissingRuntime(Exception):
    """Raised if an environment needs a container or a process for its agent: the arena has none."""


class NoRuntime:
    """In place of the sandbox in which an agent runs."""

    def __getattr__(self, name: str) -> Any:
        raise MissingRuntime(f"it uses runtime.{name}")


class SeatAgents:
    """The agents of one match, by the names that the environment's configuration gives them."""

    def __init__(self, specs: dict[str, Any], ask: Ask) -> None:
        self.traces: list[Any] = []
        """the traces of finished rollouts, in the order in which they ended"""
        self._agents = {name: SeatAgent(name, spec, ask, self.traces) for name, spec in specs.items()}

    def __getattr__(self, name: str) -> SeatAgent:
        if name in self.__dict__.get("_agents", {}):
            return self._agents[name]
        raise AttributeError(f"no agent {name!r}")


class SeatAgent:
    """In place of `verifiers.v1.Agent`."""

    def __init__(self, name: str, spec: Any, ask: Ask, traces: list[Any]) -> None:
        self.name, self.config, self.trainable = name, spec, True
        self._ask, self._traces = ask, traces

    async def run(self, task: Any, *, on_trace: Callable[[Any], None] | None = None, **options: Any) -> Any:
        """Returns one reply to the task's prompt, and its trace with rewards."""
        self._refuse(options)
        rollout = await self._opened(task, on_trace)
        if task.data.prompt is None:
            raise ValueError("the task has no prompt for the agent")
        await rollout.turn([])
        rollout.trace.stop("agent_completed")
        return await self._closed(rollout)

    @asynccontextmanager
    async def interaction(
        self, task: Any, *, on_trace: Callable[[Any], None] | None = None, **options: Any
    ) -> AsyncIterator[SeatInteraction]:
        """A conversation in which the environment is the user."""
        self._refuse(options)
        rollout = await self._opened(task, on_trace)
        yield SeatInteraction(rollout)
        if rollout.trace.stop_condition is None:
            rollout.trace.stop("user_closed")
        await self._closed(rollout)

    async def provision(self, task: Any = None) -> Any:
        """Raises MissingRuntime."""
        raise MissingRuntime("it gives its agents a sandbox")

    async def _opened(self, task: Any, on_trace: Callable[[Any], None] | None) -> SeatRollout:
        rollout = SeatRollout(task, self, self._ask)
        if on_trace is not None:
            on_trace(rollout.trace)
        await _called(task.setup, {"trace": rollout.trace, "runtime": NoRuntime()})
        return rollout

    async def _closed(self, rollout: SeatRollout) -> Any:
        await rollout.close()
        self._traces.append(rollout.trace)
        return rollout.trace

    @staticmethod
    def _refuse(options: dict[str, Any]) -> None:
        if used := sorted(name for name, value in options.items() if value):
            raise MissingRuntime(f"it gives its agents {', '.join(used)}")


class SeatRollout:
    """One conversation of one agent about one task, with its trace."""

    def __init__(self, task: Any, agent: SeatAgent, ask: Ask) -> None:
        import verifiers.v1 as vf
        from verifiers.v1.state import state_cls

        self.task, self._agent, self._ask = task, agent, ask
        self.trace = vf.Trace(
            task=vf.TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash),
            state=state_cls(type(task))(),
            agent=vf.AgentInfo(config=agent.config, name=agent.name, trainable=agent.trainable),
        )
        system = [vf.SystemMessage(content=task.data.system_prompt)] if task.data.system_prompt else []
        prompt = task.data.prompt
        self._messages = [*system, *([vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt or ())]

    async def turn(self, messages: Sequence[Any]) -> bool:
        """Add messages of the user and the seat's reply. False if a limit or a stop of the task ends the conversation.

        The reply is a message of the trace, as after a model call of the library.
        """
        import verifiers.v1 as vf
        from verifiers.v1.graph import prepare_turn

        if self.trace.stop_condition is not None or await self._stopped():
            return False
        self._messages += messages
        text = await self._ask(self._agent.name, tuple(self._messages))
        message = vf.AssistantMessage(content=text)
        response = vf.Response(id="arena", created=0, model="arena", message=message, finish_reason="stop")
        node = prepare_turn(self.trace, list(self._messages)).commit(response)
        self.trace.calls.append(vf.ModelCall(node=node, model="arena", finish_reason="stop"))
        self._messages.append(message)
        return True

    async def _stopped(self) -> bool:
        most = self._agent.config.max_turns
        if most is not None and self.trace.num_turns >= most:
            self.trace.stop("max_turns")
            return True
        for stop in self.task.hooks("stop"):
            if await _called(stop, {"trace": self.trace, "task": self.task.data}, self.trace):
                self.trace.stop(stop.__name__)
                return True
        return False

    async def close(self) -> None:
        """Score the conversation with the task's metrics, rewards and judges."""
        await _called(self.task.finalize, {"trace": self.trace, "runtime": NoRuntime()})
        await self.task.score(self.trace)
        self.trace.is_completed = self.trace.ok = True


class SeatInteraction:
    """In place of `verifiers.v1.Interaction`."""

    def __init__(self, rollout: SeatRollout) -> None:
        self._rollout, self._begun, self._over = rollout, False, False

    @property
    def trace(self) -> Any:
        """The trace, also while the conversation goes on."""
        return self._rollout.trace

    async def turn(self, message: Any = None) -> Any:
        """Returns the reply to a message, or to the task's prompt; a segment that is `terminated` if there is none."""
        import verifiers.v1 as vf
        from verifiers.v1.dialects import parse_message

        if self._over:
            raise RuntimeError("the exchange is over")
        opening = not self._begun and self._rollout.task.data.prompt is not None
        if (message is None) != opening:
            raise ValueError("the first turn of a task with a prompt takes no message, every other turn takes one")
        if isinstance(message, str):
            message = [vf.UserMessage(content=message)]
        added = [parse_message(m) if isinstance(m, dict) else m for m in message or ()]
        self._begun = True
        if await self._rollout.turn(added):
            return vf.Segment(messages=[self.trace.nodes[-1].message])
        self._over = True
        return vf.Segment(messages=[], terminated=True)


async def _called(hook: Callable[..., Any], named: dict[str, Any], only: Any = None) -> Any:
    """Call a hook with the arguments it names; `only` for one argument of another name. Awaits what must be awaited."""
    names = list(inspect.signature(hook).parameters)
    arguments = {name: named[name] for name in names if name in named}
    if not arguments and only is not None and names:
        arguments = {names[0]: only}
    result = hook(**arguments)
    return await result if inspect.isawaitable(result) else result
