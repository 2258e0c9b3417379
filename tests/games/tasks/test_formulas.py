"""The task source `formulas`, and conjecture with its targets."""

import json

import pytest

import arena
import games
from games import InputError, tasks
from games.proofs.first_order import parse_any
from games.proofs.formula import show
from games.proofs.judge import judge
from tests.games.verifiers import needs

pytestmark = needs.setmm
GAME = "conjecture(provers=2,threshold=0.6,tasks=formulas)"


def test_only_the_listed_rules_prove():
    """Neither the theorem itself, nor a rule that is not listed, nor a compressed proof with either."""
    source = tasks.make("formulas(part=propositional,difficulty=medium)")
    for seed in range(10):
        task = source.draw(seed)
        posed = source.posed(task)
        assert source.grade(task, task.answer).ok
        assert len(posed.theory.rules) == 12
        assert set(posed.proof) <= posed.theory.rules.keys()
        theory = posed.theory.database
        own = next(a.label for a in theory.assertions.values() if a.proof and _says(a, posed))
        for cheat in (own, f"wph wps {own}", f"( wph wps {own} ) ABC", "? ?", ""):
            assert not source.grade(task, cheat).ok


def _says(assertion, posed):
    theory = posed.theory
    return theory.database.decode(assertion.expression) == " ".join(["|-", *theory.tokens(posed.statement)])


def test_a_full_proof_with_listed_rules_is_accepted():
    source = tasks.make("formulas")
    task = next(t for t in map(source.draw, range(200)) if "con34b" not in t.answer and t.answer.count(" ") == 1)
    posed = source.posed(task)
    assert posed.theory.unlisted([*posed.proof, "wph", "wi"]) == ""
    assert posed.theory.unlisted(["ax-ext"]) == "ax-ext"


def test_a_match_about_a_theorem_of_set_mm():
    game = games.make(GAME)
    game.reset(0)
    facts_before = game.facts()
    proof = game.task_source.load(facts_before["source_task"]).answer
    game.apply({"conjecturer": "(p & q) -> (q & p)"})
    assert game.phase("prover_0") == "prove"
    game.apply({"prover_0": "no", "prover_1": ""})
    game.apply({"prover_0": proof, "prover_1": "no"})
    facts = game.facts()
    assert facts["target_rate"] == 0.5
    assert facts["task"] == f"{facts['source_task']} |- (p & q) -> (q & p)"
    json.dumps(facts)
    again = games.make(GAME)
    again.load_task(facts["task"])
    again.reset(99)  # the pooled task decides the target, whatever the seed
    assert again.facts()["target"] == facts["target"]
    assert again.facts()["pooled"]


def test_what_nothing_refutes_counts_once_it_is_proved():
    game = games.make(GAME)
    seed = next(s for s in range(300) if _target(game, s) == "forall x (x = x)")
    for proof, verdict in (("equid ax-gen", "pass"), ("equid", "unknown")):
        game.reset(seed)
        game.apply({"conjecturer": "forall y forall x (x = x)"})
        game.apply({"prover_0": f"{proof} ax-gen" if verdict == "pass" else proof, "prover_1": ""})
        game.apply({"prover_0": "", "prover_1": ""})
        assert game.facts()["verdict"] == verdict


def _target(game, seed):
    game.reset(seed)
    return game.facts()["target"]


def test_a_closed_game_offers_theorems_and_false_statements():
    game = games.make("conjecture(provers=2,closed=true,tasks=formulas(difficulty=small))")
    assert not game.pools
    game.reset(4)
    statements = game.legal("conjecturer")
    target = game.facts()["target"]
    assert target in statements
    assert len(statements) > 4
    game.apply({"conjecturer": target})
    proofs = game.legal("prover_0")
    solved = {proof for proof in proofs if judge(parse_any(target), proof, game.data("prover_0")["theory"]).verdict.ok}
    assert solved
    assert solved != set(proofs)
    assert show(parse_any(target)) == target
    with pytest.raises(InputError, match="takes no task of a pool"):
        game.load_task(f"{game.facts()['source_task']} |- {target}")


def test_competent_provers_prove_some_targets():
    rates = [arena.play(GAME, ["policy(name=competent)"] * 3, seed=seed).facts["target_rate"] for seed in range(6)]
    assert max(rates) == 1


def test_other_sources_have_no_formulas():
    with pytest.raises(InputError, match="has no formulas"):
        games.make("conjecture(tasks=facts)")
