"""Checks the weights in a model's folder: complete safetensors, never pickles. Names what the system refuses to write.

Reading a pickle (`pytorch_model.bin`, `.pt`) can run code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from games import InputError

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")


def check(folder: Path, name: str = "*.safetensors") -> None:
    """Raises InputError if a folder contains no safetensors of this name, or a damaged one."""
    paths = sorted(folder.glob(name))
    if not paths:
        pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
        pickles = [file for file in pickles if file not in ("training_args.bin", "optimizer.bin")]
        if pickles:
            raise InputError(
                f"{folder / pickles[0]} is a pickle, which can run code when it is read; use safetensors, which "
                "model.save_pretrained(folder) of transformers writes"
            )
        raise InputError(f"folder {str(folder)!r} contains no weights: {name.replace('*', 'model')} is missing")
    for path in paths:
        _open(path)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Raises the OSError that safetensors, which has one error for everything, hides where the disk is full."""
    from safetensors import SafetensorError

    try:
        yield
    except SafetensorError as error:
        if number := re.search(r"\(os error (\d+)\)", str(error)):
            raise OSError(int(number[1]), os.strerror(int(number[1])), str(folder)) from None
        raise


def _open(path: Path) -> None:
    """Read a file's header, which contains the expected length. Raises InputError with the file's name."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy"):
            pass
    except (SafetensorError, OSError, ValueError) as error:
        why = " ".join(str(error).split())[:120]
        raise InputError(f"{path} is damaged ({why}); copy or download it again") from error
