"""The player `deducer` for conjecture-v0: conjectures by random deduction and proves by search."""

from __future__ import annotations

import re
from typing import Annotated

from annotated_types import Interval

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.native.conjecture.game import ConjectureGame
from games.proofs.formula import NotAFormula, parse, refutation, show
from games.proofs.judge import judge
from games.proofs.search import discover, prove
from games.proofs.theory import propositional
from games.randomness import RandomStream

_LEMMA = re.compile(r"^The lemma to use: (\w+):", re.MULTILINE)
_GOAL = re.compile(r"^Prove: (.*)$", re.MULTILINE)


class ProofSearchPlayer(Player):
    """The conjecturer states what follows from the lemma in a few random steps; the prover searches backwards.

    `effort` is the number of rules that a search tries. Their order is random, so with little effort some provers find
    a proof and others do not. `steps` is the number of rules between a lemma and its conjecture.
    """

    def __init__(
        self,
        effort: Annotated[int, Interval(ge=1, le=1_000_000)] = 2000,
        steps: Annotated[int, Interval(ge=1, le=20)] = 2,
    ) -> None:
        self.effort, self.steps = effort, steps
        self.name = f"deducer(effort={effort},steps={steps})"

    def act(self, view: View) -> Decision:
        """The next message, computed from the seat's observation only."""
        seen = view.observation
        goal = _GOAL.search(seen.text)
        if goal is not None:
            return Decision(self._prove(goal[1], view.legal, view.rng))
        if seen.phase != "conjecture":
            return Decision(None, "error", reason="deducer cannot read this position; it plays conjecture-v0")
        return Decision(self._conjecture(seen.text, view.legal, view.rng))

    def supports(self, game: TextGame) -> str | None:
        """Supports conjecture-v0 only."""
        return None if isinstance(game, ConjectureGame) else "it plays only conjecture-v0"

    def _prove(self, goal: str, legal: tuple[str, ...] | None, stream: RandomStream) -> str:
        statement = parse(goal, largest=1000)
        if legal is None:
            labels = prove(propositional().rules, statement, self.effort, stream)
            return " ".join(labels) or "id"
        tried = stream.shuffled(legal)[: max(1, self.effort // 500)]  # of a list it tries only a few
        return next((text for text in tried if judge(statement, text).verdict.ok), tried[0])

    def _conjecture(self, text: str, legal: tuple[str, ...] | None, stream: RandomStream) -> str:
        if legal is not None:
            return stream.choice([s for s in legal if _true(s)] or legal)
        lemma = _LEMMA.search(text)
        found = discover(propositional().rules, lemma[1] if lemma else "", self.steps, 30, stream)
        return "p -> p" if found is None else show(found)


def _true(text: str) -> bool:
    try:
        return refutation(parse(text)) is None
    except NotAFormula:
        return False
