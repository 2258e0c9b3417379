"""Roles of games that read tags: all that a seat writes is its action, so that a wrong form is a low reward, no loss.

<question>, <answer> and <score> are read by the game, from the seat's own text. A text without them, an empty one
included, is an invalid answer that the game records and prices; it never costs the match.
"""

from __future__ import annotations

from collections.abc import Mapping

from games import Observation
from roles.demonstrations import shots
from roles.privacy import own_words, visible
from roles.role import ChatMessage, Memory, Role, Scored

_CALL = "\nYour action?"


class Tagged(Role):
    """Speaks in tags where any text may do, chooses like any other role where actions are listed.

    Its credit is the reward that the game's facts name for the seat, the return where they name none.
    """

    form = "Your whole reply is read; use the tags once."
    """what the system message says of the form of an answer"""

    shots: int = 2
    """demonstrations shown at most before a turn, as `roles.demonstrations` has them; 0: none"""

    def messages(self, observation: Observation, legal: tuple[str, ...] | None, memory: Memory) -> list[ChatMessage]:
        """The usual chat; the form of the answer is the one that the rules give."""
        chat = super().messages(observation, legal, memory)
        told = self._nameless(chat[0]["content"], memory)
        if legal is None:
            last = chat[-1]["content"]
            chat[-1] = ChatMessage(role="user", content=last.replace(_CALL, "\nYour reply?"))
            told = f"{told.rpartition(chr(10))[0]}\n{self.form}"
        chat[0] = ChatMessage(role="system", content=told)
        if legal is None and not memory.exchanges:
            chat[1:1] = self._shown(memory.spec.id, observation.phase)
        return chat

    def _nameless(self, told: str, memory: Memory) -> str:
        """The system message without the seat's number: all solvers of a task read the same, which is read once."""
        if sum(role == self.name for role in memory.spec.seats.values()) < 2:
            return told
        return told.replace(f"You are {memory.seat} ({self.name}) in", f"You are a {self.name} in", 1)

    def _shown(self, game: str, phase: str) -> list[ChatMessage]:
        """Demonstrations of the phase, as earlier turns of the chat."""
        out = []
        for seen, wrote in shots(game, phase)[: self.shots]:
            out.append(ChatMessage(role="user", content=f"{seen}\nPhase: {phase}\nYour reply?"))
            out.append(ChatMessage(role="assistant", content=wrote))
        return out

    def parse(self, text: str, legal: tuple[str, ...] | None) -> str:
        """The whole text without private reasoning, "" where nothing is left; a listed action as usual."""
        if legal is not None:
            return super().parse(text, legal)
        return visible(own_words(text).text)

    def credit(self, episode: Scored, seat: str) -> float:
        """The published reward of the seat's role, from the facts of the match."""
        facts = getattr(episode, "facts", None) or {}
        named: float = facts.get("rewards", {}).get(seat, episode.returns[seat])
        return named

    def phases(self, episode: Scored, seat: str) -> Mapping[str, float] | None:
        """Nothing for a seat that had nothing to do, such as the proposer where the task came from a pool."""
        facts = getattr(episode, "facts", None) or {}
        return {} if seat in facts.get("idle", ()) else None
