"""New weights between two tokens of a running answer, with vLLM: each token is that of the weights that it names."""

from __future__ import annotations

import asyncio

import pytest
import torch

from arena.inference import Completion, Request, engine_for, models, release
from tests.real.vllm.conftest import MODEL

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(2400),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]
NEAR = 2e-3
CHAT = [{"role": "user", "content": "Tell a long story about a king and a queen."}]


def answers(engine, publish, tokens=40):
    """Three answers, in the middle of which `publish` is called."""

    async def play() -> list[Completion]:
        prompt = engine.encode_chat(CHAT)
        requests = [Request(prompt, seed, max_tokens=tokens, stop_ids=(1,)) for seed in range(3)]
        writing = [asyncio.create_task(engine.complete(request)) for request in requests]
        while not any(state.detokenizer.num_output_tokens() > 3 for state in states(engine)):
            await asyncio.sleep(0.005)
        await asyncio.to_thread(publish)
        return await asyncio.gather(*writing)

    return asyncio.run(play())


def states(engine):
    """vLLM's requests that are being answered."""
    return list(engine._llm.llm.output_processor.request_states.values())


def mismatch(model, prompt, completion):
    """(T,) how far the stored log probabilities are from those of a pass of transformers."""
    with torch.inference_mode():
        logits = model(torch.tensor([[*prompt, *completion.ids]])).logits[0, len(prompt) - 1 : -1].float()
    logps = torch.log_softmax(logits, -1).gather(1, torch.tensor(completion.ids)[:, None])[:, 0]
    return (logps - torch.tensor(completion.logprobs)).abs()


def check(made, prompt, by_version):
    assert any(c.versions is not None for c in made)
    for completion in made:
        versions = torch.tensor(completion.token_versions())
        assert len(versions) == len(completion.ids)
        assert versions.tolist() == sorted(versions.tolist())
        for version, model in by_version.items():
            if (own := versions == version).any():
                off = mismatch(model, prompt, completion)
                assert off[own].max() < NEAR
                assert own.all() or off[~own].max() > 10 * NEAR


def test_whole_weights(engine):
    old, new = (models.load(MODEL, "fp32", "cpu").model for _ in range(2))
    torch.manual_seed(0)
    with torch.no_grad():
        for tensor in new.parameters():
            tensor.add_(0.004 * torch.randn_like(tensor))
    try:
        made = answers(engine, lambda: engine.publish(new.state_dict(), 5, in_flight=True))
        assert engine.version == 5
        check(made, engine.encode_chat(CHAT), {0: old, 5: new})
    finally:
        engine.publish(old.state_dict(), 0)


def test_an_adapter(adapters):
    from arena.inference.vllm.engine import VLLMEngine

    live = VLLMEngine(MODEL, "fp32", rank=8, rows=8)
    merged = [engine_for(str(folder), "fp32", "auto", "transformers") for folder in adapters[:2]]
    try:
        live.publish_adapter(adapters[0], 1, in_flight=True)
        made = answers(live, lambda: live.publish_adapter(adapters[1], 2, in_flight=True))
        known = {version: reference._free._forward.model for version, reference in enumerate(merged, 1)}
        check(made, live.encode_chat(CHAT), known)
        (later,) = answers_of(live, 9)
        assert set(later.token_versions()) == {2}
        assert mismatch(known[2], live.encode_chat(CHAT), later).max() < NEAR
    finally:
        live.close()
        for each in merged:
            release(each)


def answers_of(engine, seed):
    return [asyncio.run(engine.complete(Request(engine.encode_chat(CHAT), seed, max_tokens=6, stop_ids=(1,))))]
