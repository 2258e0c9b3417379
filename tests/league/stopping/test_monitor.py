"""When a tournament ends before its rounds are over: decided in plan order, reported, resumable."""

import random
from functools import partial

import msgspec
import pytest

from games import InputError
from league.config.tournament import GateConfig
from league.runs.rebuild import read_snapshot
from league.sprt import Gate
from league.stopping.monitor import StopMonitor
from league.store import Store
from league.tournament.run import run_tournament
from league.views.report import read_board
from tests.league.cups import cup
from tests.league.ratings.factories import ZERO, result
from tests.league.specs import spec
from tests.toys.perfect import Perfect  # noqa: F401  registers the player `perfect`


def stopping(**rules):
    """The rules of a tournament of three players."""
    rated = {ZERO: {"payoff": "zero_sum", "seats": ["first", "second"]}}
    return StopMonitor(spec(("new", "old", "other"), rated=rated, stop=rules))


def log(matches, share, seed=0):
    """Pairings of new and old, and between them some with a third; new takes about `share` of its points."""
    rng, made = random.Random(seed), []
    for number in range(matches // 2):
        names = ("new", "old") if number % 3 else ("old", "other")
        for turn in range(2):
            players = names[::-1] if turn else names
            first = rng.random() < (share if players[0] == "new" else 1.0 - share)
            made.append(result(len(made), players, (1, -1) if first else (-1, 1), pairing=f"p{number}"))
    return made


SPRT = {"player": "new", "against": "old", "nelo1": 100.0}


@pytest.mark.parametrize(("share", "verdict"), [(0.8, "accept"), (0.4, "reject")])
def test_the_sprt_decides_at_the_same_match_whatever_the_order(share, verdict):
    results = log(600, share)
    whole = stopping(sprt=SPRT)
    whole.add(results)
    assert whole.reason.startswith(f"SPRT new against old: {verdict} after ")
    shuffled = stopping(sprt=SPRT)
    order = results[:]
    random.Random(1).shuffle(order)
    for start in range(0, len(order), 7):
        shuffled.add(order[start : start + 7])
    assert (shuffled.reason, shuffled.to_json()) == (whole.reason, whole.to_json())


def test_rules_of_the_tables_decide_the_same_whatever_the_order():
    results = log(400, 0.75, seed=3)
    whole, shuffled = (stopping(ranked=0.6, width=0.1, every=20) for _ in range(2))
    whole.add(results)
    order = results[:]
    random.Random(2).shuffle(order)
    for start in range(0, len(order), 11):
        shuffled.add(order[start : start + 11])
    assert whole.reason.startswith("all ranks are as shown with ")
    assert shuffled.to_json() == whole.to_json()


def test_the_sprt_counts_the_pairs_of_its_two_players_only():
    results = log(60, 0.5)
    found = stopping(sprt=SPRT)
    found.add(results)
    by_hand = Gate(GateConfig(nelo1=100.0, max_pairs=1000))
    for one, two in zip(results[::2], results[1::2], strict=True):
        if one.seats[1].player == "old":
            by_hand.update((0.5 + one.seats[0].score / 2, 0.5 + two.seats[1].score / 2))
    assert found.sprt is not None
    assert found.sprt.gate.counts == by_hand.counts
    assert sum(by_hand.counts) == 20


def test_nothing_is_decided_beyond_a_match_that_is_missing():
    results = log(600, 0.9)
    waiting = stopping(sprt=SPRT)
    waiting.add(results[3:])
    assert waiting.reason == ""
    waiting.add(results[:3])
    assert waiting.reason


def test_void_matches_decide_nothing():
    found = stopping(sprt=SPRT, matches=10)
    found.add([msgspec.structs.replace(r, status="void") for r in log(600, 0.9)])
    assert found.reason == ""
    assert found.lines()[-1] == "0 matches played of at most 10"


def test_rules_of_the_tables_are_looked_at_every_so_many_matches():
    results = log(200, 0.8)
    found = stopping(tokens=1, every=50)
    found.add(results[:49])
    assert found.reason == ""
    found.add(results[49:])
    assert found.reason == "1,000 tokens written of at most 1"
    wide = stopping(width=1000.0, ranked=0.999, top=1)
    wide.add(results)
    assert wide.reason.startswith("widest interval ")


def test_the_estimate_after_an_early_stop_is_told():
    found = stopping(sprt=SPRT)
    found.add(log(600, 0.9))
    text = "\n".join(found.lines())
    assert "stopped: SPRT new against old: accept" in text
    assert "median-unbiased" in text
    estimate = found.to_json()["sprt"]["estimate"]
    assert estimate["low"] < estimate["nelo"] < estimate["high"]


config = partial(cup, rounds=400, concurrency=4)


def test_a_tournament_ends_at_its_rule_and_says_why(tmp_path):
    ended = run_tournament(config(tmp_path, stop={"matches": 50}), board="off")
    assert ended.complete
    assert ended.reason == "50 matches played of at most 50"
    assert 50 <= ended.snapshot.matches.finished < 60
    again = run_tournament(config(tmp_path, stop={"matches": 50}), board="off")
    assert again.snapshot.matches.finished == ended.snapshot.matches.finished
    with Store.open(f"sqlite:///{tmp_path}/t.db", read_only=True) as store:
        run = store.run("t")
        assert run.status == "finished"
        assert [e.text for e in store.events(run) if e.kind == "stop"] == ["stopped: 50 matches played of at most 50"]
    shown = read_board(f"sqlite:///{tmp_path}/t.db")
    assert shown.status == "finished"
    assert shown.panels.panels(shown.snapshot.standings)[0].lines == ("stopped: 50 matches played of at most 50",)


def test_a_rule_that_was_moved_lets_the_run_go_on(tmp_path):
    run_tournament(config(tmp_path, stop={"matches": 20}), board="off")
    longer = run_tournament(config(tmp_path, stop={"matches": 80}), board="off")
    assert 80 <= longer.snapshot.matches.finished < 90
    without = run_tournament(config(tmp_path, rounds=400, stop={"matches": 80}), board="off")
    assert without.snapshot.matches.finished == longer.snapshot.matches.finished


def test_the_verdict_does_not_depend_on_concurrency_or_interruption(tmp_path):
    sprt = {"sprt": {"player": "perfect", "against": "r1"}}
    found = []
    for concurrency in (1, 16):
        folder = tmp_path / str(concurrency)
        folder.mkdir()
        ended = run_tournament(config(folder, stop=sprt, concurrency=concurrency), board="off")
        found.append(ended.reason)
    folder = tmp_path / "resumed"
    folder.mkdir()
    for most in (7, 23):  # as if it was interrupted there
        run_tournament(config(folder, stop=sprt | {"matches": most}), board="off")
    found.append(run_tournament(config(folder, stop=sprt), board="off").reason)
    assert found[0].startswith("SPRT perfect against r1: accept after ")
    assert len(set(found)) == 1
    assert read_snapshot(f"sqlite:///{folder}/t.db").matches.finished < 400 * 6


@pytest.mark.parametrize(
    ("stop", "message"),
    [
        ({"sprt": {"player": "perfect", "against": "nobody"}}, "no player is called 'nobody'; players: perfect"),
        ({"sprt": {"player": "r1", "against": "r1"}}, "cannot be tested against itself"),
        ({"sprt": {"player": "r1", "against": "r2", "nelo0": 9, "nelo1": 3}}, "nelo0 must be below nelo1"),
        ({"cost": 1.0}, "cost needs prices"),
        ({"cost": 1.0, "prices": {"gpt": 1.0}}, "stop.prices: no player is called 'gpt'"),
        ({"ranked": 1.5}, "less than 1"),
    ],
)
def test_bad_rules_are_told(tmp_path, stop, message):
    with pytest.raises(ValueError, match=message):
        config(tmp_path, stop=stop)


def test_a_test_that_no_game_can_decide_is_told(tmp_path):
    players = [{"name": "r1", "player": "random", "games": ["race-v0"]}, {"name": "r2", "player": "random"}]
    players.append({"name": "r3", "player": "random", "games": ["auction-v0"]})
    bad = config(tmp_path, games=["race-v0", "auction-v0"], players=players, stop={"sprt": SPRT_OF_TWO})
    with pytest.raises(InputError, match="'r1' and 'r3' share no rated game of two sides"):
        run_tournament(bad, board="off")


SPRT_OF_TWO = {"player": "r1", "against": "r3"}


@pytest.mark.parametrize("pairing", ["gauntlet(seeds=1)", "rank-all(mirrored=false)"])
def test_a_test_whose_players_never_play_a_pair_is_told(tmp_path, pairing):
    bad = config(tmp_path, pairing=pairing, stop={"sprt": {"player": "r1", "against": "r2"}})
    with pytest.raises(InputError, match="never pairs 'r1' and 'r2' that way; write pairing = \"round-robin\""):
        run_tournament(bad, board="off")


@pytest.mark.parametrize("pairing", ["gauntlet(seeds=1)", "rank-all(mirrored=true)", "swiss", "round-robin"])
def test_a_test_whose_players_may_play_a_pair_is_started(tmp_path, pairing):
    stop = {"matches": 2, "sprt": {"player": "r1", "against": "perfect"}}
    assert run_tournament(config(tmp_path, pairing=pairing, rounds=1, stop=stop), board="off").complete
