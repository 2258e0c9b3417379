"""Sessions with OpenEnv servers, on one event loop in a thread of its own, which also answers the servers' pings."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.request
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from functools import lru_cache
from typing import Any, TypeVar

T = TypeVar("T")
SECONDS = 60.0
"""for one answer of a server"""
_SCHEMA_BYTES = 1 << 20
_MEGABYTES = 4.0


class ServerSession:
    """One session of a server: one match at a time. Its errors are those of the library openenv."""

    def __init__(self, url: str) -> None:
        from openenv.core.generic_client import GenericEnvClient

        with urllib.request.urlopen(f"{url}/schema", timeout=SECONDS) as answer:
            self.schema: Mapping[str, Any] = json.loads(answer.read(_SCHEMA_BYTES))
        self._client = GenericEnvClient(base_url=url, message_timeout_s=SECONDS, max_message_size_mb=_MEGABYTES)
        _wait(self._connect())

    async def _connect(self) -> None:
        await self._client.connect()

    def reset(self, **asked: Any) -> Any:
        """Returns the first result of an episode."""

        async def asking() -> Any:
            return await self._client.reset(**asked)

        return _wait(asking())

    def step(self, action: Mapping[str, Any]) -> Any:
        """Returns the result of an action."""

        async def asking() -> Any:
            return await self._client.step(dict(action))

        return _wait(asking())

    def close(self) -> None:
        """Leave the server, without waiting for it."""

        async def closing() -> None:
            await self._client.close()

        _submit(closing())


def _wait(work: Coroutine[Any, Any, T]) -> T:
    return _submit(work).result(2 * SECONDS)


def _submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    return asyncio.run_coroutine_threadsafe(work, _loop())


@lru_cache(1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="openenv", daemon=True).start()
    return loop
