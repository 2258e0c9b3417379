"""LoRA adapters on disk in peft's format: a folder with `adapter_config.json` and safetensors.

The folder of a model is either an adapter itself, or a whole model with an adapter in the subfolder `adapter`. That
adapter holds the same weights as a difference from the base model, so that one engine can serve many of them.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from arena.inference import weights
from games import InputError, MissingPackage

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
INSIDE = "adapter"


def find(path: Path) -> Path | None:
    """The adapter that is or lies in a model's folder, or None."""
    return next((p for p in (path, path / INSIDE) if (p / CONFIG).is_file()), None)


def base_of(adapter: Path) -> str:
    """The name of an adapter's base model. Raises InputError."""
    return str(_read(adapter, "base_model_name_or_path"))


def rank_of(adapter: Path) -> int:
    """The rank of an adapter. Raises InputError."""
    return int(_read(adapter, "r"))


def merged(model: Any, adapter: Path) -> Any:
    """The model with the adapter merged into its weights. Raises MissingPackage without peft."""
    if importlib.util.find_spec("peft") is None:
        raise MissingPackage("a model with an adapter", "peft", "'selfplay-arena[lora]'")
    import peft

    weights.check(adapter, WEIGHTS)
    return peft.PeftModel.from_pretrained(model, adapter).merge_and_unload()


def _read(adapter: Path, key: str) -> Any:
    try:
        return json.loads((adapter / CONFIG).read_text(encoding="utf-8"))[key]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"cannot read {key!r} in {adapter / CONFIG}: {type(error).__name__}") from None
