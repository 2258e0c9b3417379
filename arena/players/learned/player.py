"""The player `learned`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from annotated_types import Interval
from msgspec.structs import replace

from arena.players.composite import Composite, ask, made
from arena.players.experience import Experience
from arena.players.learned.cases import Cases
from arena.players.learned.instructions import Instructions
from arena.players.learned.lessons import Lessons
from arena.players.learned.memory_kind import MemoryKind
from arena.players.player import View
from arena.records import Decision
from games import InputError
from games.randomness import derive


class LearnedPlayer(Composite):
    """Gives another player notes from its earlier matches in the same role of a game, within one tournament.

    memory: cases shows the nearest earlier situations with the mean return of each action (AgentFly, arXiv 2508.16153);
        lessons are texts that the player writes by comparing its best and its worst match of a round (Training-Free
        GRPO, arXiv 2510.08191; EvolveR, arXiv 2510.16079; MUSE, arXiv 2510.08002); instructions draws one of several
        instructions by their mean return (INSPO, arXiv 2512.01945).
    player: reads the notes: a model in its prompt, the bot `note-reader` its cases.
    size: the number of cases shown at a turn, or of lessons kept.
    texts: the first instructions, with | between them.
    propose: whether the player writes new instructions in place of bad ones.
    shuffled: spoils the notes, as a control: cases get each other's returns, words of texts are in random order.
    """

    learns = True

    def __init__(
        self,
        player: str = "note-reader",
        memory: Literal["cases", "lessons", "instructions"] = "cases",
        size: Annotated[int, Interval(ge=1, le=32)] = 6,
        texts: str = "",
        propose: bool = False,
        shuffled: bool = False,
    ) -> None:
        first = [text.strip() for text in texts.split("|") if text.strip()]
        if (memory == "instructions") != bool(first):
            raise InputError("learned: texts='ONE | OTHER' goes with memory=instructions, and only with it")
        super().__init__(made(player=player))
        self.player, self.shuffled = self._parts["player"], shuffled
        kinds: dict[str, MemoryKind] = {
            "cases": Cases(size),
            "lessons": Lessons(size),
            "instructions": Instructions(first, propose),
        }
        self.memory = kinds[memory]

    async def decide(self, view: View) -> Decision:
        """Returns the player's decision with the notes that fit the turn."""
        return await ask(self.player, self._noted(view))

    async def probabilities(self, view: View) -> Mapping[str, float] | None:
        """Returns the player's policy with the notes."""
        return await self.player.probabilities(self._noted(view))

    async def learn(self, past: Sequence[Experience]) -> Sequence[str]:
        """Returns the notes for the next round."""
        return await self.memory.learn(self.player, past)

    def notes_for(self, learned: Sequence[str], past: Sequence[Experience], seed: int) -> Sequence[str]:
        """Returns the notes of one match; spoilt ones for the control."""
        return self.memory.match_notes(learned, past, seed)

    def _noted(self, view: View) -> View:
        if not view.notes:
            return view
        notes = view.notes
        if self.shuffled:
            notes = self.memory.control(notes, derive(view.seat_seed, "control"))
        return replace(view, notes=tuple(self.memory.turn_notes(notes, view)))
