"""The shortcuts of conjecture. A conjecturer meets provers of which few try, so that statements are barely proved."""

from __future__ import annotations

import re

from games.native.conjecture import rules as texts
from games.native.conjecture.game import CONJECTURER, PROVER, ConjectureGame
from games.native.conjecture.quality import needless
from games.proofs.formula import Formula, instance, parse, show
from games.proofs.search import discover, prove
from games.proofs.theory import propositional
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, by_phase, mixed, says

_LEMMA = re.compile(r"^The lemma to use: (\w+): (.*)$", re.MULTILINE)
_TARGET, _GOAL = re.compile(r"^The target: (.*)$", re.MULTILINE), re.compile(r"^Prove: (.*)$", re.MULTILINE)
_LETTERS = str.maketrans("pqrs", "qrsp")
_EFFORT = 150
"""rules that a scripted prover tries"""


def suite(game: ConjectureGame) -> ShortcutSuite:
    """The policies of both roles."""

    def conjecturer(name: str, statement: Scripted) -> Shortcut:
        return Shortcut(name, {CONJECTURER: statement})

    def prover(name: str, proof: Scripted) -> Shortcut:
        return Shortcut(name, {PROVER: by_phase(prove=proof, target=proof)})

    proofs = list(texts.TARGETS.values())
    guess = says(*proofs)
    one = by_phase(prove=lambda turn: f"{_lemma_of(turn)} a1i a1i" if turn.number == 0 else "id", target=guess)
    return ShortcutSuite(
        honest={CONJECTURER: _any_formula, PROVER: by_phase(prove=guess, target=guess)},
        competent={CONJECTURER: _follows, PROVER: by_phase(prove=_searches, target=_searches)},
        partners={PROVER: by_phase(prove=mixed(0.12, _searches, says("id")), target=guess)},
        shortcuts=(
            conjecturer("the lemma behind two premises", _behind),
            Shortcut("the lemma behind two premises, one prover", {CONJECTURER: _behind}, against={PROVER: one}),
            conjecturer("the target", lambda turn: _found(_TARGET, turn, 1)),
            conjecturer("the lemma", lambda turn: _found(_LEMMA, turn, 2) or "p -> p"),
            conjecturer("always the same theorem", says("p -> p")),
            conjecturer("the target in other letters", lambda turn: _found(_TARGET, turn, 1).translate(_LETTERS)),
            conjecturer("an instance of the lemma", lambda turn: _found(_LEMMA, turn, 2).replace("p", "(p -> p)")),
            conjecturer("the lemma twice negated", lambda turn: f"~~({_found(_LEMMA, turn, 2) or 'p -> p'})"),
            conjecturer(
                "the target behind itself", lambda t: f"({_found(_TARGET, t, 1)}) -> ({_found(_TARGET, t, 1)})"
            ),
            conjecturer("a contradiction", says("~(p -> p)")),
            conjecturer("no formula", says("It is clear that p implies p.")),
            conjecturer("a long tautology", lambda turn: f"({' -> '.join(['(p'] * 9)} -> p{')' * 9} -> (p -> p)"),
            prover("always the same proof", says("id a1i")),
            prover("one label at random", lambda turn: turn.stream.choice(list(propositional().rules))),
            prover("a proof twice", says("id a1i id a1i")),
            prover("a label that does not exist", says("qed")),
            prover("always another proof", says("ax1 ax1 mpd")),
            prover("all labels", says(" ".join(propositional().rules))),
            prover("the statement as its proof", lambda turn: _found(_GOAL, turn, 1)),
            prover("claims a proof", says("It follows at once.")),
        ),
    )


def _found(pattern: re.Pattern[str], turn: ScriptedTurn, group: int) -> str:
    found = pattern.search(turn.text)
    return found[group] if found else ""


def _behind(turn: ScriptedTurn) -> str:
    return f"s -> (t -> ({_found(_LEMMA, turn, 2) or 'p -> p'}))"


def _lemma_of(turn: ScriptedTurn) -> str:
    """The rule whose conclusion ends the statement to prove."""
    goal = _found(_GOAL, turn, 1)
    ends = {label: show(rule.conclusion) for label, rule in propositional().rules.items() if not rule.premises}
    fitting = [label for label in ends if goal.endswith(f"({ends[label]}))")]
    return max(fitting, key=lambda label: len(ends[label]), default="id")


def _any_formula(turn: ScriptedTurn) -> str:
    """A random formula, seldom true."""

    def part(depth: int) -> str:
        if depth == 0 or turn.stream.random() < 0.3:
            return turn.stream.choice(("p", "q", "r", "~p", "~q"))
        return f"({part(depth - 1)} -> {part(depth - 1)})"

    return f"{part(2)} -> {part(2)}"


def _follows(turn: ScriptedTurn) -> str:
    """The theorem of a random short proof with the lemma, without a premise that is not needed."""
    for _ in range(20):
        found = discover(propositional().rules, _found(_LEMMA, turn, 1), 1, 30, turn.stream)
        if found is not None and not needless(found) and not _is_rule(found):
            return show(found)
    return "p -> p"


def _is_rule(statement: Formula) -> bool:
    rules = (rule for rule in propositional().rules.values() if not rule.premises)
    return any(instance(statement, rule.conclusion) for rule in rules)


def _searches(turn: ScriptedTurn) -> str:
    goal = parse(_found(_GOAL, turn, 1), largest=1000)
    return " ".join(prove(propositional().rules, goal, _EFFORT, turn.stream)) or "id"
