"""What the arena uses of vLLM exists in the wheels for CUDA: the lowest and the newest version that pyproject allows.

No GPU is needed: only sources are read. pip downloads the wheels, 0.7 GB, so these tests need the network.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from arena.inference.vllm import settings
from arena.inference.vllm.settings import VLLMSettings, arguments
from tests import golden

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(1800)]
ROOT = Path(__file__).parents[3]
(ALLOWED,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["vllm"]
LOWEST = f"vllm=={re.search(r'>=([0-9.]+)', ALLOWED)[1]}.0"  # type: ignore[index]
PLATFORMS = [f"--platform=manylinux_2_{minor}_x86_64" for minor in (28, 31, 35)]


@pytest.fixture(scope="module", params=[LOWEST, ALLOWED])
def sources(request, tmp_path_factory):
    """The sources in a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", *PLATFORMS]
    subprocess.run([*command, "-d", str(folder), request.param], check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".py")])
    wheel.unlink()
    return folder


def fields(path, name):
    """The annotated attributes of a class."""
    tree = ast.parse(path.read_text())
    (found,) = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name]
    return {line.target.id for line in found.body if isinstance(line, ast.AnnAssign)}  # type: ignore[union-attr]


def keywords(module, called):
    """The keywords of all calls of a name in a module of the arena."""
    tree = ast.parse((ROOT / "arena" / "inference" / "vllm" / module).read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == called]
    assert calls
    return {keyword.arg for call in calls for keyword in call.keywords}


def test_two_updates_reach_every_worker_of_two_engines(sources):
    program = golden.text(__file__, "vllm_contract.py.txt")
    command = [sys.executable, "-c", program, str(sources)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    calls, held, errors = json.loads(done.stdout)
    update = ["start_weight_update", "update_weights", "finish_weight_update"]
    assert calls == [["init_weight_transfer_engine", *update, *update]] * 2
    for version, engines in zip((7, 8), held, strict=True):
        assert engines == [[{"a": [0.0, 1.0 * version], "b": [[1.0 * version]] * 3}] * 2] * 2
    assert len(errors) == 2
    assert errors[0] == errors[1]
    assert errors[0].startswith("RunPaused: the weights of version 9 did not reach the engines: ")


def test_every_argument_exists(sources, monkeypatch):
    engine = sources / "vllm" / "engine" / "arg_utils.py"
    known = fields(engine, "EngineArgs") | fields(engine, "AsyncEngineArgs")
    monkeypatch.setattr(settings.cpu, "engine_arguments", dict)
    used = set()
    for cuda in (True, False):
        used |= set(arguments(VLLMSettings(Path("x"), "bf16", cuda, 4096, rank=32, share=0.5)))
    assert used <= known
    sampling = fields(sources / "vllm" / "sampling_params.py", "SamplingParams")
    assert keywords("engine.py", "SamplingParams") <= sampling
    adapter = fields(sources / "vllm" / "lora" / "request.py", "LoRARequest")
    assert {"lora_name", "lora_int_id", "lora_path", "load_inplace"} <= adapter


def test_the_workers_imports_exist(sources):
    tree = ast.parse((ROOT / "arena" / "inference" / "vllm" / "worker.py").read_text())
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("vllm.")]
    assert imports
    for node in imports:
        place = sources / (node.module or "").replace(".", "/")
        text = (place / "__init__.py" if place.is_dir() else place.with_suffix(".py")).read_text()
        for name in node.names:
            assert re.search(rf"\b{name.name}\b", text), (node.module, name.name)
