"""LoRA adapters on disk in peft's format: a folder with `adapter_config.json` and safetensors.

The folder of a model is either an adapter itself, or a whole model with an adapter in the subfolder `adapter`. That
adapter holds the same weights as a difference from the base model, so that one engine can serve many of them.
"""

from __future__ import annotations

import copy
import importlib.util
import json
from pathlib import Path
from typing import Any

from arena.inference import weights
from games import InputError, MissingPackage

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
INSIDE = "adapter"
SHARED_FROM = 1_000_000_000
"""bytes of a base from which on its adapters are not merged on transformers but share it: an adapter that is not merged
makes a row of SmolLM2-135M, 0.27 GB, take 1.4 times as long"""


def find(path: Path) -> Path | None:
    """Returns the adapter that is or lies in a model's folder, or None.

    One inside a model does not count if the folder of its base is on another machine: the model needs no base.
    """
    if (path / CONFIG).is_file():
        return path
    inside = path / INSIDE
    return inside if (inside / CONFIG).is_file() and not _is_elsewhere(inside) else None


def _is_elsewhere(adapter: Path) -> bool:
    try:
        base = Path(base_of(adapter))
    except InputError:  # loading it reports the fault
        return False
    return base.is_absolute() and not base.is_dir()


def base_of(adapter: Path) -> str:
    """Returns the name of an adapter's base model. Raises InputError."""
    return str(_read(adapter, "base_model_name_or_path"))


def rank_of(adapter: Path) -> int:
    """Returns the rank of an adapter. Raises InputError."""
    return int(_read(adapter, "r"))


def merged(model: Any, adapter: Path) -> Any:
    """Returns the model with the adapter merged into its weights. Raises MissingPackage without peft."""
    return _adapted(model, adapter).merge_and_unload()


def beside(base: Any, adapter: Path) -> Any:
    """Returns a model of its own that computes with the adapter and shares the weights of its base.

    It computes what the trainer's module computes, adapters in the precision of the base. Raises as `merged` does.
    """
    tensors = {id(tensor): tensor for tensor in (*base.parameters(), *base.buffers())}
    model = _adapted(copy.deepcopy(base, tensors), adapter, autocast_adapter_dtype=False).get_base_model()
    return model.requires_grad_(False)


def _adapted(model: Any, adapter: Path, **options: bool) -> Any:
    if importlib.util.find_spec("peft") is None:
        raise MissingPackage("a model with an adapter", "peft", "'selfplay-arena[lora]'")
    import peft

    weights.check(adapter, WEIGHTS)
    return peft.PeftModel.from_pretrained(model, adapter, **options)


def _read(adapter: Path, key: str) -> Any:
    try:
        return json.loads((adapter / CONFIG).read_text(encoding="utf-8"))[key]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"cannot read {key!r} in {adapter / CONFIG}: {type(error).__name__}") from None
