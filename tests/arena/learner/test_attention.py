"""The pattern of attention over a tree, pair by pair, and what is refused."""

from types import SimpleNamespace

import pytest
import torch

from arena.learner.attention import CHUNKS, Tree, chunks, tile, tree_attention, tree_of, verify_flex
from arena.learner.batch import merged
from arena.learner.flex_tree import BLOCK
from games import InputError

CPU = torch.device("cpu")
IDS, POSITIONS, ENDS, LAST = (torch.tensor(each) for each in merged([(1, 2, 3), (1, 2, 4, 5), (6,)]))
"""tokens 1 2 3, then 4 5 after 1 2, then 6 alone"""
SEES = ["1.....", "11....", "111...", "11.1..", "11.11.", ".....1"]


def pattern(made, window=None):
    """Which token sees which, from all chunks."""
    place = torch.arange(len(IDS))
    whole = torch.zeros(len(IDS), len(IDS), dtype=torch.bool)
    for chunk in made.chunks:
        whole[place[chunk.queries][:, None], place[chunk.keys]] = made.mask(chunk, window)
    return ["".join(".1"[int(see)] for see in row) for row in whole]


def test_sequences_are_merged_where_they_begin_alike():
    assert IDS.tolist() == [1, 2, 3, 4, 5, 6]
    assert POSITIONS.tolist() == [0, 1, 2, 2, 3, 0]
    assert ENDS.tolist() == [5, 5, 3, 5, 5, 6]
    assert LAST.tolist() == [2, 4, 5]
    ids, positions, ends, _ = merged([(1, 2, 3)], 4)
    assert (ids, positions, ends) == ([1, 2, 3, 0], [0, 1, 2, 0], [3, 3, 3, 4])
    assert merged([(1, 2, 3)], 3)[0] == [1, 2, 3]


@pytest.mark.parametrize("size", [1, 2, 4, None])
def test_each_token_sees_its_ancestors(size):
    made = Tree(chunks(ENDS, size=size), [], None, POSITIONS, 4)
    assert pattern(made) == SEES
    assert len(made.chunks) == -(-6 // (size or 6))


def test_a_window_hides_what_is_too_far_above():
    made = tree_of(ENDS, POSITIONS, LAST, None, "sdpa")
    assert isinstance(made, Tree)
    assert made.longest == 4
    assert pattern(made, 1) == ["1.....", ".1....", "..1...", "...1..", "....1.", ".....1"]
    assert pattern(made, 2) == ["1.....", "11....", ".11...", ".1.1..", "...11.", ".....1"]
    assert pattern(made, 3) == ["1.....", "11....", "111...", "11.1..", ".1.11.", ".....1"]
    for window in (4, 9, 0, None):
        assert pattern(made, window) == SEES
    (chunk,) = made.chunks
    assert made.mask(chunk, 4) is chunk.mask


def test_kept_tokens_have_chunks_of_their_own():
    made = tree_of(ENDS, POSITIONS, LAST, 5, "sdpa")
    assert isinstance(made, Tree)
    (chunk,) = made.kept
    assert torch.as_tensor(chunk.queries).tolist() == [2, 4, 5]
    assert made.last == 5
    assert tree_of(ENDS, POSITIONS, LAST, None, "sdpa").kept == []  # type: ignore[union-attr]


def test_chunks_have_256_queries_on_the_cpu_and_1024_on_a_gpu():
    assert CHUNKS == {"cpu": 256, "cuda": 1024}
    ends = torch.full((600,), 600)
    assert [len(chunk.mask) for chunk in chunks(ends)] == [256, 256, 88]


def test_a_gpu_needs_whole_blocks_for_flex_attention():
    gpu = torch.device("cuda", 0)
    assert [tile(gpu, kind) for kind in ("auto", "flex", "sdpa")] == [BLOCK, BLOCK, 1]
    assert {tile(CPU, kind) for kind in ("auto", "flex", "sdpa")} == {1}
    assert BLOCK == 128


def test_flex_needs_a_gpu():
    with pytest.raises(InputError, match="needs CUDA"):
        tree_of(ENDS, POSITIONS, LAST, None, "flex")
    with pytest.raises(InputError, match="needs CUDA"):
        verify_flex(None, "flex", CPU)
    verify_flex(None, "auto", CPU)
    verify_flex(None, "sdpa", torch.device("cuda"))


@pytest.mark.parametrize(
    ("options", "fits"), [({"softcap": 30.0}, False), ({"s_aux": torch.zeros(1)}, False), ({"softcap": None}, True)]
)
def test_capped_attention_and_sinks_are_refused(options, fits, loaded):
    from transformers import AttentionInterface

    made = tree_of(ENDS, POSITIONS, LAST, None, "sdpa")
    states = torch.randn(1, 2, 6, 4, generator=torch.Generator().manual_seed(0))
    layer = torch.nn.Module()
    with tree_attention(loaded.model):
        attend = AttentionInterface()["arena_tree"]
        if fits:
            out, _ = attend(layer, states, states, states, None, tree=made, **options)
            assert out.shape == (1, 6, 2, 4)
            assert torch.allclose(out[0, 5], states[0, :, 5])  # a token that sees only itself
        else:
            with pytest.raises(InputError, match="capped attention or attention sinks"):
                attend(layer, states, states, states, None, tree=made, **options)


def test_layers_with_a_window_are_counted(loaded):
    from transformers import AttentionInterface

    made = tree_of(ENDS, POSITIONS, LAST, None, "sdpa")
    states, layer = torch.randn(1, 1, 6, 4), torch.nn.Module()
    with tree_attention(loaded.model):
        for window in (2, None, 0, 3):
            AttentionInterface()["arena_tree"](layer, states, states, states, None, tree=made, sliding_window=window)
    assert made.windowed == 2


def test_a_model_without_an_interface_for_attention_is_refused(loaded):
    class Other:
        pass

    with pytest.raises(InputError, match="Other cannot be trained"), tree_attention(Other()):
        pass
    before = loaded.model.config._attn_implementation
    with tree_attention(loaded.model):
        assert loaded.model.config._attn_implementation != before
    assert loaded.model.config._attn_implementation == before


@pytest.mark.parametrize(("dtype", "most"), [(torch.float32, 1e-3), (torch.bfloat16, 0.1)])
def test_flex_attention_may_differ_by_rounding(dtype, most, monkeypatch):
    model, difference = SimpleNamespace(dtype=dtype), [most]
    monkeypatch.setattr("arena.learner.attention._flex_difference", lambda model, device: difference[0])
    verify_flex(model, "flex", torch.device("cuda"))
    verify_flex(model, "auto", torch.device("cuda"))
    difference[0] = 1.01 * most
    with pytest.raises(InputError, match=r'results differ by .*; write attention = "sdpa"'):
        verify_flex(model, "auto", torch.device("cuda"))

    def broken(model, device):
        raise RuntimeError("no kernel\nin two lines")

    monkeypatch.setattr("arena.learner.attention._flex_difference", broken)
    with pytest.raises(InputError, match="does not run here: RuntimeError: no kernel; write"):
        verify_flex(model, "auto", torch.device("cuda"))
