"""The shape of a decoder-only model, and what follows from it without its weights: parameters and bytes.

Nothing here imports a tensor library, so that a plan of memory is made before anything is loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FLOAT32 = 4


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The sizes of a dense decoder with gated feed-forward layers: Llama, Qwen, SmolLM."""

    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    tied: bool
    """whether the output layer is the embedding"""
    head_norm: bool = False
    """whether each head's query and key are normalised (Qwen3)"""
    bias: bool = False
    """whether the projections to query, key and value have biases (Qwen2)"""
    context: int = 32_768
    """maximum tokens of a sequence"""

    @property
    def queries(self) -> int:
        """Width of all queries of a token."""
        return self.heads * self.head_dim

    @property
    def keys(self) -> int:
        """Width of all keys of a token; that of the values."""
        return self.kv_heads * self.head_dim

    @property
    def embedding(self) -> int:
        """Parameters of the embedding, and of an output layer."""
        return self.vocabulary * self.hidden

    @property
    def layer(self) -> int:
        """Parameters of a layer."""
        products = self.hidden * (2 * self.queries + 2 * self.keys + 3 * self.intermediate)
        biases = self.queries + 2 * self.keys if self.bias else 0
        return products + biases + 2 * self.hidden + (2 * self.head_dim if self.head_norm else 0)

    @property
    def parameters(self) -> int:
        """Parameters of the model; tied ones count once."""
        return self.layers * self.layer + self.embedding * (1 if self.tied else 2) + self.hidden

    def adapter(self, rank: int) -> int:
        """Returns the parameters of a LoRA adapter of this rank on all linear layers."""
        d, q, k, f = self.hidden, self.queries, self.keys, self.intermediate
        sides = 2 * (d + q) + 2 * (d + k) + 3 * (d + f)
        return self.layers * rank * sides

    def kv_bytes(self, size: int) -> int:
        """Returns the bytes of keys and values that a token keeps; `size`: bytes of a number."""
        return 2 * self.layers * self.keys * size


def shape_of_config(config: Mapping[str, Any]) -> ModelShape | None:
    """Returns the shape that a `config.json` describes; None if it lacks what a dense decoder has."""
    try:
        hidden, heads = int(config["hidden_size"]), int(config["num_attention_heads"])
        layers, vocabulary = int(config["num_hidden_layers"]), int(config["vocab_size"])
        intermediate = int(config["intermediate_size"])
    except (KeyError, TypeError, ValueError):
        return None
    kind = str(config.get("model_type", ""))
    return ModelShape(
        layers=layers,
        hidden=hidden,
        intermediate=intermediate,
        heads=heads,
        kv_heads=int(config.get("num_key_value_heads") or heads),
        head_dim=int(config.get("head_dim") or hidden // heads),
        vocabulary=vocabulary,
        tied=bool(config.get("tie_word_embeddings", False)),
        head_norm=kind == "qwen3",
        bias=kind == "qwen2" or bool(config.get("attention_bias", False)),
        context=int(config.get("max_position_embeddings") or 32_768),
    )


__all__ = ["FLOAT32", "ModelShape", "shape_of_config"]
