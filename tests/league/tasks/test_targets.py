"""Which targets a training has proved: its own seats, guesses apart, and across a resume."""

import json

from arena.match import Episode
from league.tasks import ProvedTargets

GAME = "conjecture-v1(provers=3)"


def match(target, *kinds, players=("live", "live", "live"), status="finished"):
    seats = {f"prover_{i}": player for i, player in enumerate(players)}
    tried = {seat: {"kind": kind} for seat, kind in zip(seats, kinds, strict=True)}
    facts = {"target": target, "target_attempts": tried}
    return Episode("m", GAME, 0, seats, dict.fromkeys(seats, "prover"), (), {}, status, facts=facts)


def counts(proved, *episodes):
    found = proved.add(episodes, {"live"})
    return found.get(f"targets/{GAME}"), found.get(f"targets_most/{GAME}")


def test_targets_are_counted_once_and_a_lucky_guess_is_not_most_provers():
    proved = ProvedTargets()
    assert counts(proved, match("p", "pass", "fail", "fail"), match("q", "fail", "fail", "invalid")) == (1, 0)
    assert counts(proved, match("p", "pass", "pass", "fail"), match("r", "pass", "pass", "pass")) == (2, 2)
    assert counts(proved, match("r", "pass", "pass", "pass")) == (2, 2)


def test_only_the_learners_own_seats_count_and_void_matches_do_not():
    proved = ProvedTargets()
    anchor = match("p", "pass", "pass", "fail", players=("random", "random", "live"))
    assert counts(proved, anchor, match("q", "pass", "pass", "pass", status="void")) == (0, 0)
    assert counts(proved, match("p", "fail", "fail", "pass", players=("random", "random", "live"))) == (1, 1)


def test_the_count_goes_on_after_a_resume():
    proved, resumed = ProvedTargets(), ProvedTargets()
    counts(proved, match("p", "pass", "pass", "pass"))
    resumed.load_state_dict(json.loads(json.dumps(proved.state_dict())))
    assert counts(resumed, match("p", "pass", "pass", "pass")) == (1, 1)
    assert counts(resumed, match("q", "pass", "fail", "fail")) == (2, 1)
