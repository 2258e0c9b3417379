"""z3 and Coq as external judges."""

import pytest

from games.proofs import coq, smt
from games.verifiers import verifier
from tests import golden
from tests.games.verifiers import needs


@needs.z3
@pytest.mark.parametrize(("formula", "sort", "kind"), golden.rows(__file__, "outside_z3_tells_valid_from_false"))
def test_z3_tells_valid_from_false(formula, sort, kind):
    assert smt.valid(formula, {"x": sort}, seconds=60).kind == kind


@needs.z3
def test_z3_names_the_values_that_refute_and_admits_what_it_does_not_know():
    refuted = verifier("smt")({"formula": "(=> p q)", "variables": {"p": "Bool", "q": "Bool"}}, "")
    assert refuted.reason == "false where p = True, q = False"
    cubes = "(not (= (+ (* x x x) (* y y y) (* z z z)) 33))"
    assert smt.valid(cubes, dict.fromkeys("xyz", "Int"), seconds=0.5).kind == "timeout"


@needs.coq
@needs.sandboxed
@pytest.mark.parametrize(("statement", "proof", "kind"), golden.rows(__file__, "outside_coq"))
def test_coq(statement, proof, kind):
    assert coq.check(statement, proof, header="Axiom cheat : 1 = 2.").kind == kind
