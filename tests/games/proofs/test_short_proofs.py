"""Formulas, short proofs and their judgement."""

import re

import pytest

from games.proofs import BadProof, judge
from games.proofs.condensed import Bindings, conclusion
from games.proofs.formula import NotAFormula, instance, names, parse, refutation, renamed, show, size
from games.proofs.theory import PROPOSITIONAL, propositional
from tests import golden


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("p -> q -> p", "p -> (q -> p)"), ("((p))", "p"), ("~ ~p", "~~p"), ("not p → ¬[q ⊃ r]", "~p -> ~(q -> r)"),
        ("-. ( p => -. q )", "~(p -> ~q)"), (r"\neg p \to q", "~p -> q"), ("(p->q)->r", "(p -> q) -> r"),
    ],
)  # fmt: skip
def test_formulas_are_read_and_written(text, shown):
    formula = parse(text)
    assert show(formula) == shown
    assert parse(shown) == formula


@pytest.mark.parametrize(
    "text",
    ["", "p q", "p ->", "(p", "p)", "->", "x", "p & q", "(p]", "pq", "~", "p -> " * 70 + "p", "(" * 5000, "~" * 900],
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(NotAFormula):
        parse(text)


def test_truth_tables_are_exact():
    assert refutation(parse("((p -> q) -> p) -> p")) is None
    assert refutation(parse("(p -> q) -> (q -> p)")) == {"p": False, "q": True}
    assert refutation(parse("~(p -> p)")) == {"p": False}


def test_parts_of_formulas():
    formula = parse("(q -> ~p) -> q")
    assert (size(formula), names(formula)) == (6, ["q", "p"])
    assert renamed(formula) == parse("(p -> ~q) -> p")
    assert instance(parse("(r -> r) -> (s -> (r -> r))"), parse("p -> (q -> p)"))
    assert not instance(parse("r -> (s -> s)"), parse("p -> (q -> p)"))


def test_every_lemma_follows_from_the_short_proof_above_it():
    rules = propositional().rules
    text = PROPOSITIONAL.read_text(encoding="ascii")
    notes = re.findall(r"^\$\( ([\w. ]+) \$\)\n(?:\$\{\n(?:  .*\n)*?  )?(\w+) \$p", text, re.MULTILINE)
    assert len(notes) == 18
    for proof, label in notes:
        if not rules[label].premises:
            assert judge(rules[label].conclusion, proof).verdict.ok, label
        assert refutation(rules[label].conclusion) is None or rules[label].premises


@pytest.mark.parametrize(("statement", "proof", "kind", "why"), golden.rows(__file__, "short_proofs_judgement"))
def test_judgement(statement, proof, kind, why):
    judged = judge(parse(statement), proof)
    assert judged.verdict.kind == kind, judged.verdict
    assert why in judged.verdict.reason
    assert judged.verdict.ok == (judged.steps > 0)


def test_formulas_that_explode_are_stopped():
    bindings = Bindings()
    for i in range(60):  # 2**60 symbols, shared until they are written out
        assert bindings.unify(i, ("->", i + 1, i + 1))
    with pytest.raises(BadProof, match="grow too large"):
        bindings.write(0)
    for i in range(100, 160):
        assert bindings.unify(i, ("->", i + 1, i + 1))
    with pytest.raises(BadProof, match="grow too large"):
        bindings.unify(0, 100)


def test_no_false_statement_is_proved_by_any_short_proof():
    rules = list(propositional().rules)
    for first in rules:
        for second in rules:
            for third in rules:
                try:
                    proved = conclusion(propositional().rules, [first, second, third])
                except BadProof:
                    continue
                assert refutation(renamed(proved)) is None, (first, second, third)
