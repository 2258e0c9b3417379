"""Where a run stands, as `arena board` tells it."""

from contextlib import nullcontext

import pytest

from league.store import Store
from league.views.report import read_board
from tests import golden
from tests.league.specs import stored
from tests.league.store.episodes import episode, plan_of

TOURNAMENT = stored(name="cup", rounds=20)


@pytest.mark.parametrize(
    ("config", "status", "played", "shown"), golden.lists(__file__, "report_a_run_whose_planned_matches_are_all_played")
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
