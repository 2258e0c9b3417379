"""Tournaments and trainings on a real cluster, from their files to their results."""

import json
import subprocess
import sys

import pytest

from league.config.tournament import TournamentConfig
from league.records.metrics_file import read_metrics
from league.store import Store
from league.tournament.run import run_tournament
from league.training.run import run_training
from tests.league.training.runs import config as training

pytestmark = [pytest.mark.ray, pytest.mark.timeout(1200)]

TOURNAMENT = """
name = "ray"
db = "sqlite:///{db}"
games = ["openspiel/kuhn_poker", "openspiel/tic_tac_toe"]
rounds = 30
seed = 5
{workers}
[[players]]
name = "mcts"
player = "mcts(simulations=10)"
[[players]]
name = "random"
player = "random"
"""


def standings(db, tmp_path, workers):
    """Run a tournament from the command line. Returns its board, turns and returns per match, and workers."""
    file = tmp_path / f"{db.stem}.toml"
    file.write_text(TOURNAMENT.format(db=db, workers=workers))
    command = [sys.executable, "-m", "arena", "tournament", str(file), "--json"]
    board = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    with Store.open(f"sqlite:///{db}", read_only=True) as store:
        run = store.run()
        episodes = {e.match: (e.returns, [(t.seat, t.action) for t in e.turns]) for _, e in store.episodes(run)}
        return board, episodes, {r.worker for r in store.results(run)}


def test_one_line_of_a_file_sends_its_matches_to_a_cluster(nodes, tmp_path):
    ray = f'workers = "ray"\n[ray]\naddress = "{nodes.address}"\n'
    here, matches, _ = standings(tmp_path / "here.db", tmp_path, "")
    there, same, workers = standings(tmp_path / "there.db", tmp_path, ray)
    assert there == here
    assert same == matches
    assert len(matches) == 120
    assert all("/" in worker for worker in workers)  # host/node:process


def test_a_run_begun_here_goes_on_on_a_cluster(nodes, tmp_path):
    settings = {
        "name": "t",
        "db": f"sqlite:///{tmp_path}/t.db",
        "games": ["openspiel/kuhn_poker"],
        "players": [{"name": "a", "player": "random"}, {"name": "b", "player": "random"}],
    }
    assert run_tournament(TournamentConfig.model_validate(settings | {"rounds": 5}), board="off").complete
    more = {"rounds": 10, "workers": "ray", "ray": {"address": nodes.address}}
    finished = run_tournament(TournamentConfig.model_validate(settings | more), board="off")
    assert finished.complete
    assert finished.snapshot.matches.finished == 20


@pytest.mark.parametrize("overlap", [0, 1])
def test_a_training_on_a_cluster_learns_what_one_in_this_process_learns(nodes, tmp_path, overlap):
    """Weights, snapshots and anchors reach the workers, so every match and every metric is the same."""
    for name, more in (("here", {}), ("there", {"workers": "ray", "ray": {"address": nodes.address}})):
        (tmp_path / name).mkdir()
        assert run_training(training(tmp_path / name, steps=4, overlap=overlap, **more), board="off").complete
    here, there = (read_metrics(tmp_path / name / "run") for name in ("here", "there"))
    assert [row.keys() for row in there] == [row.keys() for row in here]
    for mine, theirs in zip(here, there, strict=True):
        assert theirs == pytest.approx(mine, rel=1e-4, abs=1e-6)  # other thread counts round differently
    rated = []
    for name in ("here", "there"):
        with Store.open(f"sqlite:///{tmp_path}/{name}/arena.db", read_only=True) as store:
            rated.append({r.match: [s.score for s in r.seats] for r in store.results(store.run("kuhn"))})
    assert rated[0] == rated[1]
