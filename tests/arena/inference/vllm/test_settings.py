"""What vLLM's processes see and the arguments they start with. vLLM itself is not needed."""

import os
import tempfile

import pytest

from arena.inference.vllm import devices
from arena.inference.vllm.settings import TRANSFER, VLLMSettings, arguments, environment, process_environment


@pytest.mark.parametrize(
    ("own", "gpus", "seen"),
    [("", (1,), "1"), ("4,5,6", (0, 2), "4,6"), ("GPU-a, GPU-b", (1,), "GPU-b"), ("2", (0,), "2")],
)
def test_a_process_sees_only_its_gpus_in_the_numbers_of_the_machine(monkeypatch, own, gpus, seen):
    monkeypatch.setenv(devices.VISIBLE, own)
    with devices.only(gpus):
        assert os.environ[devices.VISIBLE] == seen
    assert os.environ[devices.VISIBLE] == own


def test_the_variable_is_removed_again_and_left_alone_without_gpus(monkeypatch):
    monkeypatch.delenv(devices.VISIBLE, raising=False)
    with devices.only((3,)):
        assert os.environ[devices.VISIBLE] == "3"
    assert devices.VISIBLE not in os.environ
    with devices.only(()):
        assert devices.VISIBLE not in os.environ


def test_the_arguments_of_an_engine_on_gpus_of_its_own(monkeypatch, tmp_path):
    monkeypatch.delenv(devices.VISIBLE, raising=False)
    settings = VLLMSettings(tmp_path, "bf16", True, 4096, rows=16, share=0.9, gpus=(2, 3), parallel=2, sleeps=False)
    made = arguments(settings)
    assert (made["tensor_parallel_size"], made["gpu_memory_utilization"], made["max_num_seqs"]) == (2, 0.9, 16)
    assert made["enable_sleep_mode"] is False
    with process_environment(settings):
        assert os.environ[devices.VISIBLE] == "2,3"
    assert devices.VISIBLE not in os.environ


def test_an_engine_that_sleeps_says_so_and_a_shared_gpu_stays_visible(tmp_path):
    settings = VLLMSettings(tmp_path, "bf16", True, 4096, share=0.4, sleeps=True)
    assert arguments(settings)["enable_sleep_mode"] is True
    before = dict(os.environ)
    with process_environment(settings):
        assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("transfer", "backend", "pickles"), [("file", TRANSFER, ""), ("nccl", "nccl", ""), ("ipc", "ipc", "1")]
)
def test_weights_arrive_by_the_backend_of_the_settings_and_only_ipc_needs_pickles(
    monkeypatch, tmp_path, transfer, backend, pickles
):
    settings = VLLMSettings(tmp_path, "bf16", True, 4096, share=0.4, transfer=transfer)
    assert arguments(settings)["weight_transfer_config"] == {"backend": backend}
    monkeypatch.setattr(os, "environ", {})
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    environment(settings)
    assert os.environ.get("VLLM_ALLOW_INSECURE_SERIALIZATION", "") == pickles
