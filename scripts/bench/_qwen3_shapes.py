"""Randomly initialised models with the shapes of Qwen3, so that a benchmark needs no download."""

from __future__ import annotations

from typing import Any

import torch

SHAPES: dict[str, dict[str, int]] = {
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4},
    "0.6b": {"hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16},
    "1.7b": {"hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28, "num_attention_heads": 16},
    "4b": {"hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, "num_attention_heads": 32},
}


def config_of(size: str, **more: Any) -> Any:
    """The configuration of a size."""
    from transformers import Qwen3Config

    small = size == "tiny"
    return Qwen3Config(
        **SHAPES[size] | more,
        num_key_value_heads=2 if small else 8,
        head_dim=16 if small else 128,
        vocab_size=512 if small else 151_936,
        max_position_embeddings=40_960,
        rope_parameters={"rope_type": "default", "rope_theta": 1e6},
        tie_word_embeddings=True,
    )


def model_of(size: str, dtype: torch.dtype, device: str, seed: int = 0, **more: Any) -> Any:
    """A model of a size, initialised on the device."""
    from transformers import Qwen3ForCausalLM

    torch.manual_seed(seed)
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device(device):
            model = Qwen3ForCausalLM(config_of(size, **more))
    finally:
        torch.set_default_dtype(before)
    return model.to(device).eval()
