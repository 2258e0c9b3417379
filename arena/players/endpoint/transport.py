"""The HTTP client of an endpoint. It limits the size of an answer before it is in memory.

The openai client reads a complete answer before it parses it. A response hook therefore counts the bytes while they
arrive and are decompressed, and ends a request whose answer is too large.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from arena.players.endpoint.errors import Unreadable
from arena.players.endpoint.redaction import Redactor, watch_logs

SPARE = 1 << 20
"""bytes of an answer beside the model's text"""
BYTES_PER_TOKEN = 256
"""more than any token has, including JSON escapes"""
_PIECE = 1 << 16


def most_bytes(max_tokens: int) -> int:
    """Returns the size in bytes of the largest answer that is read, far above that of any real answer."""
    return SPARE + BYTES_PER_TOKEN * max_tokens


def create_client(
    base_url: str, key: str, headers: Mapping[str, str], timeout: float, limit: int, redactor: Redactor
) -> Any:
    """Create an `openai.AsyncOpenAI` that reads at most `limit` bytes of an answer and follows no redirect.

    Without a key, an organisation or project in the environment is not sent: it belongs to another server's account.
    """
    import openai

    http = openai.DefaultAsyncHttpxClient(
        timeout=timeout,
        follow_redirects=False,
        verify=_tls(),
        headers={"Accept-Encoding": "gzip"},
        event_hooks={"response": [_hook(limit)]},
    )
    watch_logs(redactor)
    client = openai.AsyncOpenAI(
        api_key=key or "none",
        base_url=base_url,
        default_headers=dict(headers),
        timeout=timeout,
        max_retries=0,
        http_client=http,
    )
    if not key:
        client.organization = client.project = None
    return client


@lru_cache(1)
def _tls() -> Any:
    """Returns the TLS settings of all clients: to load the certificates takes a quarter of a second."""
    return import_module(_library()).create_ssl_context()


def _library() -> str:
    """Returns the HTTP library of the openai client: httpx or httpx2."""
    import openai

    classes = openai.DefaultAsyncHttpxClient.__mro__
    return next(c.__module__.partition(".")[0] for c in classes if "httpx" in c.__module__)


def _hook(limit: int) -> Any:
    async def limited(response: Any) -> None:
        # The reason phrase is written by the server, and the client logs it.
        response.extensions.pop("reason_phrase", None)
        encoding = response.headers.pop("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip", ""):
            raise Unreadable("its compression was not requested")
        response.headers.pop("content-length", None)
        response.stream = _stream(response.stream, encoding == "gzip", limit)

    return limited


def _stream(inner: Any, gzip: bool, limit: int) -> Any:
    """Returns `inner`, decompressed, as a stream class of the openai client's HTTP library."""
    base: Any = import_module(_library()).AsyncByteStream

    class Limited(base):  # type: ignore[misc]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in _limited(inner, gzip, limit):
                yield piece

        async def aclose(self) -> None:
            await inner.aclose()

    return Limited()


async def _limited(stream: Any, gzip: bool, limit: int) -> AsyncIterator[bytes]:
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS) if gzip else None
    total = received = 0
    async for raw in stream:
        received += len(raw)
        rest = raw
        while rest:
            if unzip is None:
                piece, rest = rest, b""
            else:
                try:
                    piece = unzip.decompress(rest, _PIECE)
                except zlib.error:
                    raise Unreadable("its compressed data is damaged") from None
                if unzip.unused_data:  # it would be kept in memory
                    raise Unreadable("its compressed data goes on after its end")
                rest = unzip.unconsumed_tail
            total += len(piece)
            if max(total, received) > limit:
                raise Unreadable(f"it has more than {limit:,} bytes, more than max_tokens can need")
            yield piece


__all__ = ["create_client", "most_bytes"]
