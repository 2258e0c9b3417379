"""The player `deducer`: conjectures by deducing, proves by searching, in conjecture-v0."""

from __future__ import annotations

import re

from arena.match.records import Decision
from arena.players.player import Player, View
from games import InputError, TextGame
from games.dialogue.conjecture import Conjecture
from games.proofs.formula import NotAFormula, parse, refutation, show
from games.proofs.judge import judge
from games.proofs.search import discover, prove
from games.proofs.theory import propositional
from games.randomness import Stream

_LEMMA = re.compile(r"^The lemma to use: (\w+):", re.MULTILINE)
_GOAL = re.compile(r"^Prove: (.*)$", re.MULTILINE)


class Deducer(Player):
    """As conjecturer it states what follows from the lemma in a few random steps; as prover it searches backwards.

    `effort` bounds the rules that a search tries, in an order of chance: of several provers with little effort some
    find a proof and some do not. `steps` is how many rules a conjecture is away from its lemma.
    """

    def __init__(self, effort: int = 2000, steps: int = 2) -> None:
        for name, value, most in (("effort", effort, 1_000_000), ("steps", steps, 20)):
            if not 1 <= value <= most:
                raise InputError(f"deducer({name}={value!r}): {name} must be a whole number from 1 to {most}")
        self.effort, self.steps = effort, steps
        self.name = f"deducer(effort={effort},steps={steps})"

    def act(self, view: View) -> Decision:
        """The next message, from the seat's own observation alone."""
        seen = view.observation
        goal = _GOAL.search(seen.text)
        if goal is not None:
            return Decision(self._prove(goal[1], view.legal, view.rng))
        if seen.phase != "conjecture":
            return Decision(None, "error", reason="deducer cannot read this position; it plays conjecture-v0")
        return Decision(self._conjecture(seen.text, view.legal, view.rng))

    def supports(self, game: TextGame) -> str | None:
        """It plays conjecture-v0 only."""
        return None if isinstance(game, Conjecture) else "it only deduces: it plays conjecture-v0"

    def _prove(self, goal: str, legal: tuple[str, ...] | None, stream: Stream) -> str:
        statement = parse(goal, largest=1000)
        if legal is None:
            labels = prove(propositional().rules, statement, self.effort, stream)
            return " ".join(labels) or "id"
        tried = stream.shuffled(legal)[: max(1, self.effort // 500)]  # of a list it looks at a few
        return next((text for text in tried if judge(statement, text).verdict.ok), tried[0])

    def _conjecture(self, text: str, legal: tuple[str, ...] | None, stream: Stream) -> str:
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
