"""LoRA adapters on disk in peft's format: a folder with `adapter_config.json` and safetensors.

The folder of a model is either an adapter itself, or a whole model with an adapter in the subfolder `adapter`. That
adapter holds the same weights as a difference from the base model, so that one engine can serve many of them.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

from arena.inference import fidelity, weights
from arena.inference.huggingface import loading
from arena.inference.weights import Stored, listed
from games import InputError, MissingPackage

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
INSIDE = "adapter"
SHARED_FROM = 1_000_000_000
"""bytes of a base from which on its adapters are not merged on transformers but share it: an adapter that is not merged
makes a row of SmolLM2-135M, 0.27 GB, take 1.4 times as long"""
_PREFIX = "base_model.model."
"""before the name of every tensor that peft saves"""
_HALVES = (("lora_A", "lora_B"), ("lora_embedding_A", "lora_embedding_B"))
_SHAPES = re.compile(r"size mismatch for (\S+): .*?Size\(\[(.*?)\]\).*?Size\(\[(.*?)\]\)", re.DOTALL)
"""torch's words for a tensor of another shape: its name, the shape in the file, that of the model"""


def find(path: Path) -> Path | None:
    """Returns the adapter that is or lies in a model's folder, or None.

    One inside a model does not count if its base is no whole model on this machine: the model needs no base.
    """
    if (path / CONFIG).is_file():
        return path
    inside = path / INSIDE
    return inside if (inside / CONFIG).is_file() and not _lacks_base(inside) else None


def _lacks_base(adapter: Path) -> bool:
    """Returns whether the folder of the base is on another machine, or the base is an adapter itself."""
    try:
        base = Path(base_of(adapter))
    except InputError:  # loading it reports the fault
        return False
    return base.is_absolute() and (not base.is_dir() or (base / CONFIG).is_file())


def base_of(adapter: Path) -> str:
    """Returns the name of an adapter's base model. Raises InputError."""
    name = _read(adapter, "base_model_name_or_path")
    if not isinstance(name, str) or not name:
        raise InputError(
            f"the adapter in {str(adapter)!r} names no base model: base_model_name_or_path in {CONFIG} is {name!r}; "
            "write the folder or the Hugging Face id of its base there"
        )
    return name


def rank_of(adapter: Path) -> int:
    """Returns the rank of an adapter. Raises InputError."""
    rank = _read(adapter, "r")
    if not isinstance(rank, int):
        raise InputError(f"the rank r in {adapter / CONFIG} is {rank!r}; it must be a whole number")
    return rank


def has_tokenizer(adapter: Path) -> bool:
    """Returns whether an adapter brings the tokenizer that it was trained with, as those of TRL do."""
    return (adapter / "tokenizer_config.json").is_file()


def check(adapter: Path) -> Stored:
    """Returns the tensors of an adapter without its base. Raises InputError if they are not those of a LoRA adapter."""
    stored = weights.of_adapter(adapter, WEIGHTS)
    kind = str(_read(adapter, "peft_type"))
    if fault := _fault(stored, lora=kind == "LORA"):
        raise InputError(f"the adapter in {str(adapter)!r} does not fit its base: {fault}")
    if names := weights.not_finite(stored):
        raise InputError(fidelity.not_finite_line(adapter, names))
    return stored


def _fault(stored: Stored, *, lora: bool) -> str:
    """Returns what the names of an adapter's tensors show without its base; "" if nothing is wrong."""
    if wrong := [n for n in stored if fidelity.prefix_hint([n.replace(_PREFIX, "", 1)])]:
        hint = fidelity.prefix_hint([n.replace(_PREFIX, "", 1) for n in wrong])
        return f"{fidelity.difference(stored, wrong, (), ())}; {hint}"
    if wrong := [n for n in stored if lora and not n.startswith(_PREFIX)]:
        return f"{fidelity.difference(stored, wrong, (), ())}; peft writes `{_PREFIX}` before every name: put it there"
    if lora and not any("lora_" in name for name in stored):
        return f"none of its {len(stored)} tensors is one of LoRA{f': {listed(sorted(stored))}' if stored else ''}"
    matrices = [name for name in stored if not name.endswith(".bias")]  # lora_B alone may have one
    for halves in _HALVES:
        for one, other in (halves, halves[::-1]):
            if lost := [n for n in matrices if f".{one}." in n and n.replace(f".{one}.", f".{other}.") not in stored]:
                return f"{len(lost)} of {len(stored)} tensors lack their {other} ({listed(sorted(lost))})"
    return ""


def merged(model: Any, adapter: Path) -> Any:
    """Returns the model with the adapter merged into its weights. Raises InputError, MissingPackage without peft."""
    from torch.nn import Parameter

    with loading(adapter, "adapter"):
        made = applied(model, adapter)
        if not _is_tied(model):
            return made.merge_and_unload()
        for end in (made.get_input_embeddings(), made.get_output_embeddings()):
            if hasattr(end, "lora_A"):  # its matrices change this end alone
                end.base_layer.weight = Parameter(end.base_layer.weight.detach().clone())
        out = made.merge_and_unload()
        out.config.get_text_config().tie_word_embeddings = (
            out.get_input_embeddings().weight is out.get_output_embeddings().weight
        )
        return out


def beside(base: Any, adapter: Path) -> Any:
    """Returns a model of its own that computes with the adapter and shares the weights of its base.

    It computes what the trainer's module computes, adapters in the precision of the base. Raises as `merged` does.
    """
    tensors = {id(tensor): tensor for tensor in (*base.parameters(), *base.buffers())}
    model = applied(copy.deepcopy(base, tensors), adapter, autocast_adapter_dtype=False).get_base_model()
    return model.requires_grad_(False)


def changes_base(adapter: Path) -> bool:
    """Returns whether an adapter replaces weights of its base: trained embeddings, or the rest that PiSSA leaves."""
    return _begins_in_base(adapter) or any("lora_" not in name for name in weights.of_adapter(adapter, WEIGHTS))


def _begins_in_base(adapter: Path) -> bool:
    """Returns whether an adapter began as a part of its base, which peft takes out of the base again: PiSSA, OLoRA."""
    begin = _read(adapter, "init_lora_weights", True)
    return isinstance(begin, str) and begin not in ("gaussian", "eva", "orthogonal")


def check_plain(adapter: Path) -> None:
    """Raises InputError for an adapter that is more than LoRA matrices, which vLLM doesn't play."""
    more = [key for key in ("use_dora", "modules_to_save", "trainable_token_indices") if _read(adapter, key, None)]
    more += ["init_lora_weights"] * _begins_in_base(adapter)
    if more or changes_base(adapter):
        what = f"{more[0]} in its {CONFIG}" if more else "tensors that replace weights of its base"
        raise InputError(f"vLLM can't play the adapter in {str(adapter)!r}: it has {what}; use engine=transformers")


def applied(model: Any, adapter: Path, **options: bool) -> Any:
    """Returns a model with an adapter, as peft's module. The model may be one without numbers, on the device `meta`.

    Raises InputError unless every tensor of the file has its place and every place its tensor.
    """
    if importlib.util.find_spec("peft") is None:
        raise MissingPackage("a model with an adapter", "peft", "'selfplay-arena[lora]'")
    import peft

    kind = str(_read(adapter, "peft_type"))
    if kind not in peft.PeftType.__members__ or issubclass(
        peft.PEFT_TYPE_TO_CONFIG_MAPPING[kind], peft.PromptLearningConfig
    ):
        raise InputError(
            f"the adapter in {str(adapter)!r} is of the kind {kind!r}, which has no weights to add; use LoRA"
        )
    stored = check(adapter)
    with loading(adapter, "adapter"):
        config = peft.PeftConfig.from_pretrained(adapter)
        config.inference_mode = True
        _resize(model, stored)
        ends = _ends(model)
        options["low_cpu_mem_usage"] = model.device.type == "meta"
        made = peft.MODEL_TYPE_TO_PEFT_MODEL_MAPPING.get(config.task_type, peft.PeftModel)(model, config, **options)
        lacks, extra, shapes = _load(made, adapter, stored, ends, options)
    if lacks or extra or shapes:
        parts = fidelity.difference(stored, extra, lacks, shapes)
        base = f"{base_of(adapter)!r} ({type(model).__name__})"
        raise InputError(
            f"the adapter in {str(adapter)!r} does not fit its base {base}: {parts}; it was made for another base, or "
            f"its {CONFIG} is another one's"
        )
    return made.eval()


def _resize(model: Any, stored: Stored) -> None:
    """Give a model the vocabulary of an adapter that holds both ends of it whole, as after new tokens were added."""
    rows = {_rows(name, stored) for name in _ends(model)}
    if _is_tied(model):
        rows -= {0}  # one end is both
    if len(rows) == 1 and (size := rows.pop()) and size != model.get_input_embeddings().weight.shape[0]:
        model.resize_token_embeddings(size, mean_resizing=False)


def _ends(model: Any) -> list[str]:
    """Returns the names of the embedding and of the output layer."""
    ends = [id(end) for end in (model.get_input_embeddings(), model.get_output_embeddings())]
    return [name for name, module in model.named_modules() if id(module) in ends]


def _is_tied(model: Any) -> bool:
    return bool(model.config.get_text_config().tie_word_embeddings)


def _rows(layer: str, stored: Stored) -> int:
    """Returns the number of rows of a layer that an adapter holds whole; 0 if it does not."""
    whole = re.compile(re.escape(f"{_PREFIX}{layer}.") + r"(base_layer\.|token_adapter\.base_layer\.)?weight")
    return next((tensor.shape[0] for name, tensor in stored.items() if whole.fullmatch(name) and tensor.shape), 0)


def _load(
    made: Any, adapter: Path, stored: Stored, ends: list[str], options: dict[str, bool]
) -> tuple[list[str], list[str], list[str]]:
    """Have peft load an adapter; returns places without a tensor, tensors without a place, and other shapes."""
    try:
        result = made.load_adapter(adapter, "default", **options)
    except KeyError as error:  # a module that is saved as a whole
        return [str(error.args[0])], [], []
    except RuntimeError as error:
        if shapes := _SHAPES.findall(str(error)):
            return [], [], [f"{n.replace('.default.', '.')} is ({a}) and must be ({b})" for n, a, b in shapes]
        raise
    lacks = sorted(key.replace(".default.", ".") for key in result.missing_keys)
    return lacks, sorted(n for n in result.unexpected_keys if not _is_copy(n, stored, ends)), []


def _is_copy(name: str, stored: Stored, ends: list[str]) -> bool:
    """Returns whether peft wrote a tensor twice: of a resized layer that is saved as a module, or of tied layers."""
    firsts = [name.replace(".modules_to_save.", "."), *(name.replace(f".{ends[-1]}.", f".{end}.") for end in ends)]
    return any(first != name and first in stored and fidelity.are_equal(stored, first, name) for first in firsts)


_NEEDED: Any = object()


def _read(adapter: Path, key: str, default: Any = _NEEDED) -> Any:
    """Returns a value of an adapter's configuration. Raises InputError if it is missing and there is no default."""
    try:
        config = json.loads((adapter / CONFIG).read_text(encoding="utf-8"))
        return config[key] if default is _NEEDED else config.get(key, default)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        why = weights.damaged_file(adapter) or type(error).__name__
        raise InputError(f"cannot read {key!r} in {adapter / CONFIG}: {why}") from None
