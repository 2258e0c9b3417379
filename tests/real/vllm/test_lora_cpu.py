"""The kernel for LoRA adapters on the CPU, compared with separate products for every token."""

import functools
import itertools

import pytest

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(2400)]

SLOTS = 8
SHAPES = {  # in, rank, outs; the kernel processes 16 numbers at a time
    "smaller than a vector": (12, 4, (10, 6)),
    "whole vectors": (64, 16, (48, 16, 16)),
    "whole vectors and some more": (40, 24, (33, 70)),
    "rank 1": (31, 1, (17,)),
}
BATCHES = {
    "no adapter": [-1] * 5,
    "one adapter for all": [3] * 7,
    "one adapter for some": [-1, 3, 3, -1, 3],
    "decoding, all mixed": [i % SLOTS for i in range(37)],
    "decoding, some without": [i % (SLOTS + 1) - 1 for i in range(40)],
    "one token": [0],
    "very different numbers of tokens": [5] * 200 + [1, 2] + [7] * 33 + [1] + [-1] * 3 + [5] * 9,
    "only the last slot is long": [0, 1, 2, 3, *[7] * 300],
}


@pytest.fixture
def batch(request):
    import torch

    return torch.tensor(BATCHES[request.param])


@pytest.mark.parametrize("batch", BATCHES, ids=str, indirect=True)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("dtype", "near"), [("float32", 1e-5), ("bfloat16", 1e-2)])
def test_every_token_uses_its_own_adapter(batch, shape, dtype, near):
    import torch

    from arena.inference.vllm.cpu.lora import ChunkLora, chunks

    wide, rank, outs = SHAPES[shape]
    torch.manual_seed(len(batch))
    made = functools.partial(torch.randn, dtype=getattr(torch, dtype))
    # Wider than the slices, because vLLM passes parts of larger tensors.
    y, x = made(len(batch), sum(outs) + 5)[:, : sum(outs)], made(len(batch), wide)
    a, b = tuple(made(SLOTS, 1, rank, wide) for _ in outs), tuple(made(SLOTS, 1, out + 3, rank) for out in outs)
    wanted = y.double()
    for row, slot in enumerate(batch.tolist()):
        start = 0
        for down, up, width in zip(a, b, outs, strict=True):
            if slot >= 0:
                part = x[row].double() @ down[slot, 0].double().T @ up[slot, 0, :width].double().T
                wanted[row, start : start + width] += 0.5 * part
            start += width
    kernel = ChunkLora.__new__(ChunkLora)
    kernel._chunks = chunks(batch)
    kernel.add_lora_linear(y, x, a, b, 0.5, outs)
    torch.testing.assert_close(y.double(), wanted, rtol=near, atol=near)


def test_without_an_adapter_of_the_output_layer_logits_do_not_change():
    import torch

    from arena.inference.vllm.cpu.lora import ChunkLora

    kernel = ChunkLora(16, 4, "cpu", max_loras=2, lora_config=None)
    kernel.indices_len[1] = 3
    kernel._sampler_indices[:3] = torch.tensor([1, -1, 0])
    torch.manual_seed(0)
    y, x, a, b = torch.zeros(3, 10), torch.randn(3, 8), torch.randn(2, 1, 4, 8), torch.randn(2, 1, 10, 4)
    kernel.add_lora_logits(y, x, torch.zeros_like(a), b, 1.0)
    assert not y.any()
    kernel.add_lora_logits(y, x, a, b, 1.0)
    parts = torch.einsum("ni,nri,nwr->nw", x, a[[1, 0, 0], 0], b[[1, 0, 0], 0])
    torch.testing.assert_close(y, parts * torch.tensor([1.0, 0.0, 1.0])[:, None], rtol=1e-4, atol=1e-4)


def test_other_dtypes_use_vllms_code():
    import torch

    from arena.inference.vllm.cpu.lora import _add, chunks

    x, a, b = torch.randn(3, 8), torch.randn(2, 1, 4, 8), torch.randn(2, 1, 10, 4)
    found = chunks(torch.tensor([0, 1, 1]))
    for y, given in (
        (torch.zeros(3, 10, dtype=torch.float16), x.half()),
        (torch.zeros(3, 10), x.bfloat16()),
        (torch.zeros(10, 3).T, x),
        (torch.zeros(3, 10), torch.randn(8, 3).T),
    ):
        assert not _add(found, y, given, (a,), (b,), 1.0, (10,))
        assert not y.any()
    y = torch.zeros(3, 10)
    assert _add(found, y, x, (a,), (b,), 1.0, (10,))
    assert y.all()


@pytest.mark.parametrize("batch", BATCHES, ids=str, indirect=True)
def test_chunks_contain_every_token_once_grouped_by_adapter(batch):
    from arena.inference.vllm.cpu.lora import TOKENS, chunks

    found = chunks(batch)
    ends = itertools.pairwise(found.first.tolist())
    held = [(slot, found.rows[a:b].tolist()) for slot, (a, b) in zip(found.slots.tolist(), ends, strict=True)]
    assert sorted((row, slot) for slot, rows in held for row in rows) == [
        (row, slot) for row, slot in enumerate(batch.tolist()) if slot >= 0
    ]
    assert all(1 <= len(rows) <= TOKENS for _, rows in held)
    counts = {slot: batch.tolist().count(slot) for slot, _ in held}
    assert len(held) == sum(-(-count // TOKENS) for count in counts.values())


def test_a_compiler_error_is_reported(tmp_path, monkeypatch):
    from arena.inference.vllm.cpu.compiled import library

    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    source = tmp_path / "wrong.cpp"
    source.write_text("int one() { return none; }")
    with pytest.raises(OSError, match=r"g\+\+ cannot compile wrong.cpp: .*none"):
        library(source)
    assert [path.name for path in (tmp_path / "native").iterdir()] == []
    source.write_text('extern "C" int one() { return 1; }')
    assert library(source).one() == 1
    kept = list((tmp_path / "native").iterdir())
    assert library(source).one() == 1
    assert list((tmp_path / "native").iterdir()) == kept
    monkeypatch.setenv("PATH", "")
    source.write_text('extern "C" int two() { return 2; }')
    with pytest.raises(OSError, match="g\\+\\+"):
        library(source)
