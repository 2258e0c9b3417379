"""Whether a model computes sequences packed into a tree as it computes each of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from arena.inference.layers import verify, window_of
from arena.learner.attention import tree_attention, tree_of
from arena.learner.batch import merged


def verify_packing(model: Any) -> None:
    """Raise InputError where it does not: before anything is played."""

    def ends(sequences: Sequence[tuple[int, ...]]) -> tuple[Tensor, int]:
        ids, positions, past_last, places = (torch.tensor(v, device=model.device) for v in merged(sequences))
        tree = tree_of(past_last, positions, places, None)
        with tree_attention(model):
            out = model(
                input_ids=ids[None], position_ids=positions[None], use_cache=False, logits_to_keep=places, tree=tree
            )
        return out.logits[0], tree.windowed

    verify(model, window_of(model), ends)
