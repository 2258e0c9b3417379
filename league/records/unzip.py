"""Unpacks compressed columns of a store, which may be anybody's, up to a limit."""

from __future__ import annotations

import zlib


def unzipped(data: bytes, most: int, *, gzip: bool = False) -> bytes:
    """Returns the bytes in compressed ones. Raises ValueError for damaged ones, and for more than `most`."""
    unzip = zlib.decompressobj(zlib.MAX_WBITS + 16 * gzip)
    try:
        out = unzip.decompress(data, most)
    except zlib.error as error:
        raise ValueError(f"is damaged: {error}") from None
    if unzip.unconsumed_tail:
        raise ValueError(f"has more than {most:,} bytes; no arena wrote it")
    if unzip.unused_data or not unzip.eof:
        raise ValueError("is damaged: it ends too late or too early")
    return out
