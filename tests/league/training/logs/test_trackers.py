"""The real trackers, if they are installed, and how each of them may fail."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from games.errors import InputError, MissingPackage
from league.records.metrics_file import METRICS
from league.training.logs import trackers as module
from league.training.logs.metrics_log import MetricsLog
from league.training.logs.trackers import open_trackers
from tests import golden

KEY = "nash_conv/openspiel/kuhn_poker"

# Two calls, as after an interruption: three steps, then what is left.
TRAIN = golden.text(__file__, "trackers_train.py.txt")


def train(folder, tracker):
    root = Path(__file__).parents[4]
    env = os.environ | {"TRACKIO_DIR": str(folder / "trackio"), "WANDB_MODE": "offline", "OMP_NUM_THREADS": "1"}
    env["WANDB__SERVICE_WAIT"] = "300"  # seconds until its service has started; 30 are few on a busy machine
    env |= {"PYTHONPATH": os.pathsep.join([str(root), *filter(None, [os.environ.get("PYTHONPATH")])])}
    words = [sys.executable, "-W", "error::UserWarning:trackio", "-c", TRAIN, str(folder), tracker]
    done = subprocess.run(words, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return env


@pytest.mark.slow
@pytest.mark.skipif(find_spec("tensorboard") is None, reason="pip install tensorboard")
def test_tensorboard(tmp_path):
    train(tmp_path, "tensorboard")
    read = """
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
found = EventAccumulator(sys.argv[1]).Reload()
print(json.dumps([[e.step, e.value] for e in found.Scalars(sys.argv[2])]))
"""
    words = [sys.executable, "-c", read, str(tmp_path / "run" / "tensorboard"), KEY]
    logged = dict(json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout))
    rows = map(json.loads, (tmp_path / "run" / METRICS).read_text().splitlines())
    assert logged == {r["step"]: pytest.approx(r[KEY], rel=1e-6) for r in rows if KEY in r}


@pytest.mark.slow
@pytest.mark.skipif(find_spec("trackio") is None, reason="pip install trackio")
def test_trackio(tmp_path):
    env = train(tmp_path, "trackio")
    read = """
import json, sys
from trackio.sqlite_storage import SQLiteStorage
print(json.dumps([[r["step"], r["updates"]] for r in SQLiteStorage.get_logs(sys.argv[1], "kuhn") if "updates" in r]))
"""
    words = [sys.executable, "-c", read, module.PROJECT]
    printed = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed) == [[s, s] for s in range(1, 6)]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("wandb") is None, reason="pip install wandb")
def test_wandb(tmp_path):
    train(tmp_path, "wandb")
    folder = tmp_path / "run"
    id = (folder / "wandb-id").read_text()
    # wandb names a folder by the second it began in, and adds "-1" where one of that second is there.
    first, second = sorted((folder / "wandb").glob(f"offline-run-*-{id}*/run-{id}.wandb"))
    assert KEY.encode() in first.read_bytes()
    assert KEY.encode() in second.read_bytes()


def test_a_tracker_that_is_not_installed_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    for name in ("tensorboard", "trackio", "wandb"):
        with pytest.raises(MissingPackage, match=f"pip install {name}"):
            open_trackers([name], "r", tmp_path, {})
    assert open_trackers(None, "r", tmp_path, {}) == []


def test_a_folder_that_wandb_left_behind_is_not_wandb(monkeypatch, tmp_path):
    (tmp_path / "wandb" / "offline-run-1").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(MissingPackage, match="pip install wandb"):
        open_trackers(["wandb"], "r", tmp_path, {})


class Fake(ModuleType):
    """A package with trackio's interface."""

    def __init__(self, fails=()):
        super().__init__("trackio")
        self.calls, self.fails = [], fails

    def _called(self, name, *what):
        sys.stdout.write(f"* {name} says hello\n")
        if name in self.fails:
            raise ValueError(f"{name} has no network\nand more lines")
        self.calls.append((name, *what))

    def init(self, **settings):
        self._called("init", settings)

    def log(self, values, step):
        self._called("log", values, step)

    def finish(self):
        self._called("finish")


@pytest.fixture
def package(monkeypatch):
    def installed(fails=()):
        fake = Fake(fails)
        monkeypatch.setattr(module, "_installed", lambda name: True)
        monkeypatch.setattr(module.importlib, "import_module", lambda name: fake)
        return fake

    return installed


def test_metrics_reach_it_and_what_it_prints_does_not_reach_the_terminal(package, tmp_path, capsys):
    fake = package()
    (tracker,) = open_trackers(["trackio"], "mine", tmp_path, {"steps": 5})
    capsys.readouterr()
    tracker.close()
    ((_, settings), _) = fake.calls
    assert settings == {"project": module.PROJECT, "name": "mine", "config": {"steps": 5}, "resume": "never"}
    assert capsys.readouterr().out == ""


def test_rows_that_are_repeated_after_a_kill_are_not_sent_twice(package, tmp_path):
    fake = package()
    (tmp_path / METRICS).write_text("".join(json.dumps({"step": s}) + "\n" for s in range(6)))
    found = open_trackers(["trackio"], "mine", tmp_path, {}, 3)
    metrics = MetricsLog(tmp_path, 3, found)
    for step in range(4, 8):
        metrics.write(step, {"loss": 1.0}, {})
    metrics.close()
    assert fake.calls[0][1]["resume"] == "allow"
    assert [step for name, *_, step in fake.calls[1:-1]] == [6, 7]


def test_a_run_that_resumes_after_step_0_continues_its_curves(package, tmp_path):
    fake = package()
    (tmp_path / METRICS).write_text("".join(json.dumps({"step": s}) + "\n" for s in range(3)))
    metrics = MetricsLog(tmp_path, 0, open_trackers(["trackio"], "mine", tmp_path, {}, 0))
    for step in range(1, 5):
        metrics.write(step, {"loss": 1.0}, {})
    metrics.close()
    assert fake.calls[0][1]["resume"] == "allow"
    assert [step for name, *_, step in fake.calls[1:-1]] == [3, 4]


def test_a_tracker_that_does_not_start_is_an_error(package, tmp_path):
    package(fails=["init"])
    with pytest.raises(InputError, match=r"^the tracker trackio does not start: init has no network$"):
        open_trackers(["trackio"], "mine", tmp_path, {})


def test_a_tracker_that_fails_later_does_not_end_the_training(package, tmp_path, caplog):
    package(fails=["log", "finish"])
    metrics = MetricsLog(tmp_path, -1, open_trackers(["trackio"], "mine", tmp_path, {}))
    metrics.write(1, {"loss": 1.0}, {})
    metrics.write(2, {"loss": 1.0}, {})
    metrics.close()
    assert [r.getMessage().partition(":")[0] for r in caplog.records if r.levelname == "WARNING"] == [
        "trackio no longer accepts metrics",
        "trackio did not finish",
    ]
