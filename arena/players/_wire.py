"""The HTTP client under an endpoint: what a server may send is limited before it is read into memory.

The openai client reads a whole answer before it looks at it. A response hook puts a limit under that: bytes are
counted as they arrive and as they are decompressed, and an answer that is too large ends the request.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from arena.players._faults import Unreadable
from arena.players._keys import Redactor, watch_logs

SPARE = 1 << 20
"""bytes of an answer beside what the model wrote"""
BYTES_PER_TOKEN = 256
"""more than any token has, escapes of JSON included"""
_PIECE = 1 << 16


def most_bytes(max_tokens: int) -> int:
    """The size of the largest answer that is read; no honest one comes near it."""
    return SPARE + BYTES_PER_TOKEN * max_tokens


def client(base_url: str, key: str, timeout: float, limit: int, redactor: Redactor) -> Any:
    """An `openai.AsyncOpenAI` that reads at most `limit` bytes of an answer and follows no redirect.

    Nothing of another account in the environment (organisation, project) is sent to a server that is not OpenAI's.
    """
    import openai

    http = openai.DefaultAsyncHttpxClient(
        timeout=timeout,
        follow_redirects=False,
        headers={"Accept-Encoding": "gzip"},
        event_hooks={"response": [_hook(limit)]},
    )
    watch_logs(redactor)
    made = openai.AsyncOpenAI(
        api_key=key or "none", base_url=base_url, timeout=timeout, max_retries=0, http_client=http
    )
    if not key:
        made.organization = made.project = None
    return made


def _hook(limit: int) -> Any:
    async def limited(response: Any) -> None:
        # The words beside the status are the server's, and the client logs them.
        response.extensions.pop("reason_phrase", None)
        encoding = response.headers.pop("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "gzip", ""):
            raise Unreadable("it is compressed in a way that was not asked for")
        response.headers.pop("content-length", None)
        response.stream = _stream(response.stream, encoding == "gzip", limit)

    return limited


def _stream(inner: Any, gzip: bool, limit: int) -> Any:
    """`inner`, decompressed, as a stream of the HTTP library that the openai client uses (httpx, or httpx2)."""
    import openai

    library = next(
        c.__module__.partition(".")[0] for c in openai.DefaultAsyncHttpxClient.__mro__ if "httpx" in c.__module__
    )
    base: Any = import_module(library).AsyncByteStream

    class Limited(base):  # type: ignore[misc]
        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in _limited(inner, gzip, limit):
                yield piece

        async def aclose(self) -> None:
            await inner.aclose()

    return Limited()


async def _limited(stream: Any, gzip: bool, limit: int) -> AsyncIterator[bytes]:
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS) if gzip else None
    seen = 0
    async for raw in stream:
        rest = raw
        while rest:
            if unzip is None:
                piece, rest = rest, b""
            else:
                try:
                    piece = unzip.decompress(rest, _PIECE)
                except zlib.error:
                    raise Unreadable("its compressed data are damaged") from None
                rest = unzip.unconsumed_tail
            seen += len(piece)
            if seen > limit:
                raise Unreadable(f"it has more than {limit:,} bytes, more than max_tokens can need")
            yield piece


__all__ = ["client", "most_bytes"]
