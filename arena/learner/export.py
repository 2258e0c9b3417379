"""Writes a trained model in the format that snapshots load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.learner.config import LoraConfig


def export_model(model: Any, lora: LoraConfig | None, folder: str | Path, tokenizer: Any, base: str = "") -> None:
    """Write the model as a Hugging Face folder with adapters merged.

    If adapters are trained and `base` names their base model, also write them into a subfolder, so that an engine can
    serve many of them from one base model.
    """
    from arena.inference import adapters
    from arena.inference.huggingface import quiet
    from arena.learner.lora import merged_state, save_adapter

    with quiet():
        model.save_pretrained(folder, state_dict=merged_state(model))
        tokenizer.save_pretrained(folder)
    if lora is not None and base:
        save_adapter(model, lora, base, Path(folder) / adapters.INSIDE)
