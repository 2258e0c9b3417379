"""What a training step keeps for its backward pass, in bytes, from the shape of the model. It imports no torch."""

from __future__ import annotations

from arena.inference.model_shape import FLOAT32, ModelShape

_BUFFERS = 3
"""(rows, vocabulary) float32 numbers that the output layer needs at once, for each row of a chunk"""


def layer_bytes(shape: ModelShape, size: int) -> int:
    """Returns the bytes that a layer keeps for each token; `size`: bytes of a number of the model.

    Each norm keeps its input in float32, its result and the input of the products after it; attention its query, key,
    value and, in two layouts, its result; the feed-forward layers four states.
    """
    norms = 2 * shape.hidden * (FLOAT32 + 2 * size)
    heads = (shape.queries + shape.keys) * (FLOAT32 + size) if shape.head_norm else 0
    attention = size * (3 * shape.queries + 2 * shape.keys)
    return norms + heads + attention + 4 * size * shape.intermediate


def head_bytes(shape: ModelShape, tokens: int, size: int, rows: int, whole: bool) -> int:
    """Returns the bytes of the output layer; `rows` of a chunk, 0: all tokens; `whole`: its weight is trained."""
    buffers = _BUFFERS * FLOAT32 * shape.vocabulary * min(tokens, rows or tokens)
    return buffers + 3 * tokens * shape.hidden * size + (FLOAT32 * shape.embedding if whole else 0)


def activation_bytes(shape: ModelShape, tokens: int, size: int, *, recompute: bool) -> int:
    """Returns the most bytes that the layers keep for a micro-batch, with what one layer needs in its backward pass."""
    layer = layer_bytes(shape, size)
    kept = shape.hidden * size if recompute else layer
    return tokens * (shape.layers * kept + layer)


__all__ = ["activation_bytes", "head_bytes", "layer_bytes"]
