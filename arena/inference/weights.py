"""The files of a model's folder: complete safetensors, never pickles. Names what the system refuses to write.

Reading a pickle (`pytorch_model.bin`, `.pt`) can run code.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from games import InputError

WHOLE, INDEX = "model.safetensors", "model.safetensors.index.json"
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")
_POINTER = b"version https://git-lfs"
_TEXTS = ("*.json", "*.model", "*.txt", "*.jinja")
_NAMES = 3
"""names that a message lists before it counts the rest"""


class StoredTensor(NamedTuple):
    """A tensor as the header of a file describes it."""

    file: Path
    shape: tuple[int, ...]
    dtype: str
    """F32, BF16, F8_E4M3 ..."""


Stored = Mapping[str, StoredTensor]
"""a tensor's name -> where it is"""


def of_model(folder: Path) -> Stored:
    """Returns the tensors of a whole model, without reading their numbers.

    Raises InputError for a folder without safetensors, a damaged file, or an index that is not that of its files.
    """
    index = folder / INDEX
    if not index.is_file():
        if not (folder / WHOLE).is_file() and list(folder.glob("model-*-of-*.safetensors")):
            raise InputError(f"folder {str(folder)!r} holds parts of a model, but {INDEX} is missing; copy it too")
        return _tensors([_file(folder, WHOLE)])
    places = _weight_map(index)
    names = sorted(set(places.values()))
    if (folder / WHOLE).is_file() and names != [WHOLE]:
        raise InputError(
            f"folder {str(folder)!r} holds two models: {WHOLE}, and the parts that {INDEX} lists; remove one of them"
        )
    if absent := [name for name in names if not (folder / name).is_file()]:
        raise InputError(f"{index} lists files that are missing: {listed(absent)}; copy or download them again")
    stored = _tensors([folder / name for name in names])
    if absent := [name for name, file in places.items() if name not in stored or stored[name].file.name != file]:
        raise InputError(f"{index} lists tensors that are not in their files: {listed(absent)}; download it again")
    return stored


def of_adapter(folder: Path, name: str) -> Stored:
    """Returns the tensors of an adapter, whose file has this name. Raises InputError."""
    return _tensors([_file(folder, name)])


def not_finite(stored: Stored) -> list[str]:
    """Returns the names of the tensors that hold NaN or infinite numbers. Reads every file once."""
    from safetensors import safe_open

    out = []
    for file in sorted({tensor.file for tensor in stored.values()}):
        with safe_open(file, framework="pt") as opened:
            out += [name for name in opened.keys() if not is_finite(opened.get_tensor(name))]  # noqa: SIM118
    return out


def is_finite(tensor: Any) -> bool:
    """Returns whether no number of a tensor is NaN or infinite. Numbers of 8 bits are not read."""
    if not tensor.is_floating_point() or tensor.element_size() == 1 or tensor.is_meta:
        return True
    # A sum costs a third of a test of each number, and NaN and infinity survive it.
    return bool(tensor.sum(dtype=_sum_type(tensor)).isfinite()) or bool(tensor.isfinite().all())


def _sum_type(tensor: Any) -> Any:
    import torch

    return torch.float64 if tensor.dtype == torch.float64 else torch.float32


def listed(names: Iterable[str]) -> str:
    """Returns the first names of a list, and how many follow: `a, b, c and 9 more`."""
    all_names = list(names)
    more = len(all_names) - _NAMES
    return ", ".join(all_names[:_NAMES]) + (f" and {more} more" if more > 0 else "")


def damaged_file(folder: Path) -> str:
    """Returns which file of a folder is a pointer of git-lfs or no JSON, and what to do; "" if all can be read."""
    for path in sorted(path for pattern in _TEXTS for path in folder.glob(pattern)):
        try:
            if _is_pointer(path):
                return _pointer_line(path)
            if path.suffix == ".json":
                json.loads(path.read_bytes())
        except ValueError as error:
            return f"{path.name} is not JSON ({error}); copy or download it again"
        except OSError as error:
            return f"{path.name} cannot be read ({error.strerror})"
    return ""


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


def _file(folder: Path, name: str) -> Path:
    """Returns the path of a file of weights. Raises InputError if it is missing."""
    if (folder / name).is_file():
        return folder / name
    pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
    pickles = [file for file in pickles if file not in ("training_args.bin", "optimizer.bin")]
    if pickles:
        raise InputError(
            f"{folder / pickles[0]} is a pickle, which can run code when it is read; use safetensors, which "
            "model.save_pretrained(folder) of transformers writes"
        )
    raise InputError(f"folder {str(folder)!r} contains no weights: {name} is missing")


def _weight_map(index: Path) -> dict[str, str]:
    """Returns a tensor's name -> its file. Raises InputError for a damaged index."""
    try:
        places = json.loads(index.read_bytes())["weight_map"]
        out = {str(name): str(file) for name, file in places.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        if _is_pointer(index):
            raise InputError(_pointer_line(index)) from error
        why = f"{type(error).__name__}: {error}"
        raise InputError(f"{index} lists no weights ({why[:120]}); copy or download it again") from error
    if foreign := [file for file in out.values() if Path(file).name != file]:
        raise InputError(f"{index} lists files outside its folder: {listed(foreign)}")
    return out


def _tensors(files: Iterable[Path]) -> dict[str, StoredTensor]:
    """Returns the tensors of files. Raises InputError for a damaged file, or a tensor in two of them."""
    out: dict[str, StoredTensor] = {}
    for file in files:
        for name, tensor in _header(file).items():
            if name in out:
                raise InputError(
                    f"tensor {name} is in two files, {out[name].file} and {file.name}; download the model again"
                )
            out[name] = tensor
    return out


def _header(path: Path) -> dict[str, StoredTensor]:
    """Read a file's header, which contains the expected length. Raises InputError with the file's name."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118  a file is no mapping
            return {n: StoredTensor(path, tuple(s.get_shape()), s.get_dtype()) for n, s in slices.items()}
    except (SafetensorError, OSError, ValueError) as error:
        if _is_pointer(path):
            raise InputError(_pointer_line(path)) from error
        why = " ".join(str(error).split())[:120]
        raise InputError(f"{path} is damaged ({why}); copy or download it again") from error


def _is_pointer(path: Path) -> bool:
    """Returns whether a file is what git leaves in place of a large file."""
    try:
        with path.open("rb") as file:
            return file.read(len(_POINTER)) == _POINTER
    except OSError:
        return False


def _pointer_line(path: Path) -> str:
    return f"{path} is a pointer of git-lfs in place of the file; type git lfs pull in the folder, or download it again"
