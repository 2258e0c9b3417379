"""Base classes of the native roles: the whole reply is the action, and the game reads tags in it.

The game reads <question>, <answer> and <score> in the seat's own text. A text without the tag, even an empty one, is an
invalid answer with a low reward; it never forfeits the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games import GameSpec, Observation
from roles.privacy import own_words, visible
from roles.role import Role
from roles.types import ChatMessage, Memory, Scored

_CALL, _FREE_CALL = "\nYour action?", "\nYour reply?"


class TaggedRole(Role):
    """If any text is legal, the whole reply is the action; if actions are listed, it chooses like any other role.

    Its credit is the reward in the facts of the match, or the return if the facts name no reward for the seat.
    """

    form = "Your whole reply is read. Use each tag once."
    """the last line of the system message if any text is legal"""

    shots: int = 2
    """the largest number of demonstrations shown before the first turn; `Memory.demonstrations` replaces it"""

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """Returns the chat of the generic role; for free text with `form` and demonstrations."""
        if legal is None:
            memory = replace(memory, answer="bare")  # earlier messages and refused ones are shown as they were written
        chat = super().messages(observation, legal, memory)
        system = self._anonymous(chat[0]["content"], memory)
        if legal is None:
            last = chat[-1]["content"]
            chat[-1] = ChatMessage(role="user", content=last.replace(_CALL, _FREE_CALL))
            system = f"{system.rpartition(chr(10))[0]}\n{self.form}"
        chat[0] = ChatMessage(role="system", content=system)
        if legal is None and not memory.exchanges:
            most = self.shots if memory.demonstrations is None else memory.demonstrations
            chat[1:1] = self._demonstrations(memory.spec, observation.phase, most)
        return chat

    def _anonymous(self, system: str, memory: Memory) -> str:
        """Returns the system message without the seat's number, so that all solvers of a task share one prefix."""
        if sum(role == self.name for role in memory.spec.seats.values()) < 2:
            return system
        return system.replace(f"You are {memory.seat} ({self.name}) in", f"You are a {self.name} in", 1)

    def _demonstrations(self, spec: GameSpec, phase: str, most: int) -> list[ChatMessage]:
        """Returns the game's demonstrations of a phase, as earlier turns of the chat.

        A small model keeps a format that it has seen: SmolLM2-135M writes no tags when it is only told to, and nearly
        always after two demonstrations.
        """
        chat = []
        for seen, wrote in spec.demonstrations.get(phase, ())[:most]:
            chat.append(ChatMessage(role="user", content=f"{seen}\nPhase: {phase}{_FREE_CALL}"))
            chat.append(ChatMessage(role="assistant", content=wrote))
        return chat

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """Returns the whole text without private reasoning, which may be ""; a listed action is parsed as usual."""
        if legal is not None:
            return super().parse(text, legal)
        return visible(own_words(text).text)

    def credit(self, episode: Scored, seat: str) -> float:
        """Returns the published reward of the seat's role, from the facts of the match."""
        facts = getattr(episode, "facts", None) or {}
        reward: float = facts.get("rewards", {}).get(seat, episode.returns[seat])
        return reward

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Returns {} for a seat with nothing to do, such as the proposer of a match on a pooled task."""
        facts = getattr(episode, "facts", None) or {}
        return {} if seat in facts.get("idle", ()) else None


class Speaker(TaggedRole):
    """A role of a dialogue game: the whole reply, without private reasoning, is the message."""

    name = "speaker"
    form = "Reply only with your message, without quotes or comments."
