"""Opponents from the Nash mix of the league: payoffs, whom a step meets, the same mix in a resumed run."""

import random
import shutil
from collections import Counter

import pytest

import games
from games import InputError
from games.randomness import RandomStream
from league import run_training
from league.config.opponents import OpponentsConfig, SnapshotConfig
from league.config.training import parse_training
from league.records.matches import Result, SeatResult
from league.records.metrics_file import read_metrics
from league.store import Store
from league.training.nash_mix import ReturnTable, no_mix
from league.training.opponent_pool import OpponentPool, Snapshot
from league.training.resolve import resolve
from league.views.training_panels import MetricsHistory
from tests.league.training.runs import KUHN, config


def result(index, first, second, lead, status="finished"):
    """A match that `first` wins by `lead` in the first seat, in a game whose returns sum to 1."""
    seats = (
        SeatResult("player_0", "first", first, 0.5 + lead),
        SeatResult("player_1", "second", second, 0.5 - lead),
    )
    return Result(index, 0, "p", str(index), "g", 0, status, "", seats, 0.0)


def table(*matches):
    returns = ReturnTable()
    returns.add([result(i, *match) for i, match in enumerate(matches)])
    return returns


def test_the_mix_of_weighted_rock_paper_scissors_is_its_equilibrium():
    # paper beats rock by 1, scissors beat paper by 2, rock beats scissors by 3: each is played as often as the other
    # two win against each other; "weak" loses to all of them, "void" matches count nothing
    matches = [("paper", "rock", 1.0), ("paper", "scissors", -2.0), ("scissors", "rock", -3.0)]
    matches += [("weak", name, -1.0) for name in ("rock", "paper", "scissors")]
    mix = table(*matches, ("weak", "rock", 90.0, "void")).mix("g", ["weak", "rock", "paper", "scissors"])
    assert mix == pytest.approx({"rock": 2 / 6, "paper": 3 / 6, "scissors": 1 / 6})
    assert table(*matches).mix("g", ["rock", "paper"]) == {"paper": 1.0}
    assert table().mix("g", ["rock", "paper"]) == {"rock": 0.5, "paper": 0.5}


def test_both_sides_count_the_same_and_order_does_not_matter():
    # the first seat is worth 1; a is better by 0.25 in both, and played the first seat three times as often
    matches = [("a", "b", 1.25)] * 30 + [("b", "a", 0.75)] * 10 + [("a", "b", 0.1), ("a", "b", 0.2), ("a", "b", 0.3)]
    ordered = table(*matches)
    assert table(*matches[:40]).payoff("g", "a", "b") == 0.25
    for seed in range(5):
        mixed = list(matches)
        random.Random(seed).shuffle(mixed)
        assert table(*mixed).payoff("g", "a", "b") == ordered.payoff("g", "a", "b") == -ordered.payoff("g", "b", "a")


def test_opponents_are_drawn_by_their_shares_and_no_more_snapshots_than_fit():
    pool = OpponentPool(OpponentsConfig(self=0, nash=1.0, loaded=1), SnapshotConfig(), {"g": ("random",)})
    stream = RandomStream(1)
    assert pool.sample("g", stream, set()) is None  # no mix yet: self-play
    for step in range(3):
        pool.add(Snapshot(f"s@{step}", step, step))
    pool.mixes["g"] = {"random": 0.5, "s@0": 0.3, "s@2": 0.2}
    met = Counter(pool.sample("g", stream, set()).name for _ in range(4000))
    assert {name: n / 4000 for name, n in met.items()} == pytest.approx(pool.mixes["g"], abs=0.03)
    sampled = set()
    step = [pool.sample("g", stream, sampled) for _ in range(200)]
    assert {o.name for o in step if o.step is not None} == sampled
    assert len(sampled) == 1


def nash(folder):
    anchors = [{"name": name, "player": name} for name in ("random", "solver")]
    snapshots = {"every": 2, "matches": 2, "versus": 0}
    opponents, evaluation = {"self": 0.0, "nash": 1.0}, {"every": 6, "matches": 0}
    settings = {"anchors": anchors, "snapshots": snapshots, "opponents": opponents, "evaluation": evaluation}
    return config(folder, **settings, checkpoint={"every": 2, "keep": 9})


def test_everybody_plays_everybody_and_is_met_as_the_mix_says_also_after_a_kill(tmp_path):
    c = nash(tmp_path)
    run_training(c, board="off")
    rows = read_metrics(c.place)
    for checkpoint in sorted((c.place / "checkpoints").glob("step-*"))[2:]:  # a process that was killed after step 2
        shutil.rmtree(checkpoint)  # leaves rated matches of snapshots that are not in the pool yet
    run_training(c, board="off")
    assert read_metrics(c.place) == rows
    with Store.open(c.db, read_only=True) as store:
        rated, events = store.results(store.run("kuhn")), store.events(store.run("kuhn"))
        stored = store.results(store.run("kuhn.training"))
    names = ["random", "solver", "kuhn@0", "kuhn@2", "kuhn@4", "kuhn@6"]
    pairs = Counter(frozenset(s.player for s in r.seats) for r in rated)
    assert pairs == {frozenset((a, b)): 4 for i, a in enumerate(names) for b in names[:i]}
    returns = ReturnTable()
    returns.add(rated)
    mixes = {step: returns.mix(KUHN, [n for n in names if "@" not in n or int(n[5:]) <= step]) for step in (0, 2, 4)}
    for step, mix in mixes.items():
        row = rows[step + 1]
        assert {k.removeprefix(f"nash_mix/{KUHN}/"): v for k, v in row.items() if k.startswith("nash_mix/")} == mix
        met = {s.player for r in stored if r.round == step for s in r.seats} - {"kuhn", "kuhn.frozen"}
        assert met <= mix.keys(), (met, mix)
        assert met
    assert [event.text for event in events if event.kind == "resume"] == ["resumed after step 2"]
    assert sum(event.text.startswith(f"Nash mix in {KUHN} after kuhn@2: ") for event in events) == 1
    page = "\n".join(line for panel in MetricsHistory(rows, [KUHN]).panels(6, {}) for line in panel.lines)
    assert all(f"{name} {share:.0%}" in page for name, share in mixes[4].items())


@pytest.mark.parametrize(
    ("id", "why"),
    [
        ("openspiel/kuhn_poker(players=3)", "it has 3 sides"),
        ("openspiel/matrix_pd", "its returns have no constant sum"),
    ],
)
def test_games_without_a_mix_are_refused(tmp_path, id, why):
    assert no_mix(games.make(id).spec) == why
    with pytest.raises(InputError, match=rf"opponents\.nash: .* because {why}; set nash to 0"):
        resolve(config(tmp_path, games=[id], opponents={"nash": 1.0}, anchors=[]))


def test_a_file_that_leaves_no_matches_or_has_several_policies_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"set snapshots\.matches above 0"):
        config(tmp_path, snapshots={"matches": 0}, opponents={"nash": 1.0})
    policies = [{"name": "a"}, {"name": "b"}]
    with pytest.raises(InputError, match=r"opponents\.nash needs one policy"):
        parse_training({"name": "n", "steps": 1, "games": [KUHN], "opponents": {"nash": 1.0}, "policies": policies})
