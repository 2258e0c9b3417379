"""Our kernel for adapters on the CPU, beside one product after the other for every token."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(2400)]

WIDE, RANK, SLOTS, OUT = 24, 4, 8, (10, 6)
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
def batch(request: pytest.FixtureRequest) -> Any:
    import torch

    return torch.tensor(BATCHES[request.param])


def tensors(n: int, dtype: Any) -> tuple[Any, ...]:
    import torch

    torch.manual_seed(n)
    a = tuple(torch.randn(SLOTS, 1, RANK, WIDE, dtype=dtype) for _ in OUT)
    b = tuple(torch.randn(SLOTS, 1, width, RANK, dtype=dtype) for width in OUT)
    return torch.randn(n, sum(OUT), dtype=dtype), torch.randn(n, WIDE, dtype=dtype), a, b


@pytest.mark.parametrize("batch", BATCHES, ids=str, indirect=True)
@pytest.mark.parametrize(("dtype", "near"), [("float32", 1e-5), ("bfloat16", 2e-2)])
def test_every_token_goes_through_its_own_adapter(batch: Any, dtype: str, near: float) -> None:
    import torch

    from arena.inference.vllm.lora_cpu import BlockLora, blocks

    y, x, a, b = tensors(len(batch), getattr(torch, dtype))
    wanted = y.double()
    for row, slot in enumerate(batch.tolist()):
        start = 0
        for down, up, width in zip(a, b, OUT, strict=True):
            if slot >= 0:
                part = x[row].double() @ down[slot, 0].double().T @ up[slot, 0].double().T
                wanted[row, start : start + width] += 0.5 * part
            start += width
    kernel = BlockLora.__new__(BlockLora)
    kernel._blocks = blocks(batch)
    kernel.add_lora_linear(y, x, a, b, 0.5, OUT)
    torch.testing.assert_close(y.double(), wanted, rtol=near, atol=10 * near)


@pytest.mark.parametrize("batch", BATCHES, ids=str, indirect=True)
def test_logits_get_their_part_where_an_adapter_has_one(batch: Any) -> None:
    import torch

    from arena.inference.vllm.lora_cpu import BlockLora

    class Kernel(BlockLora):
        sampler_indices = batch

        def __init__(self) -> None:
            pass

    y, x, (a, *_), (b, *_) = tensors(len(batch), torch.float32)
    y = y[:, : OUT[0]].clone()
    untouched = y.clone()
    Kernel().add_lora_logits(y, x, torch.zeros_like(a), b, 1.0)
    assert torch.equal(y, untouched)
    Kernel().add_lora_logits(y, x, a, b, 1.0)
    with_adapter = batch >= 0
    parts = torch.einsum("ni,nri,nwr->nw", x, a[batch.clamp(min=0), 0], b[batch.clamp(min=0), 0])
    torch.testing.assert_close(y, untouched + parts * with_adapter[:, None], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("batch", BATCHES, ids=str, indirect=True)
def test_blocks_hold_every_token_once_and_little_else(batch: Any) -> None:
    from arena.inference.vllm.lora_cpu import LEAST, blocks

    found = blocks(batch)
    counts = {slot: batch.tolist().count(slot) for slot in batch.unique().tolist() if slot >= 0}
    n, k = sum(counts.values()), len(counts)
    assert len(found.places) == n
    assert found.rows[found.places].tolist() == [i for i, slot in enumerate(batch.tolist()) if slot >= 0]
    assert len(set(found.places.tolist())) == n
    assert len(found.rows) <= n + max(n, LEAST * k)
