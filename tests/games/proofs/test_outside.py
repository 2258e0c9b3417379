"""Formulas of first-order logic, and the theorems of set.mm."""

from pathlib import Path

import pytest

from games import InputError
from games.native.conjecture.quality import redundant
from games.proofs import judge, setmm
from games.proofs.first_order import decide, parse_any
from games.proofs.formula import NotAFormula, show
from tests import golden
from tests.games.verifiers import needs

TRUTHS = golden.table(__file__, "first_order_truths")


@pytest.mark.parametrize(("text", "truth"), TRUTHS.items())
def test_what_is_decided(text, truth):
    assert decide(parse_any(text)).truth == truth


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A. x p /\\ q \\/ r", "(forall x p & q) | r"),
        ("∀x (p ∧ q) ↔ ¬∃y x ∈ y", "forall x (p & q) <-> ~exists y (x in y)"),
        ("p -> q -> r", "p -> (q -> r)"),
    ],
)
def test_formulas_are_read_and_written(text, shown):
    assert show(parse_any(text)) == shown
    assert parse_any(shown) == parse_any(text)


@pytest.mark.parametrize(
    "text", ["", "p &", "forall p q", "x", "x = p", "(p", "p q", "forall x " * 4 + "p", "~" * 99 + "p"]
)
def test_other_texts_are_no_formulas(text):
    with pytest.raises(NotAFormula):
        parse_any(text)


def test_padding_of_a_theorem_is_redundant():
    """What a lazy conjecturer writes around a lemma, and theorems that say all they say."""
    padded = ["s -> (p -> p)", "(s & t) -> (q -> q)", "(p -> p) | s", "(p | ~p) & (q | ~q)", "(p -> p) <-> (q | ~q)"]
    assert all(redundant(parse_any(text)) for text in padded)
    assert not redundant(parse_any("(p -> q) -> (~q -> ~p)"))
    assert not redundant(parse_any("(p & q) -> (q & p)"))
    assert not redundant(parse_any("forall x (p -> q) -> (forall x p -> forall x q)"))


def test_without_set_mm_one_line_says_what_to_install(monkeypatch):
    setmm.theory.cache_clear()
    monkeypatch.setattr(setmm, "FILE", Path("/nowhere/set.mm"))
    with pytest.raises(InputError, match="apt-get install metamath-databases"):
        setmm.theory()


@needs.setmm
def test_the_theorems_of_set_mm_are_proved_and_never_refuted():
    found = setmm.proved(12)
    assert len(found) > 400
    assert all(parse_any(show(p.rule.conclusion), 200) == p.rule.conclusion for p in found)
    assert not any(decide(p.rule.conclusion).truth == "false" for p in found[::3])
    contrapositive = next(p for p in found if p.label == "con34b")
    assert show(contrapositive.rule.conclusion) == "(p -> q) <-> (~q -> ~p)"
    assert judge(contrapositive.rule.conclusion, " ".join(contrapositive.proof), setmm.theory()).verdict.ok
    wrong = parse_any("(p -> q) <-> (~p -> ~q)")
    assert judge(wrong, " ".join(contrapositive.proof), setmm.theory()).verdict.kind == "fail"
