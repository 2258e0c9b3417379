"""A study runs, stops, is killed, resumes and refuses other settings."""

import json
import subprocess
import sys
from contextlib import ExitStack

import pytest

from arena.cli import main
from games import InputError
from league.store import Store
from league.study.config import EndpointConfig, load_study
from league.study.measure import check_endpoint
from league.study.run import checked_plan, complete_runs, run_study
from league.training.loop import TrainingResult
from tests.league.study.files import ENDPOINT, study

ARITHMETIC = {"name": "sums", "measure": "accuracy", "suite": "arithmetic(digits=1)", "tasks": 6}
RANDOM = {"name": "random", "measure": "return", "game": "openspiel/kuhn_poker", "against": "random", "matches": 4}

OF_ONE_ROLE = {"measure": "return", "game": "redteam", "against": "policy(name=competent)", "matches": 6}

WORDINGS = {"name": "words", "measure": "nash_conv", "game": "veil(of=openspiel/kuhn_poker, words=31..33)"}


def killed(file, at):
    """Runs a study in a process of its own and kills it when it prints a line."""
    command = [sys.executable, "-m", "arena", "study", str(file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert any(at in line for line in process.stderr)
        process.kill()


@pytest.mark.slow
def test_a_killed_study_resumes_to_the_same_result(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    whole, parts = study(tmp_path / "whole"), study(tmp_path / "parts")
    result = run_study(whole)
    killed(parts, "run 2 of 4")
    lines: list[str] = []
    assert run_study(parts, show=lines.append) == result
    assert lines[0] == "run 2 of 4: b, seed 0"
    assert run_study(parts, show=lambda line: pytest.fail(line)) == result  # nothing is left to train
    assert result is not None
    assert json.loads((tmp_path / "parts/runs/study.json").read_text())["hash"] == result.hash


@pytest.mark.slow
def test_two_processes_share_the_runs_and_have_the_same_result(tmp_path):
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    whole, parts = study(tmp_path / "whole", seeds=4), study(tmp_path / "parts", seeds=4)
    expected = run_study(whole)
    command = [sys.executable, "-m", "arena", "study", str(parts)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        elsewhere = [process.stderr.readline()]
        lines: list[str] = []
        assert run_study(parts, show=lines.append) == expected
        elsewhere += process.stderr.read().splitlines()
    here, there = ({line.strip() for line in each if line.startswith("run ")} for each in (lines, elsewhere))
    assert process.returncode == 0
    assert (len(here | there), min(len(here), len(there)) > 0) == (8, True)


def test_a_run_that_another_process_plays_is_waited_for(tmp_path, monkeypatch):
    file, lines, held = study(tmp_path), [], ExitStack()
    config = load_study(file)
    monkeypatch.setattr("league.study.run._complete", lambda *_: True)
    monkeypatch.setattr("time.sleep", lambda _: held.close())
    with Store.open(config.db) as store:
        run = store.start_run("s.b.1", {})
        held.enter_context(store.exclusive(run))
        assert all(complete_runs(checked_plan(config, file), store, lines.append, False))
    assert lines == ["another process plays run 4; this one waits, and goes on if it ends"]


@pytest.mark.slow
def test_endpoints_of_all_kinds_and_a_changed_file(tmp_path, capsys):
    arms = [{"name": "a"}, {"name": "b", "control": "untrained"}]
    file = study(tmp_path, endpoints=[ENDPOINT, ARITHMETIC, RANDOM, WORDINGS], arms=arms)
    assert main(["study", str(file)]) == 0
    assert "nc (nash_conv, lower is better, primary)" in capsys.readouterr().out
    stored = json.loads((tmp_path / "runs/study.json").read_text())
    assert [e["items"] > 0 for e in stored["endpoints"]] == [False, True, False, True]
    assert stored["endpoints"][3]["items"] == 3
    assert stored["work"]["b"] == {"matches": 0, "tokens": 0}
    assert stored["work"]["a"]["matches"] == 8
    assert "| a |  | 8 |" in (tmp_path / "runs/study.md").read_text()
    assert main(["study", str(study(tmp_path, settings={"group": 2})), "--plan"]) == 2
    assert "study 's' was planned otherwise: " in capsys.readouterr().err


def test_ctrl_c_stops_and_says_how_to_resume(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("league.study.run.run_training", lambda *_, **__: TrainingResult(1, False, {}))
    file = study(tmp_path)
    assert main(["study", str(file)]) == 130
    assert capsys.readouterr().err == f"run 1 of 4: a, seed 0\nstopped; to resume, type: arena study {file}\n"
    assert not (tmp_path / "runs").exists()


def test_the_plan_is_printed_and_nothing_is_written(tmp_path, capsys):
    file = study(tmp_path)
    assert main(["study", str(file), "--plan", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["arms"], plan["runs"], plan["measured"], plan["matches"]) == ({"a": 8, "b": 8}, 4, 0, 32)
    assert len(plan["hash"]) == 64
    assert {path.name for path in tmp_path.iterdir()} == {"base.toml", "study.toml"}


def test_an_endpoint_of_solve_rates_needs_a_game_about_tasks(tmp_path):
    file = study(tmp_path, endpoints=[{"name": "nc", "measure": "solved", "game": "openspiel/kuhn_poker"}])
    with pytest.raises(InputError, match="endpoint 'nc': openspiel/kuhn_poker has no task source"):
        run_study(file)


def test_an_endpoint_that_cannot_be_measured_is_refused_before_any_run(tmp_path):
    file = study(tmp_path, endpoints=[RANDOM | {"name": "nc", "against": "nobody"}])
    with pytest.raises(InputError, match="nobody"):
        run_study(file)
    assert not (tmp_path / "arena.db").exists()


def test_an_endpoint_of_a_role_that_no_seat_has_is_refused():
    with pytest.raises(InputError, match="has no role 'judge'; its roles: red-attacker, red-defender"):
        check_endpoint(EndpointConfig(name="e", **OF_ONE_ROLE, role="judge"))
    with pytest.raises(ValueError, match="does not take role"):
        EndpointConfig(**ENDPOINT, role="judge")
