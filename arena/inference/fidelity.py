"""Whether a model is what its files say: every tensor has a place, every place a tensor, and all numbers are finite.

Every way into the product passes through here: `read` for a model in memory, and `check` for one that another program
reads, such as vLLM. Libraries report a partial load by a warning and fill the rest with random numbers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.inference import weights
from arena.inference.huggingface import LOCAL, loading
from arena.inference.weights import Stored, listed
from games import InputError

if TYPE_CHECKING:
    import torch

WRAPPERS = (
    ("_orig_mod.", "torch.compile"),
    ("_fsdp_wrapped_module.", "FSDP"),
    ("_checkpoint_wrapped_module.", "activation checkpointing"),
    ("_forward_module.", "Lightning"),
    ("module.", "DDP or DeepSpeed"),
    ("pretrained_model.", "TRL's model with a value head"),
    ("base_model.model.", "peft"),
)
"""what training tools leave in the names of tensors, and which tool"""
_HARMLESS = re.compile(
    r"rotary_emb\.inv_freq$|\.masked_bias$"  # buffers that older versions of transformers saved: Llama 2, DialoGPT
    r"|^v_head\."  # a value head of TRL, which no policy computes with
    r"|\.(k|v|q)_scale$|\.(k|v)_proj\.output_scale$"  # of a cache in 8 bits: FP8-KV checkpoints
    r"|(^|\.)mtp(\.|_)"  # predictors of several tokens: Qwen3-Next, MiMo
)
"""tensors of released models that their architecture does not read and does not miss"""
_SENSES = re.compile(
    r"(^|\.)(vision_tower|vision_model|visual|multi_modal_projector|audio_tower|embed_(vision|audio))\."
)
"""towers of a model that also reads pictures or sounds, loaded for text alone"""


def read(folder: Path, dtype: torch.dtype, device: torch.device) -> Any:
    """Returns the model in a folder, on a device, checked. Raises InputError."""
    from transformers import AutoModelForCausalLM

    stored = weights.of_model(folder)
    with loading(folder):
        model, report = AutoModelForCausalLM.from_pretrained(
            folder, dtype=dtype, use_safetensors=True, ignore_mismatched_sizes=True, output_loading_info=True, **LOCAL
        )
        _compare(folder, model, report, stored)
        model = model.to(device).eval()
    check_finite(folder, model)
    return model


def check(folder: Path, config: Any) -> Any:
    """Check a model as `read` does, for a program that reads it by itself. Raises InputError.

    Returns the model without numbers, on the device `meta`; None for a quantized one, whose layers are the program's.
    """
    stored = weights.of_model(folder)
    files = sorted({tensor.file for tensor in stored.values()})
    _check_numbers(folder, tuple((file, file.stat().st_mtime_ns) for file in files))
    return None if getattr(config, "quantization_config", None) else _shell(folder, config, stored)


def _shell(folder: Path, config: Any, stored: Stored) -> Any:
    """Returns a model on the device `meta` that has every tensor of the files in its place."""
    import torch
    from transformers import AutoModelForCausalLM

    with loading(folder):
        with torch.device("meta"):
            kind = type(AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16))
            tensors = {name: torch.empty(tensor.shape, dtype=torch.bfloat16) for name, tensor in stored.items()}
        text = config if kind.config_class is type(config) else config.get_text_config()
        model, report = kind.from_pretrained(
            None, config=text, state_dict=tensors, dtype=torch.bfloat16, device_map={"": "meta"},
            ignore_mismatched_sizes=True, output_loading_info=True, local_files_only=True,
        )  # fmt: skip
        _compare(folder, model, report, stored)
    return model


@lru_cache(maxsize=64)
def _check_numbers(folder: Path, files: tuple[tuple[Path, int], ...]) -> None:
    """Read the numbers of all files, once for every version of them: several engines load the same folder."""
    stored = {str(file): weights.StoredTensor(file, (), "") for file, _ in files}
    if names := [name for name in weights.not_finite(stored) if not _HARMLESS.search(name)]:
        raise InputError(not_finite_line(folder, names))


def check_finite(folder: Path, model: Any) -> None:
    """Raises InputError if parameters of a model hold NaN or infinite numbers."""
    names = [name for name, tensor in model.named_parameters() if not weights.is_finite(tensor)]
    if names:
        cure = "; use dtype=bf16" if str(model.dtype) == "torch.float16" else ""
        raise InputError(not_finite_line(folder, names) + cure)


def not_finite_line(folder: Path, names: Sequence[str]) -> str:
    """Returns the error message for tensors with NaN or infinite numbers."""
    return f"the weights in {str(folder)!r} hold NaN or infinite numbers: {listed(names)}"


def check_logits(folder: Path, model: Any) -> None:
    """Raises InputError if the logits of a short prompt are not finite, as in float16 if a product is too large."""
    import torch

    vocabulary = int(model.get_input_embeddings().weight.shape[0])
    ids = torch.arange(1, 9, device=model.device) * (vocabulary // 9)
    with torch.no_grad():
        logits = model(input_ids=ids[None], use_cache=False).logits
    if not weights.is_finite(logits):
        kind = str(model.dtype).removeprefix("torch.")
        cure = "use dtype=bf16 or fp32" if kind == "float16" else "its weights are damaged or not trained to the end"
        raise InputError(f"the model in {str(folder)!r} computes NaN or infinite logits in {kind}; {cure}")


def _compare(folder: Path, model: Any, report: Mapping[str, Any], stored: Stored) -> None:
    """Raises InputError if tensors and places differ, or if the configuration contradicts itself or the files."""
    kind = type(model).__name__
    senses = _has_senses(folder)
    buffers = {name for name, _ in model.named_buffers()}
    unexpected = [
        name
        for name in sorted(report["unexpected_keys"] - buffers)
        if not (_HARMLESS.search(name) or (senses and _SENSES.search(name)) or _predicts_ahead(name, model.config))
    ]
    missing = sorted(report["missing_keys"])
    shapes = [f"{name} is {tuple(a)} and must be {tuple(b)}" for name, a, b in sorted(report["mismatched_keys"])]
    if unexpected or missing or shapes:
        config = f"config.json beside them (model_type {model.config.model_type!r}, {kind})"
        parts = difference(stored, unexpected, missing, shapes)
        hint = prefix_hint(unexpected, set(model.state_dict())) or _cure(unexpected, missing, stored)
        raise InputError(f"the weights in {str(folder)!r} do not fit the {config}: {parts}; {hint}")
    if other := _other_architecture(model):
        raise InputError(
            f"config.json in {str(folder)!r} contradicts itself: model_type is {model.config.model_type!r}, and "
            f"architectures names {other}; correct the wrong one"
        )
    _compare_tied(folder, model, stored)


def difference(
    stored: Collection[str], unexpected: Sequence[str], missing: Sequence[str], shapes: Sequence[str]
) -> str:
    """Returns what does not fit, with counts and first names."""
    parts = []
    if unexpected:
        parts.append(f"tensors without a place: {len(unexpected)} of {len(stored)} ({listed(unexpected)})")
    if missing:
        parts.append(f"places without a tensor: {len(missing)} ({listed(missing)})")
    if shapes:
        parts.append(f"tensors of another shape: {len(shapes)} ({listed(shapes)})")
    return ", ".join(parts)


def prefix_hint(names: Collection[str], places: Collection[str] = ()) -> str:
    """Returns what to strip from the names of tensors so that they fit, and which tool left it; "" if nothing does."""
    left = [(mark, tool) for mark, tool in WRAPPERS if any(f".{mark}" in f".{name}" for name in names)]
    if left:
        marks = " and ".join(f"`{mark}`" for mark, _ in left)
        return f"saved from {' and '.join(tool for _, tool in left)}: strip {marks} from the names"
    firsts = {name.partition(".")[0] for name in names}
    if len(firsts) == 1 and len(names) > 1:
        first = f"{firsts.pop()}."
        if any(name.removeprefix(first) in places for name in names):
            return f"saved from a larger module: strip `{first}` from the names"
    return ""


def _cure(unexpected: Sequence[str], missing: Sequence[str], stored: Collection[str]) -> str:
    if not unexpected and missing == ["lm_head.weight"]:
        return "copy it too, or set tie_word_embeddings to true if the output layer is the embedding"
    if any("lora_" in name for name in unexpected):
        return "merge the adapter before you save the model"
    if unexpected and len(unexpected) >= len(stored) // 2:
        return "config.json is that of another model"
    return "save the whole model with save_pretrained, or correct config.json"


def _has_senses(folder: Path) -> bool:
    """Returns whether a model also reads pictures or sounds."""
    config = json.loads((folder / "config.json").read_bytes())
    return bool(config.keys() & {"vision_config", "audio_config", "thinker_config"})


def _predicts_ahead(name: str, config: Any) -> bool:
    """Returns whether a tensor belongs to the layers after the last that predict further tokens, as in DeepSeek V3."""
    text = config.get_text_config()
    ahead = getattr(text, "num_nextn_predict_layers", 0) or 0
    match = re.search(r"(?:^|\.)layers\.(\d+)\.", name)
    return match is not None and 0 <= int(match[1]) - int(text.num_hidden_layers) < int(ahead)


def _other_architecture(model: Any) -> str:
    """Returns the class that a configuration names beside a `model_type` of another class; "" if they agree."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    names: Iterable[Any] = MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values()
    for name in model.config.architectures or ():
        if name != type(model).__name__ and name in names:
            return str(name)
    return ""


def _compare_tied(folder: Path, model: Any, stored: Stored) -> None:
    """Raises InputError if weights that are one by the configuration differ: engines choose different ones."""
    for name, source in model.get_expanded_tied_weights_keys(all_submodels=True).items():
        if name not in stored or source not in stored:
            continue
        if not are_equal(stored, name, source):
            raise InputError(
                f"config.json in {str(folder)!r} says that {name} is {source} (tie_word_embeddings), but the file "
                "holds two different ones; set tie_word_embeddings to false"
            )


def are_equal(stored: Stored, one: str, other: str) -> bool:
    """Returns whether two tensors of the files have the same bytes."""
    import torch
    from safetensors import safe_open

    tensors = []
    for name in (one, other):
        with safe_open(stored[name].file, framework="pt") as file:
            tensors.append(file.get_tensor(name))
    first, second = tensors
    return first.shape == second.shape and torch.equal(first.view(torch.uint8), second.view(torch.uint8))
