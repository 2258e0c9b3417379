"""Tiny models of several architectures with random weights."""

from typing import Any

import torch

from arena.inference.huggingface import quiet
from tests import golden

WINDOW = 8
_ALL = golden.table(__file__, "architectures_all")
_EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16}
_MAMBA = {"mamba_n_heads": 4, "mamba_d_head": 16, "mamba_d_state": 8, "mamba_n_groups": 1}
COMPUTED: dict[str, dict[str, Any]] = {
    "Llama": {},
    "Qwen3": {"head_dim": 8},
    "Qwen3Moe": {"head_dim": 8, **_EXPERTS},
    "Mistral": {"head_dim": 8, "sliding_window": WINDOW},
    "Gemma3": {
        "head_dim": 8,
        "query_pre_attn_scalar": 8,
        "sliding_window": WINDOW,
        "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
    },
}
"""architectures that the trainer and the engine support; the last two have a sliding window"""
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "Lfm2": ({"layer_types": ["conv", "full_attention", "conv"]}, "conv"),
    "GraniteMoeHybrid": (
        {
            "layer_types": ["mamba", "attention", "mamba"],
            "num_local_experts": 4,
            "num_experts_per_tok": 2,
            "shared_intermediate_size": 16,
            "mamba_expand": 2,
            **_MAMBA,
        },
        "linear_attention",
    ),
    "FalconH1": ({"mamba_d_ssm": 64, **_MAMBA}, "hybrid"),
    "Phimoe": (
        {"sliding_window": WINDOW, "num_local_experts": 4},
        "a window of 8 tokens that does not reach the attention",
    ),
}
"""architectures that would be computed incorrectly, and words of the error"""


def made(name: str, **options: Any) -> Any:
    """A model in float32 on the CPU."""
    import transformers

    config = getattr(transformers, f"{name}Config", None) if name != "Gemma3" else transformers.Gemma3TextConfig
    with torch.random.fork_rng(), quiet():
        torch.manual_seed(1)
        return getattr(transformers, f"{name}ForCausalLM")(config(**_ALL | options)).eval()
