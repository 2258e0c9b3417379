"""A player whose replies come from an agent of another library, as a conversation that the agent remembers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import roles
from arena.players import Player, View
from arena.players.chat import memory_of, read
from arena.records import Decision
from games import TextGame
from games.sanitize import clean
from roles import Memory
from roles.types import Answer


class AgentReply(NamedTuple):
    """What an agent wrote; `cut` if it ended at a limit on tokens. `text` is None if it writes no more."""

    text: str | None
    cut: bool = False


class AgentPlayer(Player):
    """Sends each turn's message to an agent and reads the action in its reply, as the player `llm` does.

    The first message of the conversation is `opening`, which the agent gets before its first turn.
    """

    waits = True

    def __init__(self, name: str, ask: Callable[[str], Awaitable[AgentReply]], answer: Answer = "boxed") -> None:
        self.name, self._ask, self.answer = name, ask, answer

    async def act_async(self, view: View) -> Decision:
        """Returns the action in the agent's reply. An agent that writes no more forfeits."""
        role = roles.make(view.role)
        chat = role.messages(view.observation, view.legal, memory_of(view, self.answer, True, (), 0))
        reply = await self._ask(clean(chat[-1]["content"]))
        if reply.text is None:
            return Decision(None, "truncated", text="", reason="the agent has no turns left")
        return read(role, reply.text, reply.cut, view.legal)


def opening(game: TextGame, seat: str, answer: Answer = "boxed") -> str:
    """Returns the system message of a seat: its role, the rules and the form of the answer. The game must be reset."""
    role = roles.make(game.spec.seats[seat])
    chat = role.messages(game.observe(seat), game.legal(seat), Memory(game.spec, seat, answer, demonstrations=0))
    return clean(chat[0]["content"]) if chat[0]["role"] == "system" else ""
