"""Choices with several branches on vLLM: exact policies and stored probabilities."""

import asyncio

import pytest

from arena.inference.vllm.choice import VLLMChoiceSampler
from tests.arena.inference import positions

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    # vLLM leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]

# In float32 two libraries add in different orders. Logits of SmolLM2 reach 30, of which seven digits are exact, and 30
# layers multiply the error by ten. The errors that this test looks for were 0.02 to 0.47.
NEAR = 2e-3


# One game, because a pass without a cache for each branch of each prompt takes minutes on the CPU. The tests in
# tests/arena/inference cover the other games without vLLM.
@pytest.mark.parametrize("game", positions.SEVERAL_BRANCHES[:1])
def test_choices_equal_passes_without_a_cache(engine, reference, game):
    asked = positions.requests(engine, game, 3)
    model = reference._free._forward.model
    expected = [positions.exact(model, r) for r in asked]
    for rows in (1, 2, 7, 64):
        engine._choice = VLLMChoiceSampler(engine._score)  # without stored distributions
        batch = [asked[i % len(asked)] for i in range(rows)]
        policies, samples = asyncio.run(ask(engine, asked[:rows], batch))
        for e, policy in zip(expected, policies, strict=False):
            assert positions.policy_error(e, policy) < NEAR
        for i, sample in enumerate(samples):
            assert positions.sample_error(expected[i % len(asked)], sample) < NEAR


async def ask(engine, read, drawn):
    """The policies of some requests and samples of others, all at once."""
    policies = asyncio.gather(*(engine.policy(r.prompt_ids, r.choices or ()) for r in read))
    samples = asyncio.gather(*(engine.complete(r) for r in drawn))
    return await policies, await samples
