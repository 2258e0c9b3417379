"""From a model's name to its folder, and from the folder to a model in memory.

A name is a folder, a Hugging Face id, an embedded model (`arena.inference.convert`) or `tiny(...)`. Loading writes
nothing to the terminal: messages of the libraries go to `logging`, and progress bars are off.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from arena.cache import cache_dir
from arena.inference import adapters, dtypes, fidelity
from arena.inference.convert import EMBEDDED, INSTALL, embedded_folder
from arena.inference.huggingface import LOCAL, download, loading
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
    tokenizer, eos_ids = tokenizer_of(adapter or path)
    kind = getattr(torch, dtypes.DTYPES[dtype])
    model = fidelity.read(path, kind, target) if adapter is None else _adapted(path, adapter, kind, target, share)
    with loading(adapter or path):
        fidelity.check_logits(adapter or path, model)
    return LoadedModel(name, model, tokenizer, eos_ids, target)


def check(name: str) -> None:
    """Check a model's files as `load` does, for a program that loads them by itself. Raises InputError."""
    require_packages()
    path, adapter = _whole_weights(name)
    if adapter is None:
        fidelity.check(path, config_of(path))
    else:
        check_adapter(adapter)


def check_adapter(adapter: Path) -> None:
    """Check an adapter and its base as `load` does. Raises InputError."""
    base = base_folder(adapter)
    if (shell := fidelity.check(base, config_of(base))) is None:
        adapters.check(adapter)
    else:
        adapters.applied(shell, adapter)


def _adapted(path: Path, adapter: Path, dtype: torch.dtype, device: torch.device, share: bool) -> Any:
    """Returns the model in a folder with an adapter: merged, or beside weights that others share."""
    key = path, dtype, device
    share = share and not adapters.changes_base(adapter)
    base = _bases.get(key) if share else None
    if base is None:
        base = fidelity.read(path, dtype, device)
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
    return (base_folder(path), path) if adapters.find(path) == path else (path, None)


def base_folder(adapter: Path) -> Path:
    """Returns the folder of an adapter's base model. Raises InputError that names both."""
    name = adapters.base_of(adapter)
    try:
        base = folder(name)
    except InputError as error:
        raise InputError(f"the adapter in {str(adapter)!r} needs its base model: {error}") from error
    if adapters.find(base) == base:
        raise InputError(
            f"the base {name!r} of the adapter in {str(adapter)!r} is an adapter itself; merge it first: "
            f'arena export-model "llm(model={name})" --out FOLDER'
        )
    return base


def tokenizer_of(path: Path) -> tuple[Any, tuple[int, ...]]:
    """Returns the tokenizer of a model's folder, and the tokens that end an answer. Raises InputError.

    An adapter brings the tokenizer and the chat template that it was trained with; without them it has its base's.
    """
    from transformers import AutoTokenizer, GenerationConfig

    whole = base_folder(path) if adapters.find(path) == path else path
    config, home = config_of(whole), path if adapters.has_tokenizer(path) else whole
    eos = getattr(config, "eos_token_id", None)
    with loading(home, "tokenizer"):
        tokenizer = AutoTokenizer.from_pretrained(home, config=config, **LOCAL)
        if (whole / "generation_config.json").is_file():  # older folders have none
            eos = GenerationConfig.from_pretrained(whole, local_files_only=True).eos_token_id
    if eos is None and not tokenizer.all_special_ids:
        raise InputError(
            f"the tokenizer in {str(home)!r} has no token that ends an answer; set eos_token in tokenizer_config.json"
        )
    return tokenizer, tuple(eos) if isinstance(eos, (list, tuple)) else () if eos is None else (eos,)


def config_of(path: Path) -> Any:
    """Returns the configuration in a model's folder. Raises InputError."""
    from transformers import AutoConfig

    with loading(path):
        return AutoConfig.from_pretrained(path, **LOCAL)


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
