"""Parts of gpu_check: FlexAttention over a tree, its exactness, its graphs and the seconds to compile them."""

from __future__ import annotations

import time
from collections.abc import Iterator

from _gpu_measures import Row, timed


def attention(size: str) -> Iterator[Row]:
    """FlexAttention over a tree against the dense mask: forward, and on a GPU backward."""
    import torch

    from arena.learner.batch import merged
    from arena.learner.flex_tree import BLOCK, FlexTree, attend

    cuda = torch.cuda.is_available()
    where = torch.device("cuda" if cuda else "cpu")
    sequences = [tuple(range(300)), (*range(200), *range(400, 700)), (*range(200), *range(800, 900))]
    _, positions, ends, _ = (torch.tensor(v, device=where) for v in merged(sequences, BLOCK))
    index = torch.arange(len(ends), device=where)
    for dtype, window in (
        (torch.float32, 0), (torch.float32, 64), (torch.bfloat16, 0), (torch.bfloat16, 64),
    ):  # fmt: skip
        mask = (index <= index[:, None]) & (index[:, None] < ends)
        if window:
            mask &= positions[:, None] - positions < window
        generator = torch.Generator(where).manual_seed(0)
        states = [torch.randn(1, n, len(ends), 128, generator=generator, device=where, dtype=dtype) for n in (16, 8, 8)]
        results = []
        for flex in (True, False):
            q, k, v = inputs = [state.clone().requires_grad_(cuda) for state in states]
            if flex:
                out = attend(FlexTree(ends, positions), q, k, v, window, None)
            else:
                out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
            if cuda:
                out.float().square().sum().backward()  # type: ignore[no-untyped-call]
            results.append([out.detach(), *(each.grad for each in inputs if each.grad is not None)])
        worst = max(float((a - b).abs().max() / b.abs().max()) for a, b in zip(*results, strict=True))
        yield {"what": f"{str(dtype)[6:]}, window {window}, backward {cuda}", "largest difference": worst}


def graphs(size: str) -> Iterator[Row]:
    """How many graphs a policy with two windows, a teacher and another precision need, and how long they take."""
    import torch
    from torch._dynamo.utils import counters

    from arena.learner.batch import merged
    from arena.learner.flex_tree import BLOCK, FlexTree, attend

    if not torch.cuda.is_available():
        yield {"error": "not measured without a GPU; tests/arena/learner/test_flex_tree.py traces them"}
        return
    for window, heads, width, dtype in (
        (0, (16, 8), 128, torch.bfloat16), (64, (16, 8), 128, torch.bfloat16), (0, (32, 8), 128, torch.bfloat16),
        (0, (16, 8), 64, torch.float32),
    ):  # fmt: skip
        before, start = counters["stats"]["unique_graphs"], time.perf_counter()
        for tokens in (100, 300, 1000, 3000):
            _, positions, ends, _ = (torch.tensor(v, device="cuda") for v in merged([tuple(range(tokens))], BLOCK))
            for grad in (False, True):
                q, k, v = (
                    torch.randn(1, n, len(ends), width, dtype=dtype, device="cuda", requires_grad=grad)
                    for n in (heads[0], heads[1], heads[1])
                )
                with torch.set_grad_enabled(grad):
                    out = attend(FlexTree(ends, positions), q, k, v, window, None)
                if grad:
                    out.sum().backward()  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
        graphs = counters["stats"]["unique_graphs"] - before
        yield {"what": f"{heads} heads of {width}, {str(dtype)[6:]}, window {window}", "graphs": graphs,
               "seconds": time.perf_counter() - start}  # fmt: skip
    yield from _sizes()


def _sizes() -> Iterator[Row]:
    """Forward and backward of attention over 8,192 tokens, with a graph for any number of tokens and for this one."""
    import torch

    from arena.learner import flex_tree

    ends, positions = torch.full((8192,), 8192, device="cuda"), torch.arange(8192, device="cuda")
    states = [torch.randn(1, n, 8192, 128, dtype=torch.bfloat16, device="cuda", requires_grad=True) for n in (16, 8, 8)]
    tree = flex_tree.FlexTree(ends, positions)
    for any_size in (True, False):
        flex_tree.ANY_SIZE = any_size
        flex_tree.compiled.cache_clear()
        for run in ("first", "second"):  # the first one compiles
            seconds = timed(lambda: flex_tree.attend(tree, *states, 0, None).sum().backward())  # type: ignore[no-untyped-call]
            yield {"what": f"attention over 8,192 tokens, any number {any_size}, {run} run", "seconds": seconds}
