"""Low-rank adapters injected into the model's layers, so that an engine that shares the module uses them."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from arena.learner.config import LoraConfig
from games import MissingPackage


def add_lora(model: Any, config: LoraConfig, seed: int) -> None:
    """Inject adapters and make them the only trainable parameters. Raises MissingPackage without peft."""
    if importlib.util.find_spec("peft") is None:
        raise MissingPackage("training with LoRA", "peft", "'selfplay-arena[lora]'")
    import peft

    settings = peft.LoraConfig(
        r=config.rank, lora_alpha=config.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        peft.inject_adapter_in_model(settings, model)
    model.eval()
    for name, param in model.named_parameters():
        param.requires_grad_("lora_" in name)


def has_no_gradient(model: Any) -> bool:
    """Returns whether no adapter can learn because all weights of the output layer are 0, as in an untrained model."""
    weight = getattr(model.get_output_embeddings(), "weight", None)
    return weight is not None and not weight.requires_grad and not bool(weight.any())


@torch.no_grad()
def merged_state(model: Any) -> dict[str, Tensor]:
    """Returns the model's state with every adapter merged into its layer, under the names without adapters."""
    layers = {name: module for name, module in model.named_modules() if hasattr(module, "get_delta_weight")}
    out = {}
    for name, tensor in model.state_dict().items():
        if ".lora_" in name or name.startswith("lora_"):
            continue
        layer, _, leaf = name.rpartition(".base_layer.")
        if layer and leaf == "weight":
            delta = layers[layer].get_delta_weight("default")
            tensor = (tensor.float() + delta.float()).to(tensor.dtype)
        out[f"{layer}.{leaf}" if layer else name] = tensor
    return out


def save_adapter(model: Any, config: LoraConfig, base: str, folder: Path) -> None:
    """Write the adapters alone in peft's format, so that one engine can serve many of them from one base model.

    `base` is the name of the base model.
    """
    write_adapter({n: t for n, t in model.state_dict().items() if ".lora_" in n}, config, base, folder)


def write_adapter(tensors: Mapping[str, Tensor], config: LoraConfig, base: str, folder: Path) -> None:
    """Write adapters in peft's format. `tensors` are the trained parameters by the names that `add_lora` gives them."""
    from arena.inference import tensor_file
    from arena.inference.adapters import CONFIG, WEIGHTS

    folder.mkdir(parents=True, exist_ok=True)
    adapters = {f"base_model.model.{n.replace('.default.', '.')}": t for n, t in tensors.items()}
    tensor_file.write(folder / WEIGHTS, adapters, {"format": "pt"})
    settings = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": base,
        "r": config.rank,
        "lora_alpha": config.alpha,
        "target_modules": sorted({n.partition(".lora_")[0].rpartition(".")[2] for n in tensors}),
        "bias": "none",
        "lora_dropout": 0.0,
        "inference_mode": True,
    }
    (folder / CONFIG).write_text(json.dumps(settings, indent=1), encoding="utf-8")
