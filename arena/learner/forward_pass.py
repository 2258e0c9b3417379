"""What the trainer's model computes for packed samples, under its own weights or others.

Shapes: N tokens read, M tokens whose logits are kept, V vocabulary (see batch).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor

from arena.learner.attention import AnyTree, tile, tree_attention, tree_of
from arena.learner.batch import Batch, Group, pack
from arena.learner.chunked_head import ChunkSettings, HiddenStates, OtherPolicy, chunked_values
from arena.learner.compiled_layers import CompiledLayers
from arena.learner.config import OptimizerConfig
from arena.learner.distributions import TokenDistribution, TokenValues
from arena.learner.flex_tree import FlexTree
from arena.learner.headroom import Headroom
from arena.learner.last_layer_pruning import LastLayer, pruned_last_layer
from arena.learner.master_weights import MasterWeights
from arena.learner.output_layer import without_output_layer
from arena.learner.step_data import StepData
from arena.learner.whole_model import WholeModel

Output = Tensor | HiddenStates
"""logits (M, V), or what they are computed from"""
DENSE_BYTES = 64 << 20
"""Logits of at most this size are computed at once, which is faster."""


class ForwardPass:
    """Forward passes of a model. `chunked_head`: whether its output layer can be computed in chunks of rows."""

    def __init__(
        self, model: Any, settings: OptimizerConfig, weights: MasterWeights, sharding: WholeModel, chunked_head: bool
    ) -> None:
        self._model, self._settings, self._weights, self._sharding = model, settings, weights, sharding
        self.chunked_head = chunked_head
        device = sharding.device or next(model.parameters()).device
        self._headroom, self._flex = Headroom(model, device), tile(device, settings.attention) > 1
        self.last = LastLayer()
        self._layers = CompiledLayers(model) if settings.compile_layers and self._flex else None

    @contextmanager
    def prepared(self) -> Iterator[None]:
        """Inside the block the model uses tree attention and prunes its last layer."""
        layers = self._layers.used() if self._layers else nullcontext()
        with tree_attention(self._model), pruned_last_layer(self._model) as self.last, layers:
            yield

    @contextmanager
    def recomputing(self, batch: Batch) -> Iterator[None]:
        """Inside the block the backward pass recomputes activations, if the settings say so for this micro-batch.

        The model is in training mode then, because transformers ignores checkpointing otherwise.
        """
        if not self.recomputes(len(batch.ids)):
            yield
            return
        _checkpointing(self._model, "enable", {"use_reentrant": False})
        self._model.train()
        try:
            yield
        finally:
            _checkpointing(self._model, "disable")
            self._model.eval()

    def recomputes(self, tokens: int) -> bool:
        """Returns whether the backward pass of a micro-batch of so many tokens recomputes activations."""
        if self._settings.gradient_checkpointing:
            return True
        above = self._settings.checkpoint_above
        return not self._headroom.holds(tokens) if above is None else tokens > above

    def batch(self, data: StepData, groups: list[Group]) -> Batch:
        """Returns a micro-batch of a step."""
        multiple = tile(data.device, self._settings.attention)
        return pack(data.samples, groups, data.starts, multiple).to(data.device)

    def packed(self, data: StepData, groups: list[Group]) -> tuple[Batch, AnyTree]:
        """Returns a micro-batch of a step and its attention pattern."""
        batch, kind = self.batch(data, groups), self._settings.attention
        return batch, tree_of(batch.ends, batch.positions, batch.keep, self.last.index, kind)

    def output(self, batch: Batch, tree: AnyTree, other: dict[str, Tensor] | None = None) -> Output:
        """Returns what the model computes at the kept tokens, under the policy or under other weights."""
        if other is not None:
            with self._weights.replaced(other):
                return self.output(batch, tree)
        if not self.in_chunks(len(batch.keep)):
            return self._logits(batch, tree)
        with without_output_layer(self._model) as layer:
            hidden = self._logits(batch, tree)
        if torch.is_grad_enabled():
            return HiddenStates(hidden, layer.weight, layer.bias)
        # `replaced` exchanges the data of the parameters
        weight, bias = (None if t is None else self._sharding.kept(t.data) for t in (layer.weight, layer.bias))
        assert weight is not None
        return HiddenStates(hidden, weight, bias)

    def _logits(self, batch: Batch, tree: AnyTree) -> Tensor:
        """Returns (M, V) logits of the kept tokens."""
        self.last.keep = batch.keep
        if self._layers and isinstance(tree, FlexTree):
            self._layers.prepare(tree)
        logits: Tensor = self._model(
            input_ids=batch.ids[None],  # (1, N)
            position_ids=batch.positions[None],  # (1, N)
            use_cache=False,
            logits_to_keep=batch.keep,  # the output layer computes only these M tokens
            tree=tree,
        ).logits[0]
        return logits

    def in_chunks(self, kept: int) -> bool:
        """Returns whether the output layer is computed in chunks for M kept tokens."""
        if self._settings.head_fp32:  # whatever its size, so that all micro-batches have the same precision
            return self.chunked_head
        return self.chunked_head and kept * self._model.get_output_embeddings().weight.shape[0] * 4 > DENSE_BYTES

    def values(
        self,
        batch: Batch,
        policy: Output,
        reference: Output | None = None,
        magnet: Output | None = None,
        *,
        floor: float = 0.0,
        bonus: bool = False,
    ) -> list[TokenValues]:
        """Returns the values of the decision tokens of each element of `batch.rows`, from the outputs of each policy.

        floor: the share of the uniform distribution that is mixed into the magnet. bonus: whether entropies need
        gradients.
        """
        if isinstance(policy, HiddenStates):
            assert not isinstance(reference, Tensor)
            assert not isinstance(magnet, Tensor)
            settings = ChunkSettings(self._settings.rows_on(policy.hidden.device.type), self._settings.head_fp32)
            drawn = None if magnet is None else OtherPolicy(magnet, floor)
            return [chunked_values(policy, rows, reference, drawn, settings, bonus) for rows in batch.rows]
        assert not isinstance(reference, HiddenStates)
        assert not isinstance(magnet, HiddenStates)
        out = []
        for rows in batch.rows:
            mixed = None if magnet is None else TokenDistribution.of(magnet, rows).mixed(floor)
            start = None if reference is None else TokenDistribution.of(reference, rows)
            out.append(TokenDistribution.of(policy, rows).values(rows, start, mixed, bonus))
        return out


def _checkpointing(model: Any, verb: str, *args: Any) -> None:
    """Turn gradient checkpointing on or off; transformers 5.20 renamed the methods."""
    method = getattr(model, f"activation_checkpointing_{verb}", None) or getattr(
        model, f"gradient_checkpointing_{verb}"
    )
    method(*args)
