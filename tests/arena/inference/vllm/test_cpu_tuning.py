"""The tuning of vLLM's CPU build applies to tested versions only. vLLM itself is not needed."""

import ast
import logging
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.inference.vllm import cpu

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "arena" / "inference" / "vllm" / "cpu"
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def pretend(monkeypatch, build):
    """Pretend that this build of vLLM is installed; returns the names of the tuning's functions that are called."""
    called: list[str] = []
    monkeypatch.setattr(cpu, "build", lambda: build)
    functions = {"install": None, "in_one_process": {"one": "process"}, "all_cores": "environment"}
    for module in MODULES:

        def recorder(name, result):
            return lambda: called.append(name) or result

        fake = {name: recorder(f"{module}.{name}", result) for name, result in functions.items()}
        monkeypatch.setitem(sys.modules, f"{cpu.__name__}.{module}", SimpleNamespace(**fake))
        monkeypatch.delattr(cpu, module, raising=False)
    return called


@pytest.mark.parametrize("build", [("0.33.0", "cpu"), ("0.32.0rc1", "cpu"), ("0.32.0", "cuda"), None])
def test_an_untested_version_gets_no_patch(monkeypatch, build):
    called, before = pretend(monkeypatch, build), dict(os.environ)
    assert not cpu.enabled()
    assert not cpu.install()
    assert cpu.engine_arguments() == {}
    with cpu.process_environment():
        assert dict(os.environ) == before
    assert called == []


@pytest.mark.parametrize("version", [*cpu.TESTED_VERSIONS, f"{cpu.TESTED_VERSIONS[-1]}+cpu"])
def test_a_tested_version_gets_all_patches(monkeypatch, version):
    called = pretend(monkeypatch, (version, "cpu"))
    assert cpu.enabled()
    assert cpu.install()
    assert called == ["sampling.install", "prefix_order.install", "lora.install"]
    assert cpu.engine_arguments() == {"one": "process"}
    assert cpu.process_environment() == "environment"


def test_one_line_says_that_the_tuning_is_off(monkeypatch, caplog):
    pretend(monkeypatch, ("0.33.0", "cpu"))
    with caplog.at_level(logging.INFO), cpu.process_environment():
        cpu.engine_arguments()
        cpu.install()
    (record,) = caplog.records
    assert record.getMessage() == "vLLM 0.33.0: CPU tuning is off, because it was only tested with 0.32.0"


def test_no_other_module_imports_the_patches():
    """Outside the package the only import is `from arena.inference.vllm import cpu`."""
    found = []
    for source in (path for name in ("games", "roles", "arena", "league") for path in (ROOT / name).rglob("*.py")):
        text = source.read_text(encoding="utf-8")
        if source.is_relative_to(FOLDER) or "vllm" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [(source.name, name) for name in names if name.startswith(cpu.__name__)]
    assert found == []
