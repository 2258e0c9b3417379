"""Roles of the games of proofs and of bargaining."""

import math
from dataclasses import dataclass, field

import pytest

import games
import roles
from games import InputError
from roles import Memory
from roles.native.conjecture import inelegant
from tests import golden

GUIDE = {"relevance": 5, "redundancy": 0, "complexity": 1}


@dataclass
class Played:
    facts: dict
    returns: dict = field(default_factory=lambda: {"conjecturer": 0.25, "prover_0": 0.5, "prover_1": 0.75})
    roles: dict = field(
        default_factory=lambda: {"conjecturer": "conjecturer", "prover_0": "prover", "prover_1": "prover"}
    )
    match: str = "m"
    game: str = "conjecture-v1"


def stated(rate, **more):
    facts = {"task": "p", "pooled": False, "lemma": "id", "verdict": "pass", "solve_rate": rate, "uses_lemma": True}
    facts |= {"threshold": 0.25, "known": False, "elegance": 1.0, "guide": GUIDE, "attempts": {}, "target_attempts": {}}
    return Played(facts | more)


def credited(role, episodes):
    return [m.get("conjecturer") for m in roles.make(role).credit_batch(episodes)]


def test_stp_pays_what_is_barely_provable():
    batch = [stated(p) for p in (0.0, 1 / 32, 7 / 32, 8 / 32, 1.0)]
    assert credited("conjecturer", batch) == [0.0, 1.0, 1.0, 0.0, 0.0]
    easier = [stated(p, threshold=0.9) for p in (0.0, 1 / 32, 7 / 32, 8 / 32, 1.0)]
    assert credited("conjecturer", easier) == [0.0, 1.0, 1.0, 1.0, 0.0]
    assert credited("conjecturer(above=0.1)", easier) == [0.0, 0.0, 1.0, 1.0, 0.0]


def test_stp_asks_for_the_lemma_and_for_news():
    batch = [stated(0.125, uses_lemma=False), stated(0.125, known=True), stated(0.125)]
    assert credited("conjecturer", batch) == [0.0, 0.0, 1.0]


def test_one_way_to_derive_from_drawn_lemmas_is_paid_for_a_hundredth_of_the_batch():
    """Whatever the lemma, its contraposition follows by the same labels: that is one idea, not forty."""
    ways = ["lemma con3 mp"] * 30 + ["lemma imim1 mp", "lemma a2i", *(f"lemma ax{i} mp" for i in range(8))]
    batch = [
        stated(0.125, lemma="lemma", derivation=way, canonical=f"q -> {i}", strict=True, elegance=float(i))
        for i, way in enumerate(ways)
    ]
    plain = 8  # the fifth that the elegance filter drops
    assert credited("conjecturer", batch) == [0.0] * plain + [1.0] + [0.0] * (29 - plain) + [1.0] * 10


def test_false_statements_cost_what_is_asked():
    nothing = {"guide": None, "uses_lemma": None, "known": None, "elegance": None}
    batch = [stated(None, verdict="fail", **nothing), stated(None, verdict="invalid", **nothing), stated(0.125)]
    assert credited("conjecturer", batch) == [0.0, 0.0, 1.0]
    assert credited("conjecturer(false=0.5)", batch) == [-0.5, 0.0, 1.0]
    assert credited("conjecturer(scheme=sgs, false=0.5)", [*batch, stated(1.0)]) == [-0.5, 0.0, 1.0, 0.0]


def test_the_elegance_filter_drops_the_lowest_fifth_of_each_lemma():
    facts = [{"lemma": "id", "elegance": e} for e in (3.0, 0.1, 2.0, 1.0, 5.0)] + [{"lemma": "app", "elegance": 0.01}]
    assert inelegant(facts, [True] * 6, 0.2) == [1]
    assert inelegant(facts, [True] * 6, 0.4) == [1, 3]
    assert inelegant(facts, [True, False, True, True, True, True], 0.25) == [3]
    batch = [stated(0.125, elegance=e) for e in (3.0, 0.1, 2.0, 1.0, 5.0)]
    assert credited("conjecturer", batch) == [1.0, 0.0, 1.0, 1.0, 1.0]


def test_sgs_multiplies_difficulty_and_guide_and_spreads_them_over_the_batch():
    # The guide is 5 + (2 - 1) + (1 - 0) = 7. The lowest 70% of ten rates count: (1 - p) * 7, then min-max.
    rates = [0.0, 0.125, 0.25, 0.25, 0.5, 0.5, 0.625, 0.75, 0.875, 1.0]
    raw = [0.0, 0.875, 0.75, 0.75, 0.5, 0.5, 0.375, 0.0, 0.0, 0.0]
    batch = [stated(p) for p in rates]
    assert credited("conjecturer(scheme=sgs)", batch) == pytest.approx([r / 0.875 for r in raw])


def test_sgs_gives_nothing_for_a_conclusion_that_is_too_complex():
    batch = [stated(0.125, guide=GUIDE | {"complexity": 3}), stated(0.5), stated(0.125)]
    assert credited("conjecturer(scheme=sgs)", batch) == pytest.approx([0.0, 0.5 / 0.875, 1.0])


def test_matches_without_a_conjecture_are_left_out():
    role = roles.make("conjecturer")
    pooled, forfeited = stated(0.125, pooled=True), Played({})
    assert role.credit_batch([pooled, forfeited, stated(0.125)]) == [{}, {}, {"conjecturer": 1.0}]
    assert role.phases(pooled, "conjecturer") == {}
    assert role.phases(forfeited, "conjecturer") is None
    assert role.credit(forfeited, "conjecturer") == 0.25
    assert roles.make("conjecturer(scheme=plain)").credit_batch([pooled]) is None


def attempts(*kinds, proof="x" * 100):
    return {f"prover_{i}": {"kind": kind, "proof": proof} for i, kind in enumerate(kinds)}


def test_a_prover_is_credited_phase_by_phase():
    match = stated(0.5, attempts=attempts("pass", "fail"), target_attempts=attempts("invalid", "pass"))
    prover = roles.make("prover")
    assert prover.phases(match, "prover_0") == {"prove": 1.0, "target": 0.0}
    assert prover.phases(match, "prover_1") == {"prove": 0.0, "target": 1.0}
    assert prover.phases(stated(None, target_attempts=attempts("pass", "pass")), "prover_0") == {"target": 1.0}
    assert prover.phases(Played({}), "prover_0") is None


def test_sgs_and_stp_train_on_nothing_that_most_can_prove():
    easy = stated(1.0, attempts=attempts("pass", "pass"), target_attempts=attempts("pass", "fail"))
    assert roles.make("prover(scheme=sgs)").phases(easy, "prover_0") == {"prove": 0.0, "target": 1.0}
    weight = roles.make("prover(scheme=stp)").phases(easy, "prover_0")
    assert weight == {"prove": 0.0, "target": math.exp(-0.1)}
    two = stated(1.0, attempts=attempts("fail"), target_attempts=attempts("pass", "pass", "fail", "fail"))
    shared = roles.make("prover(scheme=stp)").phases(two, "prover_0")
    assert shared["target"] == math.exp(-0.1) / 2


def test_what_is_not_marked_goes_to_the_game_and_hidden_reasoning_does_not():
    prover = roles.make("prover")
    assert prover.parse(r"I think \boxed{ax1 ax1 mpd}", None) == "ax1 ax1 mpd"
    assert prover.parse("", None) == ""
    assert prover.parse("<think>secret</think>", None) == ""


def test_wrong_parameters_are_named():
    for id, word in (
        ("prover(scheme=best)", "scheme"),
        ("conjecturer(above=2)", "above"),
    ):
        with pytest.raises(InputError, match=word):
            roles.make(id)


def test_all_provers_read_the_same_prompt_and_are_shown_proofs():
    game = games.make("conjecture-v1(provers=2)")
    game.load_task("q -> (p -> p)")
    game.reset(0)
    chats = [roles.make("prover").messages(game.observe(s), None, Memory(game.spec, s)) for s in game.acting]
    assert chats[0] == chats[1]
    assert [m["content"] for m in chats[0] if m["role"] == "assistant"] == ["id a1i", "dneg a1i"]
    assert "labels of a proof" in chats[0][0]["content"]


@pytest.mark.parametrize(
    ("text", "message"), golden.rows(__file__, "bargain_a_marked_answer_or_the_whole_reply_is_the_message")
)
def test_a_marked_answer_or_the_whole_reply_is_the_message(text, message):
    assert roles.make("seller").parse(text, None) == message


def test_each_side_is_told_the_forms_and_shown_messages():
    game = games.make("bargain-v1")
    game.reset(0)
    for seat in ("seller", "buyer"):
        chat = roles.make(seat).messages(game.observe(seat), None, Memory(game.spec, seat))
        assert "offer PRICE: words" in chat[0]["content"].splitlines()[-1]
        assert [m["content"].partition(":")[0] for m in chat if m["role"] == "assistant"] == ["offer 70", "offer 35"]
