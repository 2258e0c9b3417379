"""Shapes of models: parameters as published, bytes of keys and values, and those of models that are here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.inference import models
from arena.inference.shapes import shape_of

# safetensors metadata of the models' pages; tied weights count once
PUBLISHED = {
    "Qwen/Qwen3-0.6B": (596_049_920, 114_688),
    "Qwen/Qwen3-1.7B-Base": (1_720_574_976, 114_688),
    "Qwen/Qwen3-4B-Base": (4_022_468_096, 147_456),
    "Qwen/Qwen3-4B-Instruct-2507": (4_022_468_096, 147_456),
    "Qwen/Qwen3-8B": (8_190_735_360, 147_456),
    "Qwen/Qwen2.5-0.5B-Instruct": (494_032_768, 12_288),
    "Qwen/Qwen2.5-7B": (7_615_616_512, 57_344),
    "meta-llama/Llama-3.2-1B": (1_235_814_400, 32_768),
    "meta-llama/Llama-3.1-8B-Instruct": (8_030_261_248, 131_072),
    "smollm2-135m": (134_515_008, 23_040),
    "HuggingFaceTB/SmolLM2-1.7B": (1_711_376_384, 196_608),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_and_keys_are_as_published(name: str) -> None:
    shape = shape_of(name)
    assert shape is not None
    assert (shape.parameters, shape.kv_bytes(2)) == PUBLISHED[name]


@pytest.mark.parametrize("name", ["tiny", "tiny(layers=1, hidden=32, heads=2)"])
def test_a_tiny_model_has_its_shape(name: str) -> None:
    model = models.load(name, "fp32", "cpu").model
    shape, read = shape_of(name), shape_of(str(models.folder(name)))
    assert shape is not None
    assert read is not None
    assert shape.parameters == read.parameters == sum(p.numel() for p in model.parameters())


def test_an_unknown_model_has_none(tmp_path: Path) -> None:
    assert shape_of("someone/else") is None
    assert shape_of(str(tmp_path)) is None
    (tmp_path / "config.json").write_text("{}")
    assert shape_of(str(tmp_path)) is None


def test_no_tensor_library_is_imported() -> None:
    code = "import sys; import league.training.resources.planner, league.training.resources.resource_plan; "
    assert (
        subprocess.run([sys.executable, "-c", code + "sys.exit('torch' in sys.modules)"], check=False).returncode == 0
    )
