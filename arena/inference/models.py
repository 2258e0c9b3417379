"""From a model's name to its folder, and from the folder to a model in memory.

A name is a folder, a Hugging Face id, an embedded model (`arena.inference.convert`) or `tiny(...)`. Loading writes
nothing to the terminal: messages of the libraries go to `logging`, and progress bars are off.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from arena.cache import cache_dir
from arena.inference import adapters, dtypes, weights
from arena.inference.convert import EMBEDDED, INSTALL, embedded_folder
from arena.inference.errors import error_line
from arena.inference.huggingface import LOCAL, download, quiet
from arena.inference.tiny import tiny_folder
from games import InputError, MissingPackage, plugins
from games.naming import parse_name

if TYPE_CHECKING:
    import torch

_bases: WeakValueDictionary[tuple[Path, torch.dtype, torch.device], Any] = WeakValueDictionary()
"""models whose weights adapters share"""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory, ready for inference."""

    name: str
    model: Any
    tokenizer: Any
    eos_ids: tuple[int, ...]
    device: torch.device


def load(name: str, dtype: str = "auto", device: str = "auto", *, share: bool = False) -> LoadedModel:
    """Load a model and its tokenizer. Raises InputError for a missing package, model or device.

    share: let adapters of a large base have its weights in common, instead of merging each into a copy; nobody may
    change them.
    """
    require_packages()
    import torch

    target = _device(device)
    dtype = dtype_of(name, dtype, device)
    path, adapter = _whole_weights(name)
    tokenizer, eos_ids = tokenizer_of(path)
    weights.check(path)
    kind = getattr(torch, dtypes.DTYPES[dtype])
    with _loading(path), quiet():
        model = _read(path, kind, target) if adapter is None else _adapted(path, adapter, kind, target, share)
    return LoadedModel(name, model, tokenizer, eos_ids, target)


def _read(path: Path, dtype: torch.dtype, device: torch.device) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(path, dtype=dtype, use_safetensors=True, **LOCAL).to(device).eval()


def _adapted(path: Path, adapter: Path, dtype: torch.dtype, device: torch.device, share: bool) -> Any:
    """Returns the model in a folder with an adapter: merged, or beside weights that others share."""
    key = path, dtype, device
    base = _bases.get(key) if share else None
    if base is None:
        base = _read(path, dtype, device)
    if not share or sum(p.nbytes for p in base.parameters()) < adapters.SHARED_FROM:
        return adapters.merged(base, adapter).eval()
    _bases[key] = base
    model = adapters.beside(base, adapter).eval()
    vars(model)["base"] = base  # keeps it in `_bases`; not a submodule
    return model


def dtype_of(name: str, dtype: str = "auto", device: str = "auto") -> str:
    """Returns a data type; for `auto` that in which a model computes fastest. Raises InputError."""
    if dtype == "auto":
        return dtypes.fastest(device, lambda: _whole_weights(name)[0])
    dtypes.check(dtype)
    return dtype


def _whole_weights(name: str) -> tuple[Path, Path | None]:
    """Returns the folder of a model's whole weights, and the adapter that is not merged into them."""
    path = folder(name)
    if adapters.find(path) == path:
        return folder(adapters.base_of(path)), path
    return path, None


def tokenizer_of(path: Path) -> tuple[Any, tuple[int, ...]]:
    """Returns the tokenizer in a model's folder, and the tokens that end an answer. Raises InputError."""
    from transformers import AutoTokenizer, GenerationConfig

    with _loading(path), quiet():
        tokenizer = AutoTokenizer.from_pretrained(path, **LOCAL)
        try:
            eos = GenerationConfig.from_pretrained(path, local_files_only=True).eos_token_id
        except OSError:  # older folders have no generation config
            eos = getattr(config_of(path), "eos_token_id", None)
    return tokenizer, tuple(eos) if isinstance(eos, (list, tuple)) else () if eos is None else (eos,)


def config_of(path: Path) -> Any:
    """Returns the configuration in a model's folder. Raises InputError."""
    from transformers import AutoConfig

    with _loading(path), quiet():
        return AutoConfig.from_pretrained(path, **LOCAL)


@contextmanager
def _loading(path: Path) -> Iterator[None]:
    """Turn the errors of the libraries into InputError."""
    try:
        yield
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        if "trust_remote_code" in str(error):
            raise InputError(
                f"the model in {str(path)!r} requires its own code, which is never run; use {_allowed()} whose "
                "architecture is part of transformers"
            ) from error
        raise InputError(f"cannot load the model in {str(path)!r}: {error_line(error)}") from error


def folder(name: str) -> Path:
    """Returns the folder of a model's weights and tokenizer; converts or loads it if needed. Raises InputError."""
    if name in EMBEDDED:
        return embedded_folder(name)
    if name == "tiny" or name.startswith("tiny("):
        return _tiny(name)
    path = Path(name).expanduser()
    if name and (path.is_file() or path.suffix in (".gguf", ".safetensors", ".bin")):
        raise InputError(_not_a_folder(name, path))
    if name and path.is_dir():
        if not (path / "config.json").is_file() and adapters.find(path) != path:
            raise InputError(f"folder {name!r} contains no model: config.json is missing")
        return path
    if name.count("/") > 1 or name.startswith((".", "~", "/")) or not name:
        raise InputError(f"there is no folder {name!r}; use {_allowed()}")
    return download(name, _allowed())


def _not_a_folder(name: str, path: Path) -> str:
    """Returns the error message for a name that is a file."""
    problem = f"model {name!r} is a file" if path.is_file() else f"there is no file {name!r}, and a model is a folder"
    cure = f"; python -m arena.inference.convert {name} FOLDER converts it" if path.suffix == ".gguf" else ""
    return f"{problem}; use {_allowed()}{cure}"


def require_packages(feature: str = "an LLM player") -> None:
    """Raises MissingPackage with the install command if the packages for an LLM are missing."""
    for package in ("torch", "transformers", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise MissingPackage(feature, package, INSTALL)


def _allowed() -> str:
    names = ", ".join([*EMBEDDED, "tiny(layers=2)"])
    return f"{names}, a folder with config.json and weights, or a Hugging Face id like Qwen/Qwen3-0.6B"


def _device(name: str) -> torch.device:
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"unknown device {name!r}; allowed: auto, cpu, cuda, cuda:0 ...") from None
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise InputError(
            f"device {name!r} does not exist; this machine has {torch.cuda.device_count()} CUDA devices; use device=cpu"
        )
    return device


def _tiny(name: str) -> Path:
    """Returns the folder of a tiny model, built from the parameters in its name."""

    def factory(layers: int = 2, hidden: int = 64, heads: int = 4, seed: int = 0, context: int = 4096) -> Path:
        return tiny_folder(cache_dir() / "models", layers, hidden, heads, seed, context)

    made: Path = plugins.call("model", "tiny", factory, parse_name(name).params)
    return made
