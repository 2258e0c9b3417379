"""A training whose learner is shared by two processes, through the command."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from arena.learner import checkpoint
from arena.learner.launch import as_rank
from arena.learner.process_group import check_devices
from games import InputError
from league.training.run import run_training
from tests import golden
from tests.league.training.runs import config

FILE = golden.text(__file__, "processes_file.toml")


def command(folder, processes, steps):
    file = folder / "two.toml"
    file.write_text(FILE.format(folder=folder, steps=steps, processes=processes))
    arguments = [sys.executable, "-m", "arena", "train", str(file), "--board", "plain"]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def ranks(parent):
    """The processes that a command has started, in the order of their ranks."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent and b"league.cli.rank" in (stat.parent / "cmdline").read_bytes():
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return sorted(found)


def wait_for(found):
    limit = time.monotonic() + 300
    while not found.exists():
        assert time.monotonic() < limit
        time.sleep(0.2)


def step_of(folder):
    newest = checkpoint.latest(folder / "run" / "checkpoints")
    assert newest is not None
    return checkpoint.load(newest).step


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_a_run_goes_on_with_other_numbers_of_processes_and_after_a_lost_one(tmp_path):
    one = command(tmp_path, 1, 2)
    text = one.communicate(timeout=300)[0]
    assert one.returncode == 0, text
    two = command(tmp_path, 2, 12)
    wait_for(tmp_path / "run" / "checkpoints" / "step-00000004")
    os.kill(ranks(two.pid)[-1], signal.SIGKILL)
    text = two.communicate(timeout=500)[0]
    assert two.returncode == 0, text
    assert "resuming after step 2" in text
    assert "a process of the learner was lost; restart 1 of 3" in text
    assert step_of(tmp_path) == 12
    last = command(tmp_path, 1, 14)
    text = last.communicate(timeout=300)[0]
    assert last.returncode == 0, text
    assert "resuming after step 12" in text
    assert step_of(tmp_path) == 14


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
def test_no_process_outlives_a_killed_command_and_ctrl_c_saves(tmp_path):
    first = command(tmp_path, 2, 10_000)
    wait_for(tmp_path / "run" / "checkpoints" / "step-00000002")
    started = ranks(first.pid)
    assert len(started) == 2
    first.kill()
    first.communicate(timeout=120)  # ends when no process holds its output
    limit = time.monotonic() + 120
    while any(Path(f"/proc/{pid}").exists() for pid in started):
        assert time.monotonic() < limit
        time.sleep(0.2)
    before = step_of(tmp_path)
    second = command(tmp_path, 2, 10_000)
    wait_for(tmp_path / "run" / "checkpoints" / f"step-{before + 2:08d}")
    second.send_signal(signal.SIGINT)
    text = second.communicate(timeout=300)[0]
    assert second.returncode == 130, text
    assert "stopping after this step" in text
    assert step_of(tmp_path) > before + 1


def test_a_call_in_python_starts_no_processes(tmp_path):
    with pytest.raises(InputError, match=r"only `arena train FILE` starts several processes"):
        run_training(config(tmp_path, learner={"processes": 2}), board="off")


def test_each_process_needs_a_gpu_of_its_own(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(InputError, match=r"starts 2 processes on this machine, which has 1 CUDA devices"):
        check_devices(2, "auto")
    with pytest.raises(InputError, match="several processes need a GPU each"):
        check_devices(2, "cuda:0")
    check_devices(2, "cpu")
    check_devices(1, "cuda")


@pytest.mark.parametrize("code", [0, 2, 130])
def test_the_driver_leaves_its_exit_code_and_is_not_started_again(tmp_path, monkeypatch, code):
    monkeypatch.setenv("ARENA_LEARNER_FOLDER", str(tmp_path))
    monkeypatch.setenv("RANK", "0")
    before = signal.getsignal(signal.SIGINT)
    try:
        assert as_rank(lambda: code) == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert (tmp_path / "code.0").read_text() == str(code)
    monkeypatch.setenv("RANK", "1")
    assert as_rank(lambda: pytest.fail("the run is over")) == 0
