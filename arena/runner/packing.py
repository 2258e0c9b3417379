"""Episodes that are packed where they were played: what a store needs of them, so that a driver handles only bytes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from arena.match import Episode, Status


class PackedEpisode(msgspec.Struct, frozen=True, gc=False):
    """An episode as `Pack` made it. The names of `Episode` mean the same here."""

    match: str
    status: Status
    reason: str
    summary: bytes
    """what the store's tables hold of it, in the packer's own format"""
    data: bytes
    """the whole episode, compressed, in the packer's own format"""


class PackedMatch(msgspec.Struct, frozen=True, gc=False):
    """A packed episode, and the episode itself if the caller of `Runner.run_packed` needs it."""

    packed: PackedEpisode
    episode: Episode | None = None

    @property
    def match(self) -> str:
        """The id of the match."""
        return self.packed.match

    @property
    def status(self) -> Status:
        """How the match ended."""
        return self.packed.status

    @property
    def reason(self) -> str:
        """Why it ended so."""
        return self.packed.reason

    @property
    def kept(self) -> Episode:
        """Returns the episode of a match whose episode was kept when it was packed."""
        assert self.episode is not None
        return self.episode


Pack = Callable[[Episode], PackedEpisode]
"""packs an episode; a function, or a partial of one, that a worker can import"""
PackedSink = Callable[[list[PackedMatch]], None]
"""receives packed episodes in the order in which they ended"""


def pack_all(episodes: list[Episode], pack: Pack, keep: bool) -> list[PackedMatch]:
    """Pack episodes; `keep`: with the episodes themselves."""
    return [PackedMatch(pack(episode), episode if keep else None) for episode in episodes]
