"""Low-rank adapters on disk, in the form of peft: a folder with `adapter_config.json` and its safetensors.

A model's folder is such a folder itself, or is a whole model that has one under `adapter`: the same weights once more
as a difference to its base, so that an engine which knows adapters can serve many of them from one base.
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
    """The adapter that a model's folder is or has, or None."""
    return next((p for p in (path, path / INSIDE) if (p / CONFIG).is_file()), None)


def base_of(adapter: Path) -> str:
    """The name of the model that an adapter belongs to. Raises InputError."""
    return str(_read(adapter, "base_model_name_or_path"))


def rank_of(adapter: Path) -> int:
    """Its rank. Raises InputError."""
    return int(_read(adapter, "r"))


def merged(model: Any, adapter: Path) -> Any:
    """The model with the adapter added to its weights. Raises MissingPackage without peft."""
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
