"""Credits of control arms: rewards without their cause, and rewards for form."""

from collections import Counter

from arena.learner import Credit, controlled
from arena.records import Decision, Episode, Turn


def credit(i, role="r", turns=None):
    return Credit("g", role, "", f"seat{i}", "live", f"m{i}", f"g{i}", float(i), score=i / 100, turns=turns)


def test_permuted_keeps_the_rewards_of_each_role_and_breaks_their_pairing():
    credits = [credit(i, "buyer" if i % 2 else "seller") for i in range(100)]
    out = controlled("permuted", [], credits, 7)
    assert [c.match for c in out] == [c.match for c in credits]
    assert Counter((c.role, c.reward) for c in out) == Counter((c.role, c.reward) for c in credits)
    assert sum(a.reward == b.reward for a, b in zip(out, credits, strict=True)) < 10
    assert all(c.score == c.reward / 100 for c in out)
    assert out == controlled("permuted", [], credits, 7) != controlled("permuted", [], credits, 8)


def test_rewards_of_turns_go_to_seats_of_as_many_turns():
    credits = [credit(i, turns=(float(i),) * (i % 3)) for i in range(30)]
    out = controlled("permuted", [], credits, 1)
    assert [len(c.turns or ()) for c in out] == [i % 3 for i in range(30)]
    assert sorted(c.turns or () for c in out) == sorted(c.turns or () for c in credits)


def test_format_pays_accepted_attempts_whatever_the_match_returns():
    bad, good = Decision(None, "unparsable"), Decision("a")
    turns = (
        Turn("a", "r", "play", "live", "a", (bad, good)),
        Turn("b", "r", "play", "live", "a", (good,)),
        Turn("a", "r", "play", "live", "a", (good,)),
    )
    seats, roles = {"a": "live", "b": "live"}, {"a": "r", "b": "r"}
    episode = Episode(
        "m", "g", 0, seats, roles, turns, {"a": 1.0, "b": -1.0}, "forfeit", failure=(bad,), forfeited_by="b"
    )
    credits = [Credit("g", "r", "", seat, "live", "m", "group", r) for seat, r in (("a", 1.0), ("b", -1.0))]
    assert [c.reward for c in controlled("format", [episode], credits, 0)] == [2 / 3, 1 / 2]
    assert controlled("game", [episode], credits, 0) == credits


def test_format_counts_the_attempts_of_the_phase_of_a_credit_and_pays_1_without_any():
    bad, good = Decision(None, "unparsable"), Decision("a")
    turns = (Turn("a", "r", "clue", "live", "a", (bad, good)), Turn("a", "r", "vote", "live", "a", (good,)))
    episode = Episode("m", "g", 0, {"a": "live", "b": "live"}, {"a": "r", "b": "r"}, turns, {}, "finished")
    credits = [
        Credit("g", "r", phase, seat, "live", "m", "group", -1.0, (0.5,), turns=(0.25,))
        for seat, phase in (("a", "clue"), ("a", "vote"), ("a", ""), ("b", ""))
    ]
    paid = controlled("format", [episode], credits, 0)
    assert [c.reward for c in paid] == [c.score for c in paid] == [1 / 2, 1.0, 2 / 3, 1.0]
    assert all(c.turns is c.split is None for c in paid)
    assert [(c.seat, c.phase) for c in paid] == [(c.seat, c.phase) for c in credits]
