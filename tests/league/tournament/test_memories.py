"""Players that learn in a tournament: notes are in the plan and the episodes, and a resumed run gives the same."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

import league
from games import InputError
from league.store import Store
from league.verify import verify

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


def played(db, rounds=12, **changes):
    url = f"sqlite:///{db}"
    league.run_tournament({**SETTINGS, "db": url, "rounds": rounds, **changes}, board="off")
    with league.open_store(url) as store:
        return list(store.episodes("memory"))


def test_notes_come_from_earlier_rounds_and_are_recorded(tmp_path):
    db = tmp_path / "a.db"
    episodes = played(db)
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
    played(db, rounds=2)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE plan SET notes = replace(notes, 'bet', 'fold')")
    (verified,) = verify(f"sqlite:///{db}")
    assert any("notes" in problem.text for problem in verified.problems)
    assert any(problem.kind == "chain" for problem in verified.problems)


def test_a_resumed_run_has_the_same_notes(tmp_path):
    whole = played(tmp_path / "whole.db")
    db = tmp_path / "parts.db"
    played(db, stop={"matches": 20})
    assert [(e.match, e.notes, [t.action for t in e.turns]) for e in played(db)] == [
        (e.match, e.notes, [t.action for t in e.turns]) for e in whole
    ]


def test_a_cluster_is_refused(tmp_path):
    with pytest.raises(InputError, match="player 'learned' learns, and one process writes the notes"):
        played(tmp_path / "a.db", workers="ray")
