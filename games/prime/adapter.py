"""An environment of `verifiers` as a TextGame: its agents are the seats, its rewards the returns."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from annotated_types import Interval

from games.errors import IllegalAction, InfrastructureError
from games.game import GameSpec, Observation, Seat, TextGame
from games.isolated_rng import IsolatedGenerators
from games.one_action import only_action
from games.prime.match import EnvironmentMatch
from games.prime.rollout import MissingRuntime
from games.prime.thread import OneThread
from games.quoting import byte_length, quote
from games.randomness import derive
from games.returns_range import read_range
from games.template_tokens import MAX_BYTES, without_tokens

T = TypeVar("T")
MaxTurns = Annotated[int, Interval(ge=1, le=10_000)]
TaskLimit = Annotated[int, Interval(ge=1, le=1_000_000)]
MAX_TURNS, TASK_LIMIT = 100, 1000
SECONDS = 120.0
"""for one reply of an environment; it may ask a judge that is a model"""
ROLE = "chat-agent"
_THREAD = OneThread("the environment of verifiers")
_BRACKETS = re.compile(r"\[[^\[\]\n]{1,40}\]")
_TEXTS = ("<answer>1</answer>", "Yes", "No", "1", "\\boxed{1}", "I do not know.")


class VerifiersGame(TextGame):
    """`load` makes the environment and its tasks; `specs` are the configurations of its agents.

    actions: legal actions separated by `|`, for environments that expect one of a few texts; empty: any text is legal.
    max_turns: replies of all agents together; a longer match is cut off and pays 0.
    task_limit: how many tasks are read, the first ones.
    returns_range: the lowest and the highest return of a seat, such as [-1,2]; a forfeit pays the lowest.
    """

    one_phase = True

    def __init__(
        self,
        id: str,
        name: str,
        env: Any,
        tasks: Sequence[Any],
        specs: Mapping[str, Any],
        actions: str = "",
        max_turns: MaxTurns = MAX_TURNS,
        task_limit: TaskLimit = TASK_LIMIT,
        returns_range: str = "",
    ) -> None:
        self._name, self._env, self._tasks, self._specs = name, env, tasks, specs
        self._actions = tuple(dict.fromkeys(filter(None, map(str.strip, actions.split("|")))))
        self._seats = tuple(specs)
        several = len(self._seats) > 1
        self.spec = GameSpec(
            id=id,
            seats={seat: f"{ROLE}-{seat}" if several else ROLE for seat in self._seats},
            payoff="general_sum",
            rules=f"You take part in {name}, an environment of the library verifiers. Your first message is your task.",
            max_turns=max_turns,
            returns_range=read_range(returns_range),
            rated=several,
            chance=len(tasks) > 1,
        )
        self._match: EnvironmentMatch | None = None
        self._task: Any = None
        self._generators = IsolatedGenerators(0)
        self._texts: list[str] = []
        self._free: Callable[[], object] | None = None

    def reset(self, seed: int) -> None:
        """Choose the task and run the environment to its first question. Raises InfrastructureError if it fails."""
        self._texts = []
        self._task = self._tasks[derive(seed, "verifiers", "task") % len(self._tasks)]
        self._seed = derive(seed, "verifiers") % (1 << 31)
        try:
            self._begin()
        except (Exception, SystemExit) as error:
            raise self._broken(error) from error
        if self._open().over:
            raise InfrastructureError(f"{self.spec.id} asked no agent anything")

    def _begin(self) -> None:
        """Start the environment anew and repeat the texts of this match."""
        if self._free is not None:
            self._free()
        self._generators = IsolatedGenerators(self._seed)
        self._match = match = EnvironmentMatch(self._env, self._task, self._specs)
        self._free = weakref.finalize(self, _THREAD.start, match.close)
        self._run(match.settle)
        for text in self._texts:
            self._run(lambda text=text: match.reply(text))  # type: ignore[misc]

    def _run(self, function: Callable[[], T]) -> T:
        """Run the environment in its thread, with random generators of this match."""

        def active() -> T:
            with self._generators.active():
                return function()

        return _THREAD.run(active, SECONDS)

    def _open(self) -> EnvironmentMatch:
        assert self._match is not None, "reset first"
        return self._match

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The agent whose reply the environment awaited first; agents that are asked at once reply one by one."""
        match = self._open()
        return (match.waiting[0].seat,) if match.waiting and not match.over else ()

    def observe(self, seat: Seat) -> Observation:
        """Returns the conversation of this agent with the environment, and at the end its reward."""
        match = self._open()
        others = [text for other in self._seats if other != seat for text in self._replies(other)]
        text = rendered(match.conversations.get(seat, ()), others)
        if match.over:
            text += f"\nThe match is over. Your reward: {self.returns()[seat]:g}"
        return Observation(text)

    def _replies(self, seat: Seat) -> Iterator[str]:
        return (text for role, text in self._open().conversations.get(seat, ()) if role == "assistant")

    def legal(self, seat: Seat) -> tuple[str, ...] | None:
        """Returns the parameter `actions`; None, any text, without it."""
        if seat not in self.acting:
            return ()
        return self._actions or None

    def apply(self, actions: Mapping[Seat, str]) -> None:
        """Give an agent's reply. Raises IllegalAction if the environment or a reward function fails on it."""
        match, text = self._open(), only_action(self.acting, actions)
        if self._actions and text not in self._actions:
            raise IllegalAction(f"{text!r:.80} is not among {', '.join(self._actions)}")
        if (size := byte_length(text)) > MAX_BYTES:
            raise IllegalAction(f"the text has {size:,} bytes; it may have {MAX_BYTES:,} at most")
        try:
            self._run(lambda: match.reply(text))
        except (Exception, SystemExit) as error:
            if not _follows_from_text(error):
                raise self._broken(error) from error
            self._begin()
            raise IllegalAction(f"{self._name} cannot read this text ({type(_cause(error)).__name__})") from None
        self._texts.append(text)

    def returns(self) -> Mapping[Seat, float]:
        """Returns the rewards at the end, 0 before; the mean for an agent that had several conversations."""
        return self._open().returns(self._seats)

    def facts(self) -> Mapping[str, Any]:
        """Returns the task and, at the end, the single rewards and metrics."""
        return self._open().facts() if self._match is not None else {}

    def examples(self, seat: Seat) -> tuple[str, ...]:
        """Returns the parameter `actions`, or texts in brackets that the environment mentions, and short answers."""
        if seat not in self.acting:
            return ()
        if self._actions:
            return self._actions
        prompt = " ".join(text for role, text in self._open().conversations[seat] if role != "assistant")
        return (*dict.fromkeys(_BRACKETS.findall(prompt)[-6:]), *_TEXTS)

    def _broken(self, error: BaseException) -> InfrastructureError:
        if isinstance(error, InfrastructureError):
            return error
        cause = _cause(error)
        reason = " ".join(str(cause).split()) or type(cause).__name__
        return InfrastructureError(f"{self.spec.id} failed: {type(cause).__name__}: {reason:.200}")


def _cause(error: BaseException) -> BaseException:
    """Returns the environment's exception, without the library's wrappers."""
    while error.__cause__ is not None and type(error).__module__.startswith("verifiers."):
        error = error.__cause__
    return error


def _follows_from_text(error: BaseException) -> bool:
    """Returns False for failures of a judge, a process or the network, which no seat causes."""
    from verifiers.v1 import InterceptionError, ProviderError, SandboxError, ToolsetError

    failures = (InfrastructureError, MissingRuntime, OSError, TimeoutError, SystemExit)
    outside = (*failures, InterceptionError, ProviderError, SandboxError, ToolsetError)
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, outside):
            return False
        cause = cause.__cause__
    return True


def rendered(conversation: Sequence[tuple[str, str]], others: Iterable[str]) -> str:
    """Returns the messages, oldest first: those of the environment as they are, the agent's own replies quoted.

    `others` are texts of other agents. Where the environment repeats one, it is quoted, so that it cannot pretend to be
    a message of the environment.
    """
    foreign = sorted({t.strip() for t in others if t.strip() and quote(t, MAX_BYTES)[1:-1] != t}, key=len)
    lines = []
    for role, text in conversation:
        if role == "assistant":
            lines.append(f"You: {quote(text, MAX_BYTES)}")
            continue
        for other in reversed(foreign):
            text = text.replace(other, quote(other, MAX_BYTES))
        lines.append(without_tokens(text.strip()))
    return "\n".join(lines)
