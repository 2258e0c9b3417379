"""The sampler for the CPU."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning"),  # by vLLM's imports
]


def test_tokens_have_the_frequency_of_their_probability():
    import torch

    from arena.inference.vllm.cpu.sampling import draw

    torch.manual_seed(0)
    logprobs = torch.tensor([0.0, 1.0, float("-inf"), 2.5, -1.0, float("-inf")]).log_softmax(-1)
    n = 40_000
    generators = {i: torch.Generator().manual_seed(i) for i in range(0, n, 2)}
    found = draw(logprobs.expand(n, -1), generators)
    for part in (found, found[::2], found[1::2]):
        shares = torch.bincount(part, minlength=6) / len(part)
        assert not shares[[2, 5]].any(), "what is masked is never drawn"
        spread = (logprobs.exp() * (1 - logprobs.exp()) / len(part)).sqrt()
        assert ((shares - logprobs.exp()).abs() <= 4 * spread).all()


def test_a_row_depends_on_its_own_generator_alone():
    import torch

    from arena.inference.vllm.cpu.sampling import draw

    torch.manual_seed(1)
    logprobs = torch.randn(9, 300).log_softmax(-1)

    def drawn(rows: list[int]) -> list[list[int]]:
        generators = {i: torch.Generator().manual_seed(row) for i, row in enumerate(rows)}
        return [draw(logprobs[rows], generators).tolist() for _ in range(5)]

    together, alone = drawn(list(range(9))), drawn([7])
    assert [tokens[7] for tokens in together] == [token for (token,) in alone]


@pytest.mark.parametrize("mode", ["raw_logprobs", "processed_logprobs", "processed_logits"])
def test_it_replaces_vllms_sampler(mode):
    import torch
    from vllm.v1.sample.ops.topk_topp_sampler import TopKTopPSampler

    from arena.inference.vllm.cpu import sampling

    sampling.install()
    sampler = SimpleNamespace(logprobs_mode=mode)
    logits = torch.randn(3, 50)
    tokens, returned = TopKTopPSampler.forward_cpu(sampler, logits.clone(), {}, torch.tensor([5, 5, 5]), None)
    kept = logits.topk(5).indices
    assert all(token in row for token, row in zip(tokens, kept, strict=True))
    if mode == "raw_logprobs":
        assert returned is None
        return
    masked = torch.full_like(logits, float("-inf")).scatter(1, kept, logits.gather(1, kept))
    torch.testing.assert_close(returned, masked if mode == "processed_logits" else masked.log_softmax(-1))
