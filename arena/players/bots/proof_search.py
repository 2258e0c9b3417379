"""The player `deducer` for conjecture-v0: conjectures by random deduction and proves by search."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated

from annotated_types import Interval

from arena.players.player import Player, View
from arena.records import Decision
from games import TextGame
from games.native.conjecture.game import ConjectureGame
from games.proofs import setmm
from games.proofs.first_order import decide, parse_any
from games.proofs.formula import NotAFormula, show
from games.proofs.judge import judge
from games.proofs.search import discover, prove
from games.proofs.theory import Theory, propositional
from games.randomness import RandomStream

_LEMMA = re.compile(r"^The lemma to use: ([\w.-]+):", re.MULTILINE)
_GOAL = re.compile(r"^Prove: (.*)$", re.MULTILINE)
_LISTED = re.compile(r"^([A-Za-z0-9._-]+): ", re.MULTILINE)


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
            return Decision(self._prove(goal[1], _theory(view), view.legal, view.rng))
        if seen.phase != "conjecture":
            return Decision(None, "error", reason="deducer cannot read this position; it plays conjecture-v0")
        return Decision(self._conjecture(view))

    def supports(self, game: TextGame) -> str | None:
        """Supports conjecture-v0 only."""
        return None if isinstance(game, ConjectureGame) else "it plays only conjecture-v0"

    def _prove(self, goal: str, theory: Theory, legal: tuple[str, ...] | None, stream: RandomStream) -> str:
        statement = parse_any(goal, largest=1000)
        if legal is None:
            labels = prove(theory.rules, statement, self.effort, stream)
            return " ".join(labels) or "id"
        tried = stream.shuffled(legal)[: max(1, self.effort // 500)]  # of a list it tries only a few
        return next((text for text in tried if judge(statement, text, theory).verdict.ok), tried[0])

    def _conjecture(self, view: View) -> str:
        if view.legal is not None:
            return view.rng.choice([s for s in view.legal if _true(s)] or view.legal)
        lemma = _LEMMA.search(view.observation.text)
        found = discover(_theory(view).rules, lemma[1] if lemma else "", self.steps, 30, view.rng)
        return "p -> p" if found is None else show(found)


def _theory(view: View) -> Theory:
    """The built-in theory, or set.mm with the rules that the match lists."""
    _, found, listed = view.observation.text.partition("The labels:\n")
    labels = set(" ".join(view.legal or ()).split())
    if found:
        rules = {
            label: setmm.theory().rules[label] for label in _LISTED.findall(listed) if label in setmm.theory().rules
        }
        return replace(setmm.theory(), rules=rules, closed=True)
    return propositional() if not view.legal or labels <= propositional().rules.keys() else setmm.theory()


def _true(text: str) -> bool:
    try:
        return decide(parse_any(text)).truth != "false"
    except NotAFormula:
        return False
