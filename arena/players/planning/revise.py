"""The player `revise`: answers, revises each answer, combines them, and plays one of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from annotated_types import Interval
from msgspec.structs import replace

from arena.players.composite import Composite, charged, made
from arena.players.planning.samples import ask_often, valid, voted
from arena.players.player import View
from arena.records import Decision

EXCERPT_LENGTH = 600
"""characters shown of an earlier answer, from its end"""


class Revise(Composite):
    """Evolves several answers of a player: revision, recombination, selection.

    After SE-Agent (arXiv 2508.02085): k first answers; in each round every answer is revised by the player, which reads
    it as a note, and one more answer combines all of them. The most frequent action of all rounds is played. The tokens
    are (k + rounds (k + 1)) times those of the plain player and more, since the notes lengthen the prompts.

    player: answers, revises and combines.
    k: answers that are kept side by side.
    rounds: how often they are revised and combined.
    """

    def __init__(
        self,
        player: str = "random",
        k: Annotated[int, Interval(ge=1, le=16)] = 2,
        rounds: Annotated[int, Interval(ge=1, le=8)] = 1,
    ) -> None:
        super().__init__(made(player=player))
        self.player, self.k, self.rounds = self._parts["player"], k, rounds

    async def decide(self, view: View) -> Decision:
        """Returns one of the first, revised and combined answers."""
        asked = pool = await ask_often(self.player, view, self.k)
        for turn in range(self.rounds):
            revised = [
                (await ask_often(self.player, _noting(view, [_revision(one)]), 1, f"revision-{turn}-{i}"))[0]
                for i, one in enumerate(pool)
            ]
            combined = await ask_often(self.player, _noting(view, _recombination(revised)), 1, f"combination-{turn}")
            asked, pool = [*asked, *revised, *combined], [*revised, *combined][: self.k + 1]
        return charged(voted(valid(asked, view.legal)[::-1] or asked[:1]), asked)


def _noting(view: View, notes: Sequence[str]) -> View:
    return replace(view, notes=(*view.notes, *notes))


def _written(decision: Decision) -> str:
    return (decision.text or decision.action or "no usable answer")[-EXCERPT_LENGTH:]


def _revision(decision: Decision) -> str:
    ask = "Find its weakest point, then answer better, or the same if it is best."
    return f"Your earlier answer: {_written(decision)}\n{ask}"


def _recombination(decisions: Sequence[Decision]) -> list[str]:
    answers = [f"Earlier answer {i}: {_written(d)}" for i, d in enumerate(decisions, 1)]
    return [*answers, "Combine the strengths of the earlier answers into one answer."]
