"""scripts/bench/gpu_check.py runs whole on a tiny shape, without a GPU."""

import json
import subprocess
import sys
from ctypes.util import find_library
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "bench" / "gpu_check.py"


def test_a_machine_without_torch_and_driver_is_told_so_in_one_line(tmp_path):
    """`-S` leaves out the installed packages, as on a machine that has none."""
    if find_library("cuda"):
        pytest.skip("this machine has the driver")
    file = tmp_path / "rows.json"
    command = [sys.executable, "-S", str(SCRIPT), "--json", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(file.read_text())["rows"]
    assert (row["part"], row["error"]) == ("driver", "libcuda.so.1 is absent: no NVIDIA driver is installed")


@pytest.mark.slow
def test_every_part_runs_and_the_result_is_json(tmp_path):
    file = tmp_path / "found.json"
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--tiny", "--seconds", "300", "--json", str(file)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(file.read_text())
    by_part: dict[str, list[dict[str, object]]] = {}
    for row in found["rows"]:
        by_part.setdefault(row["part"], []).append(row)
    assert list(by_part) == [
        "machine",
        "attention",
        "graphs",
        "parity",
        "full",
        "lora",
        "compiled",
        "shards",
        "publish",
        "generate",
        "vllm",
        "driver",
    ]
    exact, rounded = by_part["parity"]
    assert float(str(exact["gradient error"])) < 1e-4  # the same device, or float32 on a GPU
    assert 0 < float(str(rounded["gradient error"])) < 0.2
    for part in ("full", "lora", "generate"):
        assert by_part[part], part
        rates = [row["tokens/s"] for row in by_part[part] if "tokens/s" in row]
        assert rates or "peft" in str(by_part[part][0]["error"]), by_part[part]
        assert all(float(str(rate)) > 0 for rate in rates)
    assert sum("seconds" in row for row in by_part["generate"]) == 3
    assert "| parity" in done.stdout
