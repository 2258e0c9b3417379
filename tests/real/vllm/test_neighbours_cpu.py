"""The order of a batch on the CPU."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning"),  # by vLLM's imports
]


class Batch:
    """The ordered part of vLLM's `InputBatch`: requests and the memory blocks of their keys and values."""

    def __init__(self, beginnings: list[list[int]]) -> None:
        import numpy as np

        self.num_reqs = len(beginnings)
        self.req_ids = [f"request {i}" for i in range(self.num_reqs)]
        self.req_id_to_index = {request: i for i, request in enumerate(self.req_ids)}
        table = np.zeros((64, 20), dtype=np.int32)
        table[: self.num_reqs, : len(beginnings[0])] = beginnings
        self.block_table = [SimpleNamespace(block_table=SimpleNamespace(np=table))]
        self.swaps = 0

    def swap_states(self, one: int, other: int) -> None:
        self.swaps += 1
        table = self.block_table[0].block_table.np
        table[[one, other]] = table[[other, one]]
        self.req_ids[one], self.req_ids[other] = self.req_ids[other], self.req_ids[one]
        for place in (one, other):
            self.req_id_to_index[self.req_ids[place]] = place


@pytest.mark.parametrize("seed", range(20))
def test_requests_with_a_common_prefix_are_adjacent(seed):
    from arena.inference.vllm.cpu.prefix_order import together

    chance = random.Random(seed)
    batch = Batch([[chance.randrange(1000, 1005), chance.randrange(10), i] for i in range(chance.randrange(1, 40))])
    together(batch)
    rows = batch.block_table[0].block_table.np[: batch.num_reqs, :2].tolist()
    groups = [row for i, row in enumerate(rows) if i == 0 or rows[i - 1] != row]
    assert len(groups) == len({tuple(row) for row in rows})
    swaps = batch.swaps
    assert swaps < batch.num_reqs
    together(batch)
    assert batch.swaps == swaps, "a batch that is sorted is left alone"
