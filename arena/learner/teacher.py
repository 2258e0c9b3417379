"""A frozen model whose probabilities a loss imitates."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from arena.learner.attention import tree_attention, tree_of, verify_packing
from arena.learner.batch import Batch
from arena.learner.chunked_head import ChunkSettings, HiddenStates, chunked_values
from arena.learner.config import OptimizerConfig
from arena.learner.distributions import TokenDistribution
from arena.learner.output_layer import has_plain_output_layer, without_output_layer
from games import InputError


class Teacher:
    """Computes log probabilities of sampled tokens under another model.

    Raises InputError if there is no model, if it reads other token ids than the policy `student`, or if it would
    compute packed sequences incorrectly.
    """

    def __init__(self, model: Any, student: Any, loss: str, optimizer: OptimizerConfig) -> None:
        if model is None:
            raise InputError(f'loss {loss!r} needs a teacher: set teacher = "MODEL" under [loss]')
        size, teacher_size = (m.get_output_embeddings().weight.shape[0] for m in (student, model))
        if size > teacher_size:
            raise InputError(
                f"the teacher has {teacher_size} token ids and the policy {size}; choose a teacher of its family"
            )
        verify_packing(model, optimizer.attention)
        self._optimizer = optimizer
        self.model = model.requires_grad_(False).eval()
        self._plain = has_plain_output_layer(model)

    @torch.no_grad()
    def logps(self, batch: Batch) -> list[Tensor]:
        """Returns (K,) log probabilities of the decision tokens of each element of `batch.rows`."""
        inputs: dict[str, Any] = {
            "input_ids": batch.ids[None],
            "position_ids": batch.positions[None],
            "use_cache": False,
            "logits_to_keep": batch.keep,
            "tree": tree_of(batch.ends, batch.positions, batch.keep, None, self._optimizer.attention),
        }
        with tree_attention(self.model):
            if not self._plain:
                logits = self.model(**inputs).logits[0]
                return [TokenDistribution.of(logits, rows).sampled(rows) for rows in batch.rows]
            with without_output_layer(self.model) as layer:
                states = HiddenStates(self.model(**inputs).logits[0], layer.weight, layer.bias)
        settings = ChunkSettings(self._optimizer.rows_on(batch.ids.device.type), fp32=False)
        return [chunked_values(states, rows, None, None, settings, bonus=False).logp for rows in batch.rows]
