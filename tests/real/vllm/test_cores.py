"""vLLM's CPU build in one process, on all cores."""

import os
import warnings
from pathlib import Path

import pytest

from arena.inference.vllm import cpu
from arena.inference.vllm.available import build
from arena.inference.vllm.cpu.cores import BIND, MALLOC, all_cores, cores, in_one_process, openmp

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    pytest.mark.skipif(build() is None or build()[1] != "cpu", reason="for vLLM's CPU build"),  # type: ignore[index]
]


@pytest.fixture(autouse=True, scope="module")
def _imported():
    """vLLM's first import sets environment variables and warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        in_one_process()


def test_the_installed_version_is_tested():
    assert cpu.enabled()


def test_the_model_runs_in_the_engines_process_on_all_cores(engine):
    me = os.getpid()
    engines = [p for p in children(me) if "VLLM::EngineCore" in command(p)]
    assert len(engines) == 1
    assert not [p for p in children(engines[0]) if "VLLM" in command(p)]
    environment = Path(f"/proc/{engines[0]}/environ").read_text().split("\0")
    overwritten = "" in environment[:-1]  # by the engine's process title, which takes the memory that this file shows
    assert overwritten or f"OMP_NUM_THREADS={os.environ.get('OMP_NUM_THREADS', cores())}" in environment
    assert not openmp() or "libiomp5" in Path(f"/proc/{engines[0]}/maps").read_text()


def test_the_environment_is_restored(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.setenv("MALLOC_TOP_PAD_", "4096")
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    before = dict(os.environ)
    with all_cores():
        assert os.environ["OMP_NUM_THREADS"] == "3"
        assert os.environ["MALLOC_TOP_PAD_"] == "4096"
        assert os.environ["MALLOC_TRIM_THRESHOLD_"] == MALLOC["MALLOC_TRIM_THRESHOLD_"]
        assert os.environ.get("LD_PRELOAD", "") == openmp()
    assert dict(os.environ) == before


def test_another_preloaded_openmp_is_kept(monkeypatch):
    monkeypatch.setenv("LD_PRELOAD", "/opt/libgomp.so.1")
    with all_cores():
        assert os.environ["LD_PRELOAD"] == "/opt/libgomp.so.1"
        assert "KMP_BLOCKTIME" not in os.environ


def test_binding_threads_selects_vllms_own_placement(monkeypatch):
    assert in_one_process()
    monkeypatch.setenv(BIND, "0")
    before = dict(os.environ)
    assert not in_one_process()
    with all_cores():
        assert dict(os.environ) == before


def children(process):
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for one in lists for child in one.read_text().split()]


def command(process):
    return Path(f"/proc/{process}/cmdline").read_text()
