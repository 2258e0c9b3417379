"""The message of a worker after a batch of matches, and its encoding."""

from __future__ import annotations

import msgspec

from arena.match import Episode
from arena.runner.packing import Pack, PackedMatch, pack_all
from arena.runner.ray.shared_prompts import Shared, restore, shorten
from arena.runner.ray.token_arrays import TokenArrays


class PlayedBatch(msgspec.Struct, frozen=True):
    """The result of a batch: one message."""

    episodes: list[Episode]
    """empty if they are packed"""
    seconds: float
    paused: str = ""
    """the message of the RunPaused that left matches of the batch without an episode"""
    packed: list[PackedMatch] = []
    shared: list[Shared] = []
    """of the samples of all episodes, as are `arrays`"""
    arrays: TokenArrays = TokenArrays()


class Packing(msgspec.Struct, frozen=True):
    """How a worker packs its episodes before it sends them."""

    pack: Pack
    keep: bool
    """whether the episodes themselves are sent too"""


_decoder = msgspec.msgpack.Decoder(PlayedBatch)


def encode_batch(episodes: list[Episode], seconds: float, paused: str = "", packing: Packing | None = None) -> bytes:
    """Returns the message with these episodes, packed if `packing` says so."""
    if packing is None:
        short, shared, arrays = shorten(episodes)
        return msgspec.msgpack.encode(PlayedBatch(short, seconds, paused, [], shared, arrays))
    packed = pack_all(episodes, packing.pack, keep=False)
    shared, arrays = [], TokenArrays()
    if packing.keep:
        short, shared, arrays = shorten(episodes)
        packed = [PackedMatch(each.packed, episode) for each, episode in zip(packed, short, strict=True)]
    return msgspec.msgpack.encode(PlayedBatch([], seconds, paused, packed, shared, arrays))


def decode_batch(data: bytes) -> PlayedBatch:
    """Returns the message that `encode_batch` made. Raises ValueError for another one."""
    batch = _decoder.decode(data)
    if batch.shared:
        restore(batch.episodes or [each.kept for each in batch.packed], batch.shared, batch.arrays)
    return batch
