"""Failing passes: smaller batches, errors of one request, a closed engine, cancelled requests."""

import asyncio
import gc
import threading

import pytest
import torch

from arena.inference import Request
from games.errors import InfrastructureError
from tests.arena.inference import tiny

CHOICES = ((5,), (6,), (7, 8), (7, 9))


@pytest.fixture
def engine():
    made = tiny.engine(tiny.loaded(scale=0.25), max_batch=16, memo_size=0)
    yield made
    made.close()


def fail_when(engine, condition, error):
    """Make the model raise if `condition(input_ids)` is true; counts how often."""
    raised = []

    def check(_, args, kwargs):
        if condition(kwargs["input_ids"]):
            raised.append(tuple(kwargs["input_ids"].shape))
            raise error

    hook = engine._free._forward.model.register_forward_pre_hook(check, with_kwargs=True)
    return raised, hook


def run(engine, requests):
    async def gather():
        return await asyncio.gather(*(engine.complete(r) for r in requests), return_exceptions=True)

    return asyncio.run(gather())


def free_requests(count=12):
    return [Request((i, 2, 3), seed=i, max_tokens=6, stop_ids=(300,)) for i in range(count)]


def choice_requests(count=12):
    return [Request((i, 2, 3), seed=i, choices=CHOICES) for i in range(count)]


@pytest.mark.parametrize("requests", [free_requests(), choice_requests()], ids=["free", "choice"])
def test_out_of_memory_leads_to_smaller_batches(engine, requests):
    expected = [c.ids for c in run(engine, requests)]
    raised, _ = fail_when(engine, lambda ids: len(ids) > 3, torch.OutOfMemoryError("CUDA out of memory"))
    assert [c.ids for c in run(engine, requests)] == expected
    assert raised
    before = len(raised)
    assert [c.ids for c in run(engine, requests)] == expected
    assert len(raised) == before  # the batch stayed small


def test_out_of_memory_while_sampling_restarts_rows_without_changing_results(engine):
    expected = [c.ids for c in run(engine, free_requests())]
    raised, _ = fail_when(
        engine,
        lambda ids: ids.shape[1] == 1 and len(ids) > 5,
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
    )
    assert [c.ids for c in run(engine, free_requests())] == expected
    assert raised


def test_the_request_that_breaks_a_pass_fails_alone(engine):
    fail_when(engine, lambda ids: bool((ids == 99).any()), RuntimeError("broken"))
    for requests in (free_requests(), choice_requests()):
        bad = Request((99, 2, 3), seed=0, max_tokens=6, choices=requests[0].choices)
        *good, failed = run(engine, [*requests, bad])
        assert isinstance(failed, InfrastructureError)
        assert "broken" in str(failed)
        assert all(not isinstance(c, Exception) for c in good)


def test_an_error_in_every_pass_fails_running_requests_and_the_engine_continues(engine):
    _, hook = fail_when(engine, lambda ids: ids.shape[1] == 1, RuntimeError("gone"))
    assert all(isinstance(c, InfrastructureError) for c in run(engine, free_requests(4)))
    hook.remove()
    assert all(len(c.ids) == 6 for c in run(engine, free_requests(4)))


def test_closing_fails_pending_requests():
    engine = tiny.engine()

    async def wait():
        pending = [asyncio.ensure_future(engine.complete(r)) for r in long_requests()]
        while engine.stats.tokens_in == 0:
            await asyncio.sleep(0)
        engine.close()
        return await asyncio.gather(*pending, return_exceptions=True)

    assert all(isinstance(c, InfrastructureError) for c in asyncio.run(wait()))
    with pytest.raises(InfrastructureError, match="closed"):
        asyncio.run(engine.complete(long_requests()[0]))
    engine.close()


def long_requests():
    return [Request((i, 2), seed=i, max_tokens=480, stop_ids=(300,)) for i in range(3)]


def test_a_cancelled_request_leaves_the_batch(engine):
    async def cancel():
        waiting = asyncio.ensure_future(engine.complete(long_requests()[0]))
        while engine.stats.tokens_in == 0:
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return await engine.complete(Request((1, 2), seed=0, max_tokens=2, stop_ids=(300,)))

    assert len(asyncio.run(cancel()).ids) == 2
    assert not engine._free.unanswered()


def test_a_closed_loop_does_not_delay_others(engine):
    async def leave():
        asyncio.ensure_future(engine.complete(long_requests()[0])).add_done_callback(lambda f: f.cancelled())
        await asyncio.sleep(0)

    asyncio.run(leave())
    assert all(c.choice is not None for c in run(engine, choice_requests()))
    gc.collect()


def test_several_loops_share_an_engine(engine):
    expected = [c.ids for c in run(engine, choice_requests(30))]
    found = {}

    def thread(name):
        found[name] = [c.ids for c in run(engine, choice_requests(30))]

    threads = [threading.Thread(target=thread, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == dict.fromkeys(range(4), expected)


def test_all_matches_that_can_continue_share_a_batch(engine):
    """64 matches with nested tasks: after the first, every batch contains all of them."""

    async def match(i):
        for turn in range(5):
            await asyncio.gather(asyncio.sleep(0), engine.complete(Request((i, turn, 3), seed=i, choices=((5,), (6,)))))
            await asyncio.sleep(0)

    async def play():
        await asyncio.gather(*(match(i) for i in range(16)))

    asyncio.run(play())
    assert engine.stats.batches == 5
    assert engine.stats.rows == 16 * 5
