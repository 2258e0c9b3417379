"""The policies of conjecture. A conjecturer meets provers of which few try, so that statements are barely proved."""

from __future__ import annotations

from games.native.conjecture import texts
from games.native.conjecture.quality import redundant
from games.proofs.first_order import decide, parse_any
from games.proofs.formula import NotAFormula, instance, show
from games.proofs.judge import judge
from games.proofs.search import discover, prove
from games.proofs.theory import Theory, propositional
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, by_phase, mixed, says

CONJECTURER, PROVER = "conjecturer", "prover"
_LETTERS = str.maketrans("pqrs", "qrsp")
_EFFORT = 800
"""rules that a scripted prover tries"""
_ONE_STEP = 2
"""labels of a proof that applies one rule to the lemma"""


def suite(closed: bool) -> ShortcutSuite:
    """Returns the policies of both roles."""
    return CHOICES if closed else _open_suite()


def _open_suite() -> ShortcutSuite:
    def conjecturer(name: str, statement: Scripted) -> Shortcut:
        return Shortcut(name, {CONJECTURER: statement})

    def prover(name: str, proof: Scripted) -> Shortcut:
        return Shortcut(name, {PROVER: by_phase(prove=proof, target=proof)})

    guess = says(*texts.TARGETS.values())
    one = by_phase(prove=lambda turn: f"{_lemma_of(turn)} a1i a1i" if turn.number == 0 else "id", target=guess)
    return ShortcutSuite(
        honest={CONJECTURER: _any_formula, PROVER: by_phase(prove=guess, target=guess)},
        competent={CONJECTURER: _follows, PROVER: by_phase(prove=_searches, target=_searches)},
        partners={PROVER: by_phase(prove=mixed(0.12, _searches, says("id")), target=guess)},
        shortcuts=(
            conjecturer("the lemma behind two premises", _behind),
            Shortcut("the lemma behind two premises, one prover", {CONJECTURER: _behind}, against={PROVER: one}),
            conjecturer("the target", _target),
            conjecturer("the lemma", _rule),
            conjecturer("always the same theorem", says("p -> p")),
            conjecturer("the target in other letters", lambda turn: _target(turn).translate(_LETTERS)),
            conjecturer("an instance of the lemma", lambda turn: str(turn.data["rule"]).replace("p", "(p -> p)")),
            conjecturer("the lemma twice negated", lambda turn: f"~~({_rule(turn)})"),
            conjecturer("the target behind itself", lambda turn: f"({_target(turn)}) -> ({_target(turn)})"),
            conjecturer("a contradiction", says("~(p -> p)")),
            conjecturer("no formula", says("It is clear that p implies p.")),
            conjecturer("a long tautology", lambda turn: f"({' -> '.join(['(p'] * 9)} -> p{')' * 9} -> (p -> p)"),
            prover("always the same proof", says("id a1i")),
            prover("one label at random", lambda turn: turn.stream.choice(list(_theory(turn).rules))),
            prover("a proof twice", says("id a1i id a1i")),
            prover("a label that does not exist", says("qed")),
            prover("always another proof", says("ax1 ax1 mpd")),
            prover("all labels", lambda turn: " ".join(_theory(turn).rules)),
            prover("the statement as its proof", _goal),
            prover("claims a proof", says("It follows at once.")),
        ),
    )


def _theory(turn: ScriptedTurn) -> Theory:
    theory: Theory = turn.data["theory"]
    return theory


def _target(turn: ScriptedTurn) -> str:
    return str(turn.data["target"])


def _goal(turn: ScriptedTurn) -> str:
    return str(turn.data["goal"])


def _rule(turn: ScriptedTurn) -> str:
    """Returns what the lemma says."""
    return str(turn.data["rule"]) or "p -> p"


def _behind(turn: ScriptedTurn) -> str:
    return f"s -> (t -> ({_rule(turn)}))"


def _lemma_of(turn: ScriptedTurn) -> str:
    """Returns the rule whose conclusion ends the statement to prove."""
    goal = _goal(turn)
    ends = {label: show(rule.conclusion) for label, rule in propositional().rules.items() if not rule.premises}
    fitting = [label for label in ends if goal.endswith(f"({ends[label]}))")]
    return max(fitting, key=lambda label: len(ends[label]), default="id")


def _any_formula(turn: ScriptedTurn) -> str:
    """Returns a random formula, seldom true."""

    def part(depth: int) -> str:
        if depth == 0 or turn.stream.random() < 0.3:
            return turn.stream.choice(("p", "q", "r", "~p", "~q"))
        return f"({part(depth - 1)} -> {part(depth - 1)})"

    return f"{part(2)} -> {part(2)}"


def _follows(turn: ScriptedTurn) -> str:
    """Returns the theorem of a random proof with the lemma that a search proves, but not in one step, as others do."""
    rules, lemma = _theory(turn).rules, str(turn.data["lemma"])
    known = [rule.conclusion for rule in rules.values() if not rule.premises]
    for _ in range(20):
        found = discover(rules, lemma, 1 + turn.stream.below(3), 30, turn.stream)
        if found is None or redundant(found[0]) or any(instance(found[0], one) for one in known):
            continue
        proof = prove(rules, found[0], _EFFORT // 2, turn.stream)
        if lemma in proof and len(proof) > _ONE_STEP:
            return show(found[0])
    return "p -> p"


def _searches(turn: ScriptedTurn) -> str:
    goal = parse_any(_goal(turn), largest=1000)
    return " ".join(prove(_theory(turn).rules, goal, _EFFORT, turn.stream)) or "id"


def _true_statement(turn: ScriptedTurn) -> str:
    listed = turn.legal or ()
    return turn.stream.choice([text for text in listed if _true(text)] or listed)


def _true(text: str) -> bool:
    try:
        return decide(parse_any(text)).truth != "false"
    except NotAFormula:
        return False


def _right_proof(turn: ScriptedTurn) -> str:
    goal, listed = parse_any(_goal(turn), largest=1000), turn.legal or ()
    return next((text for text in listed if judge(goal, text, _theory(turn)).verdict.ok), listed[0])


def _any(turn: ScriptedTurn) -> str:
    return turn.stream.choice(turn.legal or ())


CHOICES = ShortcutSuite(
    honest={CONJECTURER: _any, PROVER: _any},
    competent={CONJECTURER: _true_statement, PROVER: _right_proof},
    shortcuts=(),
)
"""the policies of a closed game"""
