"""Writes a model for use outside the arena: a folder that transformers, peft and vLLM load."""

from __future__ import annotations

import shutil
from pathlib import Path

from arena.inference import adapters, models, weights
from arena.inference.huggingface import quiet
from games import InputError

_WEIGHTS = {"float32": "fp32", "float16": "fp16"}
"""the type of weights in a model's configuration -> as `models.load` names it; bf16 for others"""


def write_whole(name: str, target: Path) -> None:
    """Writes a whole Hugging Face folder: weights, with an adapter merged into them, tokenizer and chat template.

    Raises InputError for a model that cannot be loaded, or if the target exists.
    """
    source = models.folder(name)
    if (source / "config.json").is_file():
        models.check(name)
        _copy(source, target)
        return
    models.require_packages("exporting a model with an adapter")
    stored = str(getattr(models.config_of(models.base_folder(source)), "dtype", ""))
    loaded = models.load(name, _WEIGHTS.get(stored.removeprefix("torch."), "bf16"), "cpu")
    _create(target)
    with quiet(), weights.writing(target):
        loaded.model.save_pretrained(target)
        loaded.tokenizer.save_pretrained(target)


def write_adapter(name: str, target: Path) -> str:
    """Writes the adapter of a model alone, in peft's format, and returns the name of its base model.

    Raises InputError if the model has no adapter, or if the target exists.
    """
    adapter = adapters.find(models.folder(name))
    if adapter is None:
        raise InputError(f"model {name!r} has no adapter of a whole model; leave out --adapter")
    adapters.check(adapter)
    _copy(adapter, target)
    return adapters.base_of(adapter)


def _copy(source: Path, target: Path) -> None:
    """Copies the files of a folder, not its subfolders."""
    _create(target)
    for file in source.iterdir():
        if file.is_file():
            shutil.copyfile(file, target / file.name)


def _create(target: Path) -> None:
    try:
        target.mkdir(parents=True)
    except FileExistsError:
        raise InputError(f"{target} exists already; name another folder with --out") from None
    except OSError as error:
        raise InputError(f"cannot write {target}: {error.strerror}; name another folder with --out") from None
