"""The weights in a model's folder: safetensors, whole, and nothing else.

A pickle (`pytorch_model.bin`, `.pt`) can run code when it is read, so it never is.
"""

from __future__ import annotations

from pathlib import Path

from games import InputError

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")


def check(folder: Path, name: str = "*.safetensors") -> None:
    """Raise InputError where a folder holds no safetensors of this name, or a damaged one."""
    found = sorted(folder.glob(name))
    if not found:
        pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
        pickles = [file for file in pickles if file not in ("training_args.bin", "optimizer.bin")]
        if pickles:
            raise InputError(
                f"{folder / pickles[0]} is a pickle, which can run code when it is read; only safetensors are: "
                "model.save_pretrained(folder) of transformers writes them"
            )
        raise InputError(f"folder {str(folder)!r} holds no weights: {name.replace('*', 'model')} is missing")
    for path in found:
        _open(path)


def _open(path: Path) -> None:
    """Read a file's header, which says how long the file must be. Raises InputError naming the file."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy"):
            pass
    except (SafetensorError, OSError, ValueError) as error:
        why = " ".join(str(error).split())[:120]
        raise InputError(f"{path} is damaged ({why}); copy or download it again") from error
