"""What a process of a learner says to the agent that started it, and which devices are refused."""

import json
import os
import signal
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from arena.learner import LearnerConfig, group_failure
from arena.learner.launch import as_rank, restarts
from arena.learner.process_group import ProcessGroup, check_devices, join, manifest, placeholders, started
from games import InputError


@pytest.fixture
def ranked(monkeypatch, tmp_path):
    """Sets the variables of torch.distributed.run; signals are restored."""
    handler = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(group_failure.GroupFailure, "occurred", False)

    def rank(number):
        monkeypatch.setenv("ARENA_LEARNER_FOLDER", str(tmp_path))
        monkeypatch.setenv("RANK", str(number))

    yield rank
    signal.signal(signal.SIGINT, handler)


def files(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_without_an_agent_the_command_just_runs(monkeypatch):
    monkeypatch.delenv("ARENA_LEARNER_FOLDER", raising=False)
    assert as_rank(lambda: 3) == 3


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_driver_leaves_its_code_and_the_agent_sees_success(code, ranked, tmp_path):
    ranked(0)
    assert as_rank(lambda: code) == 0
    assert files(tmp_path) == {"driver": str(os.getpid()), "code.0": str(code)}
    assert as_rank(lambda: pytest.fail("the driver has ended")) == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(("code", "left"), [(0, {}), (1, {}), (2, {"code.3": "2"})])
def test_another_process_leaves_its_code_only_for_a_wrong_input(code, left, ranked, tmp_path):
    ranked(3)
    assert as_rank(lambda: code) == code
    assert files(tmp_path) == left
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # the driver decides


@pytest.mark.parametrize("rank", [0, 1])
def test_after_a_lost_process_the_agent_sees_a_failure(rank, ranked, tmp_path):
    ranked(rank)

    def lost():
        raise_and_catch()
        return 0

    assert as_rank(lost) == 1
    assert "code.0" not in files(tmp_path)


def raise_and_catch():
    with pytest.raises(group_failure.GroupFailure):
        raise group_failure.GroupFailure("a process ended")


def test_restarts_are_counted_by_the_agent(monkeypatch):
    monkeypatch.delenv("TORCHELASTIC_RESTART_COUNT", raising=False)
    assert restarts() == 0
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "2")
    assert restarts() == 2


@pytest.mark.parametrize(("names", "expected"), [((), False), (("RANK",), False), (("RANK", "WORLD_SIZE"), True)])
def test_a_launcher_sets_rank_and_size(names, expected, monkeypatch):
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    for name in names:
        monkeypatch.setenv(name, "1")
    assert started() == expected


def test_as_many_processes_as_the_settings_name(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "4")
    with (
        pytest.raises(InputError, match=r"started 4 processes, and processes is 2"),
        join(LearnerConfig(processes=2), ""),
    ):
        pass


def test_every_process_has_a_gpu_of_its_own(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    check_devices(9, "cuda:1")  # all compute on the CPU
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    for device in ("auto", "cuda"):
        check_devices(4, device)
        with pytest.raises(InputError, match=r"starts 5 processes on this machine, which has 4 CUDA devices"):
            check_devices(5, device)
    check_devices(5, "cpu")
    with pytest.raises(InputError, match="several processes need a GPU each"):
        check_devices(1, "cuda:0")


def test_a_description_of_tensors_makes_tensors_of_their_shapes():
    tensors = {"weights": {"a": torch.ones(2, 3, dtype=torch.bfloat16), "b": torch.tensor(1.0)}, "empty": {}}
    described = manifest(tensors)
    assert described == {"weights": {"a": ([2, 3], "bfloat16"), "b": ([], "float32")}, "empty": {}}
    made = placeholders(json.loads(json.dumps(described)))
    assert {file: {n: (t.shape, t.dtype) for n, t in group.items()} for file, group in made.items()} == {
        file: {n: (t.shape, t.dtype) for n, t in group.items()} for file, group in tensors.items()
    }


@pytest.mark.parametrize(
    ("error", "waited", "message"),
    [
        (RuntimeError("[gloo/tcp] Connection closed"), 1.0, "a process of the learner ended"),
        (RuntimeError("NCCL communicator was aborted"), 29.9, "a process of the learner ended"),
        (torch.distributed.DistBackendError("lost"), 30.0, r"did not answer within 30 s \(timeout under \[learner\]\)"),
        (RuntimeError("gloo: timed out"), 31.0, "did not answer within 30 s"),
    ],
)
def test_errors_of_the_group_are_told_from_those_of_a_step(error, waited, message, monkeypatch):
    monkeypatch.setattr(group_failure.GroupFailure, "occurred", False)
    clock = iter([100.0, 100.0 + waited])
    monkeypatch.setattr("arena.learner.process_group.time.monotonic", lambda: next(clock))
    member: Any = SimpleNamespace(config=LearnerConfig(timeout=30))
    with pytest.raises(group_failure.GroupFailure, match=message), ProcessGroup.bounded(member):
        raise error
    assert group_failure.GroupFailure.occurred


def test_an_error_of_a_step_stays_what_it_is():
    member: Any = SimpleNamespace(config=LearnerConfig())
    for error in (RuntimeError("shapes differ"), ValueError("gloo")):
        with pytest.raises(type(error), match=str(error)), ProcessGroup.bounded(member):
            raise error
