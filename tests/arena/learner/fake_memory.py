"""The peak memory of a whole training step, from fake tensors: shapes without values, in seconds and without a GPU."""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch._subclasses import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from arena.inference.model_shape import ModelShape
from arena.learner import Trainer, TrainerConfig, TurnSample, forward_pass
from arena.learner import attention as learner_attention
from arena.learner import trainer as learner_trainer
from arena.learner.flex_tree import FlexTree
from arena.learner.meter import Meter


class Peak(TorchDispatchMode):
    """Counts the bytes of all storages that are alive, and their most."""

    def __init__(self) -> None:
        super().__init__()
        self.held = self.most = 0
        self._alive: set[int] = set()

    def watch(self, tensor: torch.Tensor) -> None:
        """Count a tensor until its storage is freed."""
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        if key in self._alive:
            return
        self._alive.add(key)
        self.held += size
        self.most = max(self.most, self.held)
        weakref.finalize(storage, self._free, key, size)

    def _free(self, key: int, size: int) -> None:
        self._alive.discard(key)
        self.held -= size

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(out):
            if isinstance(tensor, torch.Tensor):
                self.watch(tensor)
        return out


def attend(tree: FlexTree, query: Any, key: Any, value: Any, window: int, scale: float | None) -> Any:
    """What FlexAttention keeps: its inputs, its result, and the sums of each row."""
    shared = query.shape[1] // key.shape[1]
    key, value = (t[:, :, None].expand(-1, -1, shared, -1, -1).flatten(1, 2) for t in (key, value))
    return torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(query, key, value, 0.0, True, scale=scale)[0]


def step_peak(monkeypatch: Any, shape: ModelShape, config: TrainerConfig, tokens: int) -> dict[str, int]:
    """The most bytes in a second step on answers of 2,000 tokens, and those held between two steps."""
    from transformers import Qwen3Config, Qwen3ForCausalLM

    settings = Qwen3Config(
        hidden_size=shape.hidden, intermediate_size=shape.intermediate, num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads, num_key_value_heads=shape.kv_heads, head_dim=shape.head_dim,
        vocab_size=shape.vocabulary, tie_word_embeddings=shape.tied,
    )  # fmt: skip
    for name in ("verify_packing", "verify_flex"):
        monkeypatch.setattr(learner_trainer, name, lambda *_: None)
    monkeypatch.setattr(learner_trainer, "has_plain_output_layer", lambda _: True)
    monkeypatch.setattr(learner_attention, "attend", attend)
    monkeypatch.setattr(forward_pass, "tile", lambda *_: 128)
    monkeypatch.setattr(forward_pass, "tree_of", lambda ends, positions, *_: FlexTree(ends, positions))
    monkeypatch.setattr(Trainer, "_apply", lambda self, lr: self.optimizer.step() or 1.0)
    monkeypatch.setattr(Meter, "end", lambda self, *_: self.begin(False))
    answer = tuple(range(10, 1810))
    samples = [
        TurnSample((n, *range(2, 200)), answer, (-5.0,) * 1800, None, 1.0, 1.0, ("a", "b", "c"))
        for n in range(tokens // 2000)
    ]
    with FakeTensorMode(allow_non_fake_inputs=True):
        torch.set_default_dtype(torch.bfloat16)
        try:
            model = Qwen3ForCausalLM(settings).eval()
        finally:
            torch.set_default_dtype(torch.float32)
        trainer, peak = Trainer(model, config), Peak()
        for tensor in (*model.parameters(), *trainer.weights.masters.values()):
            peak.watch(tensor)
        with peak:
            trainer.step(samples)
            between = peak.held
            peak.most = 0
            trainer.step(samples)
    return {"most": peak.most, "between": between}
