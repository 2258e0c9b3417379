"""conjecture: stages, verdicts, filters, and fixed bugs of published systems."""

import pytest

import games
from games import IllegalAction, InputError
from games.native.conjecture import texts
from games.native.conjecture.quality import guide
from games.native.conjecture.targets import THEOREMS, short_theorems
from games.proofs import judge
from games.proofs.formula import instance, parse, refutation, show
from games.proofs.judge import extended
from games.proofs.kernel import BadProof
from games.proofs.theory import propositional
from roles.rewards import monitors
from tests.games.native.matches import episode_of, play, started


def played(*moves, seed=429, **params):
    """A match on seed 429: target p -> (~p -> q), lemma explode. All acting seats send the same text."""
    listed = {} if "closed" in params else {"drawn": "false"}
    written = ",".join(f"{key}={value}" for key, value in (params | listed).items())
    return play(started(f"conjecture({written})", seed), *moves)


def test_the_outcome_of_each_seat():
    game = played("q -> (~p -> (p -> r))", ["explode a1i", "id"], ["explode com12", "id"], provers=2, threshold=0.9)
    found = game.outcomes()
    assert (found["conjecturer"].right, found["conjecturer"].solved) == (0.0, 0.5)  # the premise q is needless
    assert game.returns()["conjecturer"] == 0.0
    assert (found["prover_0"].right, found["prover_1"].right) == (1.0, 0.0)
    unreadable = played("p implies p", "id", provers=2)
    assert monitors.violations(episode_of(unreadable)) == {"conjecturer"}
    assert monitors.truths(episode_of(unreadable)) == {"conjecturer": 0.0, "prover_0": 0.0, "prover_1": 0.0}


@pytest.mark.parametrize("seed", range(6))
def test_the_seed_decides_target_and_lemma(seed):
    first, again = played(seed=seed).observe("conjecturer"), played(seed=seed).observe("conjecturer")
    assert first == again
    assert first.phase == "conjecture"


def test_hardly_two_matches_share_a_target_or_a_lemma_which_the_kernel_checks():
    """So a memory of matches states nothing that uses the lemma of the next one."""
    game, lemmas, targets = games.make("conjecture(provers=2)"), set(), set()
    for seed in range(60):
        game.reset(seed)
        lemma = game.data("conjecturer")["theory"].rules["lemma"]
        assert judge(lemma.conclusion, "lemma", game.data("prover_0")["theory"]).verdict.ok
        assert lemma.line() in game.observe("prover_0").text
        lemmas.add(lemma.conclusion)
        targets.add(game.facts()["target"])
        assert refutation(parse(game.facts()["target"], 100)) is None
    assert len(lemmas) > 50
    assert len(targets) > 40
    with pytest.raises(BadProof):
        extended(propositional(), parse("p -> q"), ["id"])


def test_targets_are_new_and_have_the_proofs_they_are_listed_with():
    rules = [r for r in propositional().rules.values() if not r.premises]
    for statement, proof in texts.TARGETS.items():
        formula = parse(statement)
        assert show(formula) == statement
        assert judge(formula, proof).verdict.ok, statement
        assert not any(instance(formula, rule.conclusion) for rule in rules), statement
    assert all(refutation(parse(statement)) for statement in texts.FALSE)


def test_false_unproved_and_unreadable_are_three_things():
    false = played("p -> q", "id", provers=2)
    unproved = played("((p -> q) -> p) -> p", "id", "id", provers=2)
    unreadable = played("p implies p", "id", provers=2)
    assert [g.facts()["verdict"] for g in (false, unproved, unreadable)] == ["fail", "pass", "invalid"]
    assert [g.facts()["solve_rate"] for g in (false, unproved, unreadable)] == [None, 0.0, None]
    assert false.facts()["reason"] == "it is false if p is true and q is false"
    assert "No prover tries it" in false.observe("conjecturer").text
    assert false.facts()["attempts"] == {}
    assert all(g.returns()["conjecturer"] == 0 for g in (false, unproved, unreadable))


@pytest.mark.parametrize(
    ("statement", "proof", "why"),
    [
        ("~q -> (q -> r)", "explode", "an instance of a lemma"),
        ("q -> (~q -> r)", "explode com12", "the target by other names"),
        ("q -> (~p -> (~p -> q))", "ax1 a1i com12", "proved without the lemma"),
        ("p -> p", "id", "a lemma"),
    ],
)
def test_what_is_not_new_or_not_as_asked_earns_nothing(statement, proof, why):
    game = played(statement, [proof, "mp"], "id", provers=2, threshold=0.9)
    facts = game.facts()
    assert facts["known"] or not facts["uses_lemma"] or facts["solve_rate"] == 0, why
    assert game.returns()["conjecturer"] == 0, why


def test_a_statement_of_a_pool_is_proved_at_once():
    game = started("conjecture(provers=2)", 0, "q -> (q -> q)")
    assert game.acting == ("prover_0", "prover_1")
    assert play(game, "id", "id").facts()["idle"] == ["conjecturer"]
    with pytest.raises(InputError, match="is not a formula"):
        game.load_task("p &")
    with pytest.raises(InputError, match="not one of the statements"):
        games.make("conjecture(closed=true)").load_task("q -> (q -> q)")


def test_a_pooled_statement_keeps_the_lemma_with_which_it_was_made():
    first = started("conjecture(provers=2)", 3)
    lemma = first.data("conjecturer")["theory"].rules["lemma"].conclusion
    negated = show(("->", ("~", lemma[2]), ("~", lemma[1])))
    played_first = play(first, negated, ["lemma con3 mp", "id"], "id").facts()
    again = started("conjecture(provers=2)", 4, played_first["task"])
    assert again.data("prover_0")["theory"].rules["lemma"].conclusion == lemma
    assert again.facts()["target"] != played_first["target"]
    facts = play(again, ["lemma con3 mp", "id"], "id").facts()
    assert facts["solve_rate"] == played_first["solve_rate"] == 0.5
    assert facts["task"] == played_first["task"]
    with pytest.raises(InputError, match="proves no lemma"):
        again.load_task(f"mp |- {negated}")


def test_provers_do_not_see_each_other_nor_the_target_too_early():
    game = played("q -> (~p -> (p -> r))", provers=2)
    assert "Prove: q -> (~p -> (p -> r))" in game.observe("prover_0").text
    assert "~p -> q)" not in game.observe("prover_0").text
    game.apply({"prover_0": "explode a1i", "prover_1": "dneg"})
    assert "explode a1i" not in game.observe("prover_1").text
    assert "dneg" not in game.observe("prover_0").text


def test_long_texts_are_refused_by_seat():
    game = played("q -> (~p -> (p -> r))", provers=2)
    with pytest.raises(IllegalAction, match="at most 2,000") as error:
        game.apply({"prover_0": "id", "prover_1": "id " * 1000})
    assert error.value.seat == "prover_1"


def test_closed_games_list_their_actions():
    game = played(provers=2, closed="true", threshold=0.6)
    assert "p -> q" in game.legal("conjecturer")
    game.apply({"conjecturer": "p -> (q -> q)"})
    assert game.legal("prover_0") == texts.closed_proofs()
    play(game, ["id a1i", "ax1 con3 mp"], "id a1i")
    assert game.returns()["conjecturer"] == 1.0
    assert game.spec.id == "conjecture-v1(provers=2,threshold=0.6,closed=True)"
    assert games.make(game.spec.id).spec == game.spec


def test_each_match_offers_theorems_of_its_own_which_the_kernel_proves():
    theorems = short_theorems()
    assert len(theorems) == THEOREMS
    assert all(judge(statement, proof, propositional()).verdict.ok for statement, proof in theorems)
    known = {show(statement): proof for statement, proof in theorems[:24]}
    game, offers = games.make("conjecture(provers=2,closed=true,threshold=0.6,theorems=24)"), set()
    for seed in range(4):
        game.reset(seed)
        true = [text for text in game.legal("conjecturer") if text in known]
        assert len(true) == 6 < len(game.legal("conjecturer"))  # the others are false
        assert game.facts()["target"] in true
        offers.add(frozenset(true))
        game.apply({"conjecturer": true[0]})
        proofs = game.legal("prover_0")
        assert set(proofs) == {known[text] for text in true}
        game.apply({"prover_0": known[true[0]], "prover_1": next(p for p in proofs if p != known[true[0]])})
        play(game, proofs[0])
        assert game.facts()["solve_rate"] in (0.5, 1.0)  # another listed proof may prove it as well
    assert len(offers) > 1


def test_a_game_whose_options_belong_to_the_match_takes_no_pooled_task():
    game = games.make("conjecture(closed=true,theorems=24)")
    assert not game.pools
    with pytest.raises(InputError, match="belong to the match"):
        game.load_task("p -> (q -> q)")


def test_the_guide_is_computed():
    target = parse("p -> (~p -> q)")
    assert guide(target, target, known=True) == {"relevance": 5, "redundancy": 1, "complexity": 0}
    # Two of the target's parts p -> (~p -> q), ~p -> q and ~p occur in it: 5 * 2/3.
    assert guide(parse("(~p -> q) -> (~q -> p)"), target, known=False) == {
        "relevance": 3,
        "redundancy": 0,
        "complexity": 1,
    }
    assert guide(parse("r -> (~p -> (p -> q))"), target, known=False)["redundancy"] == 1
    long = " -> ".join(["(p -> q)"] * 8)
    assert guide(parse(f"{long} -> p"), target, known=False)["complexity"] == 4
