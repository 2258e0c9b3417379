"""Writes a trained model in the format that snapshots load."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.learner.config import LoraConfig


def export_model(model: Any, lora: LoraConfig | None, folder: str | Path, tokenizer: Any, base: str = "") -> None:
    """Writes what an engine loads as this model: its adapters, or a whole Hugging Face folder.

    If adapters are trained and `base` names their base model, so that any machine finds it, the folder holds the
    adapters alone: 5 MB instead of 269 MB for SmolLM2-135M. If `base` is a folder of this machine, it is a whole model
    with the adapters merged, and the adapters again in a subfolder, from which one engine serves many of them.
    """
    from arena.inference import adapters, weights
    from arena.inference.huggingface import quiet
    from arena.learner.lora import merged_state, save_adapter

    folder = Path(folder)
    if lora is not None and base and not Path(base).is_dir():
        save_adapter(model, lora, base, folder)
        return
    with quiet(), weights.writing(folder):
        model.save_pretrained(folder, state_dict=merged_state(model))
        tokenizer.save_pretrained(folder)
    if lora is not None and base:
        save_adapter(model, lora, base, folder / adapters.INSIDE)
