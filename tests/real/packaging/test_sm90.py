"""FlexAttention compiles for an H200, on a machine without one: it fits, uses the tensor cores and spills little.

pip downloads Triton, 0.25 GB, unless it is installed; its wheel brings ptxas. Nothing runs on a GPU.
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(1800)]
ROOT = Path(__file__).parents[3]
SHARED = 232_448
"""bytes of shared memory that a block may take on sm_90"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """PYTHONPATH with Triton."""
    if importlib.util.find_spec("triton"):
        return str(ROOT)
    folder = tmp_path_factory.mktemp("triton")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--target", str(folder)]
    subprocess.run([*command, "triton==3.8.0"], check=True)
    return f"{folder}{os.pathsep}{ROOT}"


@pytest.mark.parametrize(
    ("shape", "spills"),  # bytes a thread, most in one kernel; with Triton 3.8: 688, 228, 660, 696, 176, 36 and 4,012
    [
        ("16 8 128 bfloat16 0", 800),  # Qwen3-0.6B and 1.7B
        ("16 8 128 bfloat16 0 static", 300),
        ("16 8 128 bfloat16 0 layer", 800),  # with norms, rotations and the MLP: 22 kernels
        ("32 8 128 bfloat16 0", 800),  # Qwen3-4B and 8B
        ("9 3 64 bfloat16 0", 250),  # SmolLM2
        ("9 3 64 bfloat16 0 static", 80),
        ("4 1 256 bfloat16 512", 4500),  # Gemma 3 1B
    ],
)
def test_its_kernels_compile(path, shape, spills, tmp_path):
    program = [sys.executable, "-m", "tests.real.packaging.flex_for_sm90", *shape.split()]
    caches = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor"), "TRITON_CACHE_DIR": str(tmp_path / "triton")}
    settings = {"PYTHONPATH": path, "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    done = subprocess.run(program, cwd=ROOT, env=os.environ | caches | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    kernels = [json.loads(line) for line in done.stdout.splitlines()]
    products = [kernel for kernel in kernels if "_tem_" in kernel["kernel"]]  # forward and backward
    assert len(products) == 2
    assert all(kernel["wgmma"] for kernel in products), kernels
    assert all(kernel["shared"] <= SHARED for kernel in kernels), kernels
    assert all(kernel["spills"] <= spills for kernel in kernels), kernels
