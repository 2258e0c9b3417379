"""Notes, memories and coaches between matches."""

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import Any

import pytest

import league
from arena import Episode
from games import InputError, Notes
from league import run_tournament, run_training
from league.records.metrics_file import read_metrics
from league.store import Store
from league.tournament.notes import Notebook
from league.training.participants.policy_id import PlayerNames
from league.verify import verify
from tests import golden
from tests.league.tournament.coached import GAME, config
from tests.league.training.kills import dying_after
from tests.league.training.runs import config as training


def noted(*texts, coach="c", seller="s", status="finished", game=GAME):
    seats = {"seller": seller, "buyer": "b", "coach": coach}
    return Episode("m", game, 0, seats, dict.fromkeys(seats, "r"), (), {}, status, facts={"notes": list(texts)})


def book(newest=3, **more):
    return Notebook({GAME: Notes(("coach", "seller"), newest)}, **more)


def test_notes_belong_to_a_coach_and_its_player_in_one_game():
    notes = book()
    for episode in (noted("a"), noted("b", buyer := "c"), noted("x", coach="d"), noted("y", seller="t")):
        notes.add(episode)
    notes.add(noted("z", game="bargain-v1(coach=buyer)"))
    assert json.loads(notes.texts_for(GAME, noted().seats)) == ["a", "b", buyer]
    assert json.loads(notes.texts_for(GAME, noted(coach="d").seats)) == ["x"]
    assert notes.texts_for(GAME, noted(coach="nobody").seats) == ""
    assert notes.texts_for("psj-v1", {"proposer": "p"}) == ""


def test_the_newest_are_kept_and_come_back_from_json():
    notes = book(newest=2)
    for text in "abcd":
        notes.add(noted(text))
    again = book(newest=2)
    again.load_state_dict(json.loads(json.dumps(notes.state_dict())))
    assert json.loads(again.texts_for(GAME, noted().seats)) == ["c", "d"]


def test_copies_of_the_live_policy_share_their_notes():
    notes = book(shared=PlayerNames(["t"], 3).shared)
    notes.add(noted("a", coach="t#1", seller="t"))
    assert json.loads(notes.texts_for(GAME, noted(coach="t", seller="t#2").seats)) == ["a"]


def played(c):
    with Store.open(c.db, read_only=True) as store:
        run = store.run(c.name)
        plan = [(p.match.game, p.match.seed, p.match.seats, p.match.task) for p in store.planned(run)]
        return plan, [(e.task, e.returns, e.facts) for _, e in store.episodes(run)]


def test_later_rounds_are_played_with_the_advice_of_earlier_ones(tmp_path):
    c = config(tmp_path)
    assert run_tournament(c, board="off").complete
    plan, episodes = played(c)
    assert [task for *_, task in plan] == [task for task, *_ in episodes]
    notes = book()
    given = 0
    for (game, _, seats, task), (_, _, facts) in zip(plan, episodes, strict=True):
        if game == GAME:
            # no two matches of a round share coach and seller, so match by match is round by round
            assert task == notes.texts_for(game, seats)
            given += bool(task)
            notes.add(noted(*facts["notes"], coach=seats["coach"], seller=seats["seller"]))
        else:
            assert task == ""
    assert given == 5 * 3  # all but the first round


KILLED = golden.text(__file__, "notes_killed.py.txt")


@pytest.mark.parametrize("decisions", [40, pytest.param(75, marks=pytest.mark.slow)])
def test_killed_and_gone_on_with_it_is_the_same_tournament(tmp_path, decisions):
    whole, killed = config(tmp_path, "killed", db=f"sqlite:///{tmp_path}/whole.db"), config(tmp_path, "killed")
    run_tournament(whole, board="off")
    child = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(decisions)], check=False)
    assert child.returncode == -signal.SIGKILL
    assert 0 < len(played(killed)[1]) < len(played(whole)[1])
    assert run_tournament(killed, board="off").complete
    assert played(killed) == played(whole)


def coached(folder):
    return training(
        folder,
        name="coached",
        games=[GAME],
        steps=4,
        matches_per_step=1,
        policy={"model": "tiny(layers=1, hidden=32)", "decode": "free", "max_tokens": 2},
        illegal={"retries": 0, "then": "random"},
        opponents={"self": 0.0, "anchors": 1.0},
        snapshots={"every": 4, "matches": 0},
        evaluation={"every": 4, "matches": 0, "exact": False},
    )


def tasks(c):
    with Store.open(c.db, read_only=True) as store:
        return [p.match.task for p in store.planned(store.run("coached.training"))]


def test_a_training_hands_advice_on_and_goes_on_with_it(tmp_path):
    whole, broken = coached(tmp_path / "whole"), coached(tmp_path / "broken")
    run_training(whole, board="off")
    assert sum(map(bool, tasks(whole))) >= 3
    with dying_after(3):
        run_training(broken, board="off")
    assert run_training(broken, board="off").complete
    assert read_metrics(broken.place) == read_metrics(whole.place)
    assert set(tasks(whole)) == set(tasks(broken))  # the steps since the checkpoint were planned twice


SETTINGS: dict[str, Any] = {
    "name": "memory",
    "games": ["openspiel/kuhn_poker"],
    "rounds": 12,
    "seed": 3,
    "concurrency": 4,
    "players": [
        {"name": "learned", "player": "learned(player=note-reader, memory=cases)"},
        {"name": "drawn", "player": "learned(player=random, memory=instructions, texts='bet | pass')"},
        {"name": "random", "player": "random"},
    ],
}


def played_of_memories(db, rounds=12, **changes):
    url = f"sqlite:///{db}"
    league.run_tournament({**SETTINGS, "db": url, "rounds": rounds, **changes}, board="off")
    with league.open_store(url) as store:
        return list(store.episodes("memory"))


def test_notes_come_from_earlier_rounds_and_are_recorded(tmp_path):
    db = tmp_path / "a.db"
    episodes = played_of_memories(db)
    with Store.open(f"sqlite:///{db}", read_only=True) as store:
        plan = store.planned(store.run("memory"))
    assert [p.match.notes for p in plan] == [e.notes for e in episodes]
    noted = {e.match: {e.seats[seat] for seat in e.notes} for e in episodes}
    first = [p.match.id for p in plan if p.round == 0]
    assert set.union(*(noted[m] for m in first)) == {"drawn"}
    later = [e for p, e in zip(plan, episodes, strict=True) if p.round == 11]
    assert set.union(*(noted[e.match] for e in later)) == {"drawn", "learned"}
    assert "random" not in set.union(*noted.values())
    (verified,) = verify(f"sqlite:///{db}")
    assert (verified.replayed, verified.problems) == (len(episodes), ())


def test_notes_that_differ_from_the_plan_are_found(tmp_path):
    db = tmp_path / "a.db"
    played_of_memories(db, rounds=2)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE plan SET notes = replace(notes, 'bet', 'fold')")
    (verified,) = verify(f"sqlite:///{db}")
    assert any("notes" in problem.text for problem in verified.problems)
    assert any(problem.kind == "chain" for problem in verified.problems)


def test_a_resumed_run_has_the_same_notes(tmp_path):
    whole = played_of_memories(tmp_path / "whole.db")
    db = tmp_path / "parts.db"
    played_of_memories(db, stop={"matches": 20})
    assert [(e.match, e.notes, [t.action for t in e.turns]) for e in played_of_memories(db)] == [
        (e.match, e.notes, [t.action for t in e.turns]) for e in whole
    ]


def test_a_cluster_is_refused(tmp_path):
    with pytest.raises(InputError, match="player 'learned' learns, and one process writes the notes"):
        played_of_memories(tmp_path / "a.db", workers="ray")
