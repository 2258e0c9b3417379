"""Where a run stands, as `arena board` tells it."""

from contextlib import nullcontext

import pytest

from league.store import Store
from league.views.report import read_board
from tests.league.specs import stored
from tests.league.store.episodes import episode, plan_of

TOURNAMENT = stored(name="cup", rounds=20)
TRAINING = TOURNAMENT | {"name": "t", "pairing": "training", "training": {}, "folder": "nowhere", "rounds": 4}


@pytest.mark.parametrize(
    ("config", "status", "played", "shown"),
    [
        (TRAINING, "interrupted", False, "interrupted"),
        (TRAINING, "finished", False, "finished"),
        (TRAINING, "running", True, "running"),  # between two rated matches
        (TRAINING, "running", False, "interrupted"),  # kill -9; its rated matches say nothing of the steps left
        (TOURNAMENT, "interrupted", False, "interrupted"),
        (TOURNAMENT, "running", True, "running"),  # the next round is not planned yet
        (TOURNAMENT, "running", False, "interrupted"),
        (TOURNAMENT | {"rounds": 2}, "running", False, "finished"),
    ],
)
def test_a_run_whose_planned_matches_are_all_played(tmp_path, config, status, played, shown):
    url = f"sqlite:///{tmp_path}/arena.db"
    with Store.open(url) as store:
        run = store.start_run("t", config)
        matches = plan_of(4)
        store.plan(run, matches)
        store.finish([(planned, episode(planned)) for planned in matches])
        store.set_status(run, status)
        with store.exclusive(run) if played else nullcontext():
            assert read_board(url).status == shown


def test_a_tournament_that_was_killed_is_interrupted(tmp_path):
    url = f"sqlite:///{tmp_path}/arena.db"
    with Store.open(url) as store:
        store.plan(store.start_run("t", TOURNAMENT), plan_of(4))
    assert read_board(url).status == "interrupted"
