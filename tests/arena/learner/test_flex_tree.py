"""FlexAttention over a tree sees what the dense mask lets through. The forward pass runs on the CPU, without CUDA."""

import random
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch._dynamo.utils import counters
from torch.nn.attention.flex_attention import create_block_mask
from torch.nn.functional import scaled_dot_product_attention

from arena.learner import LossConfig, OptimizerConfig, TrainerConfig, attention, flex_tree, forward_pass
from arena.learner.attention import tree_attention, tree_of, verify_flex, verify_packing
from arena.learner.batch import merged
from arena.learner.flex_tree import BLOCK, FlexTree, _blocks, attend, compiled
from arena.learner.trainer import Trainer
from arena.learner.whole_model import WholeModel
from games import InputError
from tests.arena.learner import architectures
from tests.arena.learner.drawing import answers

pytestmark = pytest.mark.filterwarnings(
    "ignore:flex_attention called without torch.compile", "ignore:Guards may run slower on Python 3.13.0"
)


def tree(seed, size):
    """Random sequences with common prefixes, about `size` tokens merged and padded: ends, positions, last tokens."""
    rng = random.Random(seed)
    sequences: list[tuple[int, ...]] = []
    while sum(map(len, sequences)) < size:
        start = rng.choice(sequences)[: rng.randrange(1, 60)] if sequences and rng.random() < 0.7 else ()
        sequences.append((*start, *(rng.randrange(50) for _ in range(rng.randrange(1, 90)))))
    _, positions, ends, last = (torch.tensor(v) for v in merged(sequences, BLOCK))
    return ends, positions, last


def dense(ends, positions, window):
    """(N, N) bool: which query (row) sees which key."""
    index = torch.arange(len(ends))
    seen = (index <= index[:, None]) & (index[:, None] < ends)
    return seen & (positions[:, None] - positions < window) if window else seen


@pytest.mark.parametrize("window", [0, 1, 24, 200])
@pytest.mark.parametrize("size", [40, BLOCK, 700])
def test_it_equals_attention_under_the_dense_mask(size, window):
    ends, positions, _ = tree(size, size)
    flex = FlexTree(ends, positions)
    torch.manual_seed(1)
    q, k, v = torch.randn(1, 4, len(ends), 16), torch.randn(1, 2, len(ends), 16), torch.randn(1, 2, len(ends), 16)
    expected = scaled_dot_product_attention(
        q, k, v, attn_mask=dense(ends, positions, window), scale=0.3, enable_gqa=True
    )
    assert (attend(flex, q, k, v, window, 0.3) - expected).abs().max() < 2e-6
    assert flex.mask(window) is flex.mask(window)  # one mask for all layers


@pytest.fixture
def traced(monkeypatch):
    """FlexAttention is traced as for CUDA, also backward; counts the graphs that it needs."""
    monkeypatch.setattr("torch.nn.attention.flex_attention._validate_device", lambda *_: None)
    monkeypatch.setattr(flex_tree, "compiles", lambda query: True)
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend="eager"))

    def graphs(grad, sizes, window=0, heads=(4, 2), width=16, dtype=torch.float32):
        before = counters["stats"]["unique_graphs"]
        for size in sizes:
            ends, positions, _ = tree(size, size)
            states = [torch.randn(1, n, len(ends), width, dtype=dtype, requires_grad=grad) for n in (*heads, heads[1])]
            with torch.set_grad_enabled(grad):
                out = attend(FlexTree(ends, positions), *states, window, 0.3)
            if grad:
                out.sum().backward()
        return counters["stats"]["unique_graphs"] - before

    yield graphs
    compiled.cache_clear()


def test_every_variant_has_graphs_of_its_own(traced):
    """On CUDA every graph costs seconds. torch gives up after so many graphs of one code object."""
    with torch._dynamo.config.patch(recompile_limit=2):  # a single block is traced apart
        assert [traced(grad, (20, 300), window) for grad, window in ((True, 0), (False, 0), (False, 50))] == [2, 2, 2]


@pytest.mark.slow
def test_graphs_of_policies_windows_teachers_and_precisions_stay_within_the_limit(traced):
    sizes = (20, 90, 129, 300, 520, 700, 900, 1100)
    for variant in ({}, {"window": 50}, {"heads": (8, 4), "width": 32}, {"dtype": torch.bfloat16}):
        for grad in (False, True):
            assert traced(grad, sizes, **variant) == 2


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0, 1, 30, 150, 400]))
def test_no_visible_pair_is_in_a_skipped_block_and_no_hidden_one_in_a_whole_block(seed, window):
    flex = FlexTree(*tree(seed, 900)[:2])
    n = len(flex.ends) // BLOCK
    pairs = dense(flex.ends, flex.positions, window).view(n, BLOCK, n, BLOCK).transpose(1, 2)
    seen, whole = _blocks(flex.ends, flex.positions, window)
    assert not (pairs.flatten(2).any(-1) & ~seen).any()
    assert torch.equal(whole & seen, whole)
    assert not (whole & ~pairs.flatten(2).all(-1)).any()
    if not window:  # without a window they are exactly these
        assert torch.equal(pairs.flatten(2).any(-1), seen)


def test_the_blocks_are_those_that_torch_finds_in_the_whole_mask():
    ends, positions, _ = tree(3, 900)
    flex = FlexTree(ends, positions)
    size = len(flex.ends)
    theirs = create_block_mask(
        lambda _, __, q, k: (k <= q) & (q < flex.ends[k]), None, None, size, size, device="cpu", BLOCK_SIZE=BLOCK
    )
    ours = flex.mask(0)
    assert ours.shape == theirs.shape
    assert torch.equal(ours.to_dense(), theirs.to_dense())
    assert torch.equal(ours.kv_num_blocks, theirs.kv_num_blocks)
    assert torch.equal(ours.full_kv_num_blocks, theirs.full_kv_num_blocks)


@pytest.mark.parametrize("name", ["Qwen3", "Gemma3"])
def test_models_compute_the_same_logits(name):
    model: Any = architectures.made(name, **architectures.COMPUTED[name])
    rng = random.Random(0)
    rules = tuple(rng.randrange(60) for _ in range(70))
    sequences = [rules + tuple(rng.randrange(60) for _ in range(n)) for n in (5, 40, 90)]
    ids, positions, ends, last = (torch.tensor(v) for v in merged(sequences, BLOCK))
    found = []
    with torch.inference_mode(), tree_attention(model):
        for pattern in (tree_of(ends, positions, last, None), FlexTree(ends, positions)):
            inputs = {"input_ids": ids[None], "position_ids": positions[None], "logits_to_keep": last}
            found.append(model(**inputs, use_cache=False, tree=pattern).logits)
            windowed = pattern.windowed
    assert (found[0] - found[1]).abs().max() < 1e-5
    assert found[0].abs().max() > 0.01
    assert (windowed > 0) == (getattr(model.config, "sliding_window", None) is not None)


@pytest.mark.parametrize(
    ("name", "recompute"),
    [
        ("Qwen3", False),
        *(pytest.param(name, True, marks=pytest.mark.slow) for name in ("Gemma3", "Qwen3", "Llama")),
    ],
)
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")  # torch's own, while it traces
def test_a_step_has_the_gradient_of_attention_under_the_mask(name, recompute, monkeypatch):
    """torch refuses the backward pass of FlexAttention on the CPU, which computes it without that check."""
    optimizer = OptimizerConfig(lr=1e-3, token_budget=300, gradient_checkpointing=recompute, max_grad_norm=1e9)
    config = TrainerConfig(loss=LossConfig(kl=0.1, entropy=0.01, tau=0.1), recompute_old=True, optimizer=optimizer)
    samples = answers(8)
    gradients = []
    for flex in (False, True):
        trainer = Trainer(architectures.made(name, **architectures.COMPUTED[name]), config)
        if flex:
            monkeypatch.setattr("torch.nn.attention.flex_attention._validate_device", lambda *_: None)
            monkeypatch.setattr(forward_pass, "tile", lambda *_: BLOCK)
            monkeypatch.setattr(forward_pass, "tree_of", lambda ends, positions, *_: FlexTree(ends, positions))
        trainer.step(samples)
        moments = trainer.tensors()["optimizer"]  # after one step: the gradient times 1 - beta
        gradients.append(torch.cat([m.flatten() for n, m in sorted(moments.items()) if n.startswith("exp_avg:")]))
    assert float(gradients[0].norm()) > 0
    assert float((gradients[0] - gradients[1]).norm()) < 1e-5 * float(gradients[0].norm())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("Qwen3", 4), ("Gemma3", 8)])
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
def test_compiled_layers_have_the_same_gradient_and_one_graph_for_all_layers_that_are_alike(name, most, monkeypatch):
    """Traced as for CUDA, forward and backward; nothing is lowered. A graph has a window, a grad mode, and either one
    block of tokens or any number."""
    graphs = []

    def traced(module, inputs):
        graphs.append(module)
        return torch._dynamo.lookup_backend("aot_eager")(module, inputs)

    monkeypatch.setattr("torch.nn.attention.flex_attention._validate_device", lambda *_: None)
    monkeypatch.setattr(torch, "compile", partial(torch.compile, backend=traced))
    monkeypatch.setattr(forward_pass, "tile", lambda *_: BLOCK)
    monkeypatch.setattr(forward_pass, "tree_of", lambda ends, positions, *_: FlexTree(ends, positions))
    deep = architectures.COMPUTED[name] | {"num_hidden_layers": 6}
    if "layer_types" in deep:
        deep["layer_types"] = ["sliding_attention", "full_attention"] * 3
    gradients, losses = [], []
    for whole in (False, True):
        optimizer = OptimizerConfig(lr=1e-3, token_budget=300, compile_layers=whole, max_grad_norm=1e9)
        trainer = Trainer(architectures.made(name, **deep), TrainerConfig(recompute_old=True, optimizer=optimizer))
        losses.append(trainer.step(answers(3)).loss)
        moments = trainer.tensors()["optimizer"]
        gradients.append(torch.cat([m.flatten() for n, m in sorted(moments.items()) if n.startswith("exp_avg:")]))
    assert 2 <= len(graphs) <= most < 2 * 5  # of five layers
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    assert float((gradients[0] - gradients[1]).norm()) < 1e-5 * float(gradients[0].norm()) > 0
    assert "forward" not in vars(trainer.model.base_model.layers[0])  # an engine that shares the model never sees them


def test_without_a_gpu_it_is_refused():
    ends, positions, last = tree(1, 40)
    with pytest.raises(InputError, match="needs CUDA"):
        tree_of(ends, positions, last, None, "flex")
    with pytest.raises(InputError, match="needs CUDA"):
        verify_packing(architectures.made("Llama"), "flex")


def test_where_it_does_not_compile_the_message_names_the_setting(monkeypatch):
    def fails(*_):
        raise RuntimeError("no compiler\nmore lines")

    monkeypatch.setattr(attention, "verify", fails)
    monkeypatch.setattr(attention, "window_of", lambda model: None)
    on_gpu, on_cpu = (SimpleNamespace(device=torch.device(kind)) for kind in ("cuda", "cpu"))
    with pytest.raises(InputError, match='RuntimeError: no compiler; write attention = "sdpa"'):
        verify_packing(on_gpu)
    with pytest.raises(RuntimeError):
        verify_packing(on_gpu, "sdpa")
    with pytest.raises(RuntimeError):
        verify_packing(on_cpu)


def test_it_is_verified_on_the_device_of_a_divided_model(monkeypatch):
    """Its parts lie on GPUs; before that the whole model is on the CPU, where FlexAttention is not used."""
    model = architectures.made("Qwen3", **architectures.COMPUTED["Qwen3"])
    on_gpu, difference = torch.device("cuda"), attention._flex_difference(model, torch.device("cpu"))
    assert difference < 2e-6
    results = [0.0]
    monkeypatch.setattr(attention, "_flex_difference", lambda model, device: results[0])
    sharding = WholeModel()
    sharding.device = on_gpu
    config = TrainerConfig(optimizer=OptimizerConfig(attention="flex"))
    assert Trainer(model, config, sharding=sharding).device == on_gpu
    results[0] = 1.0
    with pytest.raises(InputError, match="its results differ by 1; write attention"):
        Trainer(model, config, sharding=sharding)
    verify_flex(model, "sdpa", on_gpu)
    with pytest.raises(InputError, match="needs CUDA"):
        verify_flex(model, "flex", torch.device("cpu"))


def test_all_layers_of_the_dense_tree_share_one_mask():
    ends, positions, last = tree(3, 40)
    made = tree_of(ends, positions, last, None, "sdpa")
    assert isinstance(made, attention.Tree)
    for chunk in made.chunks:
        whole = made.bias(chunk, None, torch.float32)
        assert made.bias(chunk, made.longest, torch.float32) is whole  # a window that hides nothing
        near = made.bias(chunk, 4, torch.float32)
        assert made.bias(chunk, 4, torch.float32) is near
        for bias, window in ((whole, None), (near, 4)):
            assert torch.equal(bias == 0.0, made.mask(chunk, window))
            assert torch.equal(bias == -torch.inf, ~made.mask(chunk, window))
        assert not torch.equal(whole, near)
