"""Weights change between passes only, and all caches are cleared with them."""

import asyncio
import threading
from contextlib import contextmanager
from itertools import count

import pytest
import torch

from arena.inference import Request, models
from arena.inference.transformers.trainable import TrainableEngine


@pytest.fixture
def engine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARENA_CACHE", str(tmp_path_factory.getbasetemp() / "trainable"))
        made = TrainableEngine(models.load("tiny(layers=1, hidden=32)", dtype="fp32", device="cpu"))
    yield made
    made.close()


def change(engine, seed=0):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for param in engine.model.parameters():
            param.add_(torch.randn(param.shape, generator=generator) * 0.2)


@contextmanager
def updates_in(engine, passes, update):
    """While it is open, an update begins in these passes of the model, counted from 1, and waits for them to end."""
    forward, number = engine.model.forward, count(1)

    def counted(*args, **options):
        if next(number) in passes:
            threading.Thread(target=update).start()
            while not engine._next.locked():
                pass
        return forward(*args, **options)

    engine.model.forward = counted
    yield
    engine.model.forward = forward


def test_distributions_and_prefixes_of_old_weights_are_forgotten(engine):
    prompt = tuple(range(10, 60))
    choices = ((20, 2), (21, 2), (22, 2))

    def ask():
        return asyncio.run(engine.policy(prompt, choices))

    async def write():
        return await engine.complete(Request(prompt, seed=1, max_tokens=6, prefix_len=40))

    first, text = ask(), asyncio.run(write())
    assert ask() == first
    with engine.updating(version=7):
        change(engine)
    assert ask() != first
    assert engine.version == 7
    fresh = TrainableEngine(models.LoadedModel("x", engine.model, engine.tokenizer, (2,), torch.device("cpu")))
    try:
        assert ask() == pytest.approx(asyncio.run(fresh.policy(prompt, choices)), abs=1e-6)
        again = asyncio.run(write())
        request = Request(prompt, seed=1, max_tokens=6, prefix_len=40)
        assert again.ids == asyncio.run(fresh.complete(request)).ids != text.ids
    finally:
        fresh.close()
    assert again.version == 7
    with engine.updating():
        pass
    assert engine.version == 8


def test_no_pass_runs_while_weights_change(engine):
    inside, seen = threading.Event(), []
    forward = engine.model.forward

    def watched(*args, **options):
        seen.append(inside.is_set())
        return forward(*args, **options)

    engine.model.forward = watched

    async def play():
        tasks = [asyncio.create_task(engine.complete(Request((5, 6, i), seed=i, max_tokens=30))) for i in range(8)]
        for _ in range(20):
            await asyncio.to_thread(update)
        return await asyncio.gather(*tasks)

    def update():
        with engine.updating():
            inside.set()
            change(engine, seed=engine.version)
            inside.clear()

    done = asyncio.run(play())
    assert len(seen) > 5
    assert not any(seen)
    assert all(len(c.ids) == len(c.logprobs) for c in done)


def test_an_unfinished_answer_continues_with_the_new_weights(engine):
    """Its tokens are kept; later tokens have the probabilities of the new weights."""
    prompt = tuple(range(30, 50))
    changed = threading.Event()

    def update():
        with engine.updating():
            change(engine)
        changed.set()

    async def write():
        return await engine.complete(Request(prompt, seed=3, max_tokens=40, stop_ids=(1,)))

    with updates_in(engine, (4,), update):  # after three tokens
        done = asyncio.run(write())
        assert changed.wait(240)
    with torch.no_grad():
        logits = engine.model(torch.tensor([prompt + done.ids])).logits[0, len(prompt) - 1 : -1].float()
    now = torch.log_softmax(logits, -1).gather(1, torch.tensor(done.ids)[:, None])[:, 0]
    off = (now - torch.tensor(done.logprobs)).abs()
    assert off[:4].max() > 1e-3  # sampled before the update
    assert off[4:].max() < 1e-4  # sampled after it, with recomputed keys and values
    assert len(done.ids) > 10


def test_each_token_has_the_version_and_the_probability_of_the_weights_that_sampled_it(engine):
    """Two updates in the middle of four answers; every token is compared with a whole pass under its version."""
    prompts = [tuple(range(30, 50 + 3 * i)) for i in range(4)]
    weights = {0: copied(engine)}

    def update():
        with engine.updating():
            change(engine, seed=engine.version)
            weights[engine.version + 1] = copied(engine)

    async def write():
        requests = (Request(p, seed=i, max_tokens=30, stop_ids=(1,)) for i, p in enumerate(prompts))
        return await asyncio.gather(*map(engine.complete, requests))

    with updates_in(engine, (7, 15), update):
        done = asyncio.run(write())
    assert {v for c in done for v in c.token_versions()} == {0, 1, 2}
    for prompt, completion in zip(prompts, done, strict=True):
        versions = completion.token_versions()
        assert list(versions) == sorted(versions)
        assert len(versions) == len(completion.ids)
        assert completion.version == versions[-1]
        for version in set(versions):
            engine.model.load_state_dict(weights[version])
            with torch.no_grad():
                logits = engine.model(torch.tensor([prompt + completion.ids])).logits[0, len(prompt) - 1 : -1].float()
            now = torch.log_softmax(logits, -1).gather(1, torch.tensor(completion.ids)[:, None])[:, 0]
            off = (now - torch.tensor(completion.logprobs)).abs()
            own = torch.tensor(versions) == version
            assert off[own].max() < 1e-4
            assert own.all() or off[~own].max() > 1e-3


def test_an_update_to_the_same_version_leaves_one_version(engine):
    async def write():
        asking = asyncio.create_task(engine.complete(Request((5, 6, 7), seed=1, max_tokens=60, stop_ids=(1,))))
        await asyncio.sleep(0.01)
        await asyncio.to_thread(same)
        return await asking

    def same():
        with engine.updating(version=engine.version):
            pass

    assert asyncio.run(write()).versions is None


def copied(engine):
    return {name: tensor.clone() for name, tensor in engine.model.state_dict().items()}


def test_a_failed_update_leaves_nothing_stale_and_a_working_engine(engine):
    prompt, choices = tuple(range(10, 40)), ((20, 2), (21, 2))
    before = asyncio.run(engine.policy(prompt, choices))

    def fail():
        with engine.updating():
            change(engine)
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail()
    assert asyncio.run(engine.policy(prompt, choices)) != before
