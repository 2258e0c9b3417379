"""Several vLLMs as one engine; their requests and publications, with engines that stand for a vLLM each."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.inference.engine import EngineStats, Request
from arena.inference.vllm.pool import VLLMPool
from games.errors import InfrastructureError


class Served:
    """Stands for a vLLM: answers once it may, and remembers what it was told."""

    name, context, about, codec = "m", 100, "vLLM", None

    def __init__(self) -> None:
        self.version, self.asked, self.calls, self.broken = 0, 0, list[Any](), False
        self.stats = EngineStats(requests=2, busy_seconds=0.5)

    async def complete(self, request):
        self.asked += 1
        await asyncio.sleep(0.001 * request.max_tokens)
        if self.broken:
            raise InfrastructureError("vLLM has died")
        return self

    def publish_adapter(self, folder, version, *, in_flight):
        if self.broken:
            raise InfrastructureError("vLLM has died")
        self.calls.append((folder, in_flight, threading.current_thread() is threading.main_thread()))
        self.version = version

    def adapted(self, name, adapter, close):
        self.calls.append((name, adapter))
        return self

    def close(self):
        self.calls.append("closed")


def pool(n=3):
    served = [Served() for _ in range(n)]
    return served, VLLMPool(served)  # type: ignore[arg-type]


async def ask(engine, lengths):
    return await asyncio.gather(*(engine.complete(Request((1,), 0, n)) for n in lengths), return_exceptions=True)


def test_a_request_goes_to_the_engine_with_the_fewest():
    served, together = pool()
    asyncio.run(ask(together, [1] * 30))
    assert [one.asked for one in served] == [10, 10, 10]

    async def behind_a_long_answer():
        long = asyncio.ensure_future(ask(together, [100_000]))
        while served[0].asked == 10:
            await asyncio.sleep(0)
        for _ in range(3):
            await ask(together, [1, 1])
        long.cancel()

    asyncio.run(behind_a_long_answer())
    assert [one.asked for one in served] == [11, 13, 13]
    assert (together.stats.requests, together.stats.busy_seconds) == (6, 1.5)


def test_an_engine_that_fails_a_request_takes_others():
    served, together = pool(2)
    served[0].broken = True
    answers = asyncio.run(ask(together, [1] * 4))
    assert sum(isinstance(answer, InfrastructureError) for answer in answers) == 2
    assert together._running == [0, 0]


def test_weights_reach_every_engine_and_a_failure_is_raised_once_the_others_have_them():
    served, together = pool()
    together.publish_adapter(Path("new"), 7, in_flight=True)
    assert [one.version for one in served] == [7] * 3
    assert {one.calls[0] for one in served} == {(Path("new"), True, False)}
    served[0].broken = True
    with pytest.raises(InfrastructureError, match="has died"):
        together.publish_adapter(Path("newer"), 8, in_flight=True)
    assert [one.version for one in served] == [7, 8, 8]
    assert together.version == 7


def test_a_snapshot_is_an_adapter_of_every_engine_and_stops_none():
    served, together = pool(2)
    ended: list[int] = []
    snapshot = together.adapted("s@1", Path("s"), lambda: ended.append(1))
    assert [one.calls for one in served] == [[("s@1", Path("s"))]] * 2
    assert len(snapshot.engines) == 2
    assert ended == []
