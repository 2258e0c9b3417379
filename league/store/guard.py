"""Between an episode and the store: what cannot be stored, or could not be read again, is void and ends no run.

An episode holds what players and games of anybody's making handed over. The gates before it clean texts and refuse
what is no JSON; this one makes sure. A match is then written as void with the reason, once and for all: the same match
would fail in the same way after every restart.
"""

from __future__ import annotations

import logging
import zlib

from msgspec.structs import replace
from sqlalchemy.exc import DataError

from arena.match import Episode, decode, encode
from games import InputError
from games.text import clean, one_line
from league.records import PlannedMatch, Result, summarize

log = logging.getLogger(__name__)

LARGEST = 1 << 28
"""bytes of an episode's JSON; SQLite takes a billion, PostgreSQL as many"""


def checked(planned: PlannedMatch, episode: Episode) -> tuple[Result, bytes]:
    """The result and the compressed JSON of a match that ended, as a void match where its own cannot be kept."""
    try:
        return _packed(planned, episode)
    except Exception as error:  # noqa: BLE001  whatever is wrong with it is a fault of this match, not of the run
        log.warning("match %s is void, as its record cannot be stored: %s", planned.match.id, error)
        return refused(planned, episode, error)


def refused(planned: PlannedMatch, episode: Episode, error: Exception) -> tuple[Result, bytes]:
    """A void match in place of one whose record the store does not take."""
    match = planned.match
    reason = f"its record cannot be stored: {type(error).__name__}: {error}"
    roles = {seat: clean(str(episode.roles.get(seat, seat))) for seat in match.seats}
    nothing = dict.fromkeys(match.seats, 0.0)
    reason, worker = one_line(clean(reason), 300), clean(str(episode.worker))
    void = Episode(
        match.id,
        match.game,
        match.seed,
        match.seats,
        roles,
        (),
        nothing,
        "void",
        reason,
        worker=worker,
        task=match.task,
    )
    return _packed(planned, void)


def refuses_data(error: Exception) -> bool:
    """Whether a database failed because of what it was given, and not because it is out of reach."""
    return isinstance(error, OverflowError | UnicodeError) or isinstance(error.__cause__, DataError)


def unpacked(data: bytes) -> bytes:
    """The JSON in a compressed column. Raises InputError for what is none, or is larger than what is stored."""
    unzip = zlib.decompressobj()
    try:
        text = unzip.decompress(data, LARGEST)
    except zlib.error as error:
        raise InputError(f"an episode in the store is damaged: {error}") from None
    if unzip.unconsumed_tail:
        raise InputError(f"an episode in the store has more than {LARGEST:,} bytes; no arena wrote it")
    return text


def _packed(planned: PlannedMatch, episode: Episode) -> tuple[Result, bytes]:
    reason, worker = clean(episode.reason), clean(episode.worker)
    if (reason, worker) != (episode.reason, episode.worker):
        episode = replace(episode, reason=reason, worker=worker)
    text = encode(episode)
    if len(text) > LARGEST:
        raise ValueError(f"it has {len(text):,} bytes; at most {LARGEST:,} are stored")
    decode(text)  # a number that is none becomes null, which no reader takes
    return summarize(planned, episode), zlib.compress(text, 1)


__all__ = ["checked", "refused", "refuses_data", "unpacked"]
