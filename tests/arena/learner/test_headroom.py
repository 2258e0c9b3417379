"""What a step keeps in memory, computed by hand for a small shape, and whether it fits."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from arena.inference.model_shape import ModelShape
from arena.learner.activations import activation_bytes, head_bytes, layer_bytes
from arena.learner.headroom import Headroom, free_bytes

SHAPE = ModelShape(
    layers=3, hidden=8, intermediate=20, heads=4, kv_heads=2, head_dim=3, vocabulary=50, tied=False, head_norm=False,
    bias=False, context=100,
)  # fmt: skip
"""12 numbers in all queries of a token, 6 in its keys"""
LAYER = 2 * 8 * (4 + 2 * 2) + 2 * (3 * 12 + 2 * 6) + 4 * 2 * 20
"""bytes of a token in bfloat16: norms, attention, feed-forward"""


def test_a_layer_keeps_its_norms_its_attention_and_its_products():
    assert LAYER == 384
    assert layer_bytes(SHAPE, 2) == LAYER
    assert layer_bytes(replace(SHAPE, head_norm=True), 2) == LAYER + (12 + 6) * (4 + 2)
    assert layer_bytes(SHAPE, 4) == 2 * 8 * (4 + 8) + 4 * (36 + 12) + 4 * 4 * 20


def test_recomputation_keeps_the_inputs_of_layers_and_one_layer():
    assert activation_bytes(SHAPE, 10, 2, recompute=False) == 10 * 4 * LAYER
    assert activation_bytes(SHAPE, 10, 2, recompute=True) == 10 * (3 * 8 * 2 + LAYER)


def test_the_output_layer_needs_buffers_for_a_chunk_and_the_gradient_of_its_weight():
    hidden = 3 * 10 * 8 * 2
    assert head_bytes(SHAPE, 10, 2, 4, whole=False) == 3 * 4 * 50 * 4 + hidden
    assert head_bytes(SHAPE, 10, 2, 64, whole=False) == 3 * 4 * 50 * 10 + hidden
    assert head_bytes(SHAPE, 10, 2, 0, whole=False) == 3 * 4 * 50 * 10 + hidden
    assert head_bytes(SHAPE, 10, 2, 0, whole=True) == 3 * 4 * 50 * 10 + hidden + 4 * 50 * 8


CONFIG = {
    "hidden_size": 8, "num_attention_heads": 4, "num_hidden_layers": 3, "vocab_size": 50, "intermediate_size": 20,
    "num_key_value_heads": 2, "head_dim": 3,
}  # fmt: skip


def room(config):
    made = SimpleNamespace(to_dict=lambda: config)
    return Headroom(SimpleNamespace(config=made, dtype=torch.bfloat16), torch.device("cpu"))


def test_activations_may_take_four_fifths_of_the_free_memory(monkeypatch):
    free = 10 * 4 * LAYER * 5 // 4
    for memory, holds in ((free, True), (free - 1, False)):
        monkeypatch.setattr("arena.learner.headroom.free_bytes", lambda _, memory=memory: memory)
        assert room(CONFIG).holds(10) == holds


@pytest.mark.parametrize(("config", "free"), [({}, 1), (CONFIG, None), ({}, None)])
def test_where_something_is_unknown_8192_tokens_are_kept(config, free, monkeypatch):
    monkeypatch.setattr("arena.learner.headroom.free_bytes", lambda _: free)
    assert [room(config).holds(tokens) for tokens in (8192, 8193)] == [True, False]


def test_free_memory_is_what_the_system_says(monkeypatch, tmp_path):
    assert 1 << 20 < (free_bytes(torch.device("cpu")) or 0) < 1 << 50
    table = tmp_path / "meminfo"
    table.write_text("MemTotal: 900 kB\nMemAvailable:   123 kB\nCached: 5 kB\n")
    monkeypatch.setattr("arena.learner.headroom.Path", lambda _: table)
    assert free_bytes(torch.device("cpu")) == 123 * 1024
    table.unlink()
    assert free_bytes(torch.device("cpu")) is None


def test_free_memory_of_a_gpu_includes_what_torch_has_reserved_and_does_not_use(monkeypatch):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (100, 1000))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 50)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _: 20)
    assert free_bytes(torch.device("cuda")) == 130
