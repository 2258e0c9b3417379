"""Choices with several branches: exact for every batch size, and bit-identical with one row per pass."""

import asyncio
import random
from typing import Any

import pytest
import torch
from msgspec.structs import replace

from arena.inference import models
from arena.inference.transformers.engine import TransformersEngine
from arena.inference.vllm.choice import Scores, VLLMChoiceSampler
from tests.arena.inference import positions

POSITIONS = 16


@pytest.fixture(scope="module")
def lm(tmp_path_factory):
    """The tiny model, which reads whole words, with weights far from uniform."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.getbasetemp() / "choice"))
        made = models.load("tiny(layers=1, hidden=32)", dtype="fp32", device="cpu")
    with torch.no_grad(), torch.random.fork_rng():
        torch.manual_seed(3)
        for param in made.model.parameters():
            param.add_(torch.randn_like(param) * 0.1)
    yield made
    torch.set_num_threads(before)


def ask(engine, requests):
    """The policies and a sample of all requests, sent at once."""

    async def run():
        policies = [engine.policy(r.prompt_ids, r.choices or ()) for r in requests]
        samples = [engine.complete(r) for r in requests]
        return await asyncio.gather(*policies), await asyncio.gather(*samples)

    return asyncio.run(run())


@pytest.mark.parametrize("game", positions.SEVERAL_BRANCHES)
def test_policies_and_stored_probabilities_are_those_of_passes_without_a_cache(lm, game):
    asked = positions.requests(codec := TransformersEngine(lm), game, POSITIONS)
    codec.close()
    expected = [positions.exact(lm.model, r) for r in asked]
    assert max(sum(logp < 0.0 for logp in own.values()) for e in expected for own in e) > 1  # several branches
    for rows in (1, 2, 7, 64):
        engine = TransformersEngine(lm, max_batch=rows, memo_size=0)
        try:
            policies, samples = ask(engine, asked)
        finally:
            engine.close()
        for e, policy, sample in zip(expected, policies, samples, strict=True):
            assert positions.policy_error(e, policy) < 1e-6, rows
            assert positions.sample_error(e, sample) < 1e-6, rows


def test_the_choice_sampler_of_vllm_gives_the_same_policies_and_samples(lm):
    """The tree descent of the vLLM engine, with a plain forward pass instead of vLLM."""

    async def score(read, tokens):
        with torch.inference_mode():
            return Scores(lm.model(torch.tensor([read]), use_cache=False).logits[0, -1, list(tokens)].tolist(), 0)

    async def check(engine):
        for request in positions.requests(engine, positions.SEVERAL_BRANCHES[1], 3):
            sampler, expected = VLLMChoiceSampler(score), positions.exact(lm.model, request)
            assert positions.policy_error(expected, await sampler.policy(request)) < 1e-6
            sampled = await sampler.sample(request)
            own = expected[sampled.choice]
            assert max(abs(own[t] - logp) for t, logp in enumerate(sampled.logprobs)) < 1e-6

    engine = TransformersEngine(lm)
    try:
        asyncio.run(check(engine))
    finally:
        engine.close()


def test_with_one_row_per_pass_results_do_not_depend_on_other_requests(lm):
    """Bit-identical in any order and grouping and with any content of the caches."""
    engine = TransformersEngine(lm, max_batch=1)
    asked = [r for game in positions.SEVERAL_BRANCHES[1:] for r in positions.requests(engine, game, 3)]
    engine.close()
    # The same prompts with other choices, with other hints, and as free text.
    asked += [replace(r, choices=(r.choices or ())[1:]) for r in asked[:6] if len(r.choices or ()) > 2]
    asked += [replace(r, prefix_len=0) for r in asked[:4]]
    asked += [replace(r, choices=None, max_tokens=6, prefix_len=hint) for r in asked[:4] for hint in (0, r.prefix_len)]
    alone = in_groups(lm, asked, 1, random.Random(0), memo_size=0, prefix_bytes=1)
    rng = random.Random(5)
    for memo, prefix_bytes in ((0, 200_000), (5, None), (8192, None)):
        order = [*range(len(asked)), *rng.sample(range(len(asked)), len(asked) // 2)]
        rng.shuffle(order)
        found = in_groups(lm, [asked[i] for i in order], 9, rng, memo_size=memo, prefix_bytes=prefix_bytes)
        assert found == [alone[i] for i in order]


def in_groups(lm, asked, most, rng, **options):
    """The answers, and for choices the policies, of requests sent in groups of at most `most`."""
    engine = TransformersEngine(lm, max_batch=1, **options)

    async def run():
        out: list[Any] = []
        while len(out) < len(asked):
            group = asked[len(out) : len(out) + rng.randint(1, most)]
            out += await asyncio.gather(*(both(engine, r) for r in group))
        return out

    try:
        return asyncio.run(run())
    finally:
        engine.close()


async def both(engine, request):
    policy = [] if request.choices is None else await engine.policy(request.prompt_ids, request.choices)
    return await engine.complete(request), policy
