"""From a model's name to its shape, without weights, without a network and without a tensor library."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from arena.inference import adapters
from arena.inference.model_shape import ModelShape, shape_of_config
from games.naming import parse_name

_QWEN3 = ModelShape(28, 1024, 3072, 16, 8, 128, 151_936, True, head_norm=True, context=40_960)
_QWEN2 = ModelShape(24, 896, 4864, 14, 2, 64, 151_936, True, bias=True)
_LLAMA3 = ModelShape(16, 2048, 8192, 32, 8, 64, 128_256, True, context=131_072)
_SMOLLM2 = ModelShape(30, 576, 1536, 9, 3, 64, 49_152, True, context=8192)

FAMILIES: dict[str, ModelShape] = {
    "qwen3-0.6b": _QWEN3,
    "qwen3-1.7b": replace(_QWEN3, hidden=2048, intermediate=6144),
    "qwen3-4b": replace(_QWEN3, layers=36, hidden=2560, intermediate=9728, heads=32),
    "qwen3-8b": replace(_QWEN3, layers=36, hidden=4096, intermediate=12_288, heads=32, tied=False),
    "qwen3-14b": replace(_QWEN3, layers=40, hidden=5120, intermediate=17_408, heads=40, tied=False),
    "qwen2.5-0.5b": _QWEN2,
    "qwen2.5-1.5b": replace(_QWEN2, layers=28, hidden=1536, intermediate=8960, heads=12, head_dim=128),
    "qwen2.5-3b": replace(_QWEN2, layers=36, hidden=2048, intermediate=11_008, heads=16, head_dim=128),
    "qwen2.5-7b": replace(
        _QWEN2, layers=28, hidden=3584, intermediate=18_944, heads=28, kv_heads=4, head_dim=128, vocabulary=152_064,
        tied=False,
    ),
    "llama-3.2-1b": _LLAMA3,
    "llama-3.2-3b": replace(_LLAMA3, layers=28, hidden=3072, heads=24, head_dim=128),
    "llama-3.1-8b": replace(_LLAMA3, layers=32, hidden=4096, intermediate=14_336, head_dim=128, tied=False),
    "smollm2-135m": _SMOLLM2,
    "smollm2-360m": replace(_SMOLLM2, layers=32, hidden=960, intermediate=2560, heads=15, kv_heads=5),
    "smollm2-1.7b": replace(_SMOLLM2, layers=24, hidden=2048, intermediate=8192, heads=32, kv_heads=32),
}  # fmt: skip
"""the name without its owner and variant -> the shape that its configuration publishes"""

_VARIANT = re.compile(r"(-base|-instruct|-it|-chat|-thinking|-\d{4})+$")
TINY_WORDS = 2077
"""tokens of the vocabulary of `tiny`"""


def shape_of(name: str) -> ModelShape | None:
    """Returns the shape of a model: a folder, a known family, or `tiny(...)`; None if it is not known without loading.

    An adapter has the shape of its base.
    """
    if name == "tiny" or name.startswith("tiny("):
        return _tiny(name)
    path = Path(name).expanduser()
    if (config := path / "config.json").is_file():
        return _read(config)
    if path.is_dir() and (adapter := adapters.find(path)) == path:
        return shape_of(adapters.base_of(adapter))
    return FAMILIES.get(_VARIANT.sub("", name.rpartition("/")[2].lower())) or _stored(name)


def _read(config: Path) -> ModelShape | None:
    try:
        values = json.loads(config.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return shape_of_config(values) if isinstance(values, dict) else None


def _stored(name: str) -> ModelShape | None:
    """Returns the shape of a model that was downloaded before."""
    try:
        from huggingface_hub import try_to_load_from_cache
        from huggingface_hub.errors import HFValidationError
    except ImportError:
        return None
    try:
        config = try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        return None
    return _read(Path(config)) if isinstance(config, str) else None


def _tiny(name: str) -> ModelShape:
    params = parse_name(name).params
    layers, hidden, heads = (int(params.get(key, default)) for key, default in _TINY.items())
    context = int(params.get("context", 4096))
    return ModelShape(
        layers, hidden, 4 * hidden, heads, heads, hidden // max(heads, 1), TINY_WORDS, False, context=context
    )


_TINY = {"layers": 2, "hidden": 64, "heads": 4}

__all__ = ["FAMILIES", "shape_of"]
