"""The deducer: its conjectures are true, its proofs are checked, and more effort proves more."""

from collections import Counter

import pytest

import games
from arena.match import MatchPlan, play
from arena.players import registry
from games import InputError
from games.proofs.condensed import conclusion
from games.proofs.formula import parse, refutation
from games.proofs.search import discover, prove
from games.proofs.theory import propositional
from games.randomness import RandomStream


def test_what_is_discovered_is_true_and_uses_the_lemma():
    rules = propositional().rules
    for seed in range(30):
        found = discover(rules, "con3", 2, 30, RandomStream(seed))
        assert found is not None
        assert refutation(found) is None


def test_a_search_finds_short_proofs_and_gives_up_when_its_effort_is_spent():
    rules = propositional().rules
    labels = prove(rules, parse("~(p -> q) -> p"), 5000, RandomStream(1))
    assert conclusion(rules, labels)
    assert prove(rules, parse("~(p -> q) -> p"), 3, RandomStream(1)) == []
    assert prove(rules, parse("p -> q"), 500, RandomStream(1)) == []


@pytest.mark.parametrize("id", ["conjecture-v0(provers=4,threshold=0.6)", "conjecture-v0(provers=4,closed=true)"])
def test_it_plays_whole_matches(id):
    game = games.make(id)
    players = {
        seat: registry.make(f"deducer(effort={5000 if seat == 'prover_0' else 60})", seat) for seat in game.spec.seats
    }
    proved: Counter[str] = Counter()
    for seed in range(12):
        plan = MatchPlan(f"m{seed}", id, seed, {seat: seat for seat in players})
        episode = play(game, plan, players)
        assert episode.status == "finished"
        assert episode.facts["verdict"] == "pass"
        proved.update({seat: a["kind"] == "pass" for seat, a in episode.facts["attempts"].items()})
    assert proved["prover_0"] > proved["prover_1"]
    assert proved["prover_0"] >= 6


def test_it_plays_nothing_else():
    deducer = registry.make("deducer")
    assert "plays only conjecture-v0" in deducer.supports(games.make("bargain-v0"))
    with pytest.raises(InputError, match="effort must be a whole number"):
        registry.make("deducer(effort=0)")
