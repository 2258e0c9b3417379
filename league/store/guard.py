"""Makes matches void whose episode cannot be stored or read again, so that they do not end the run.

An episode holds data of players and games that plugins may define. The match loop cleans texts and refuses what is
not JSON; this is the last check. The match is stored as void with the reason, because it would fail in the same way
after every restart.
"""

from __future__ import annotations

import logging
import zlib
from itertools import chain
from math import isfinite
from typing import Any, get_args

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import DataError

from arena.match import Category, Episode, MatchPlan, Sample, Status, decode, encode
from arena.runner.packing import PackedEpisode
from games import InputError
from games.sanitize import clean, one_line
from league.records.matches import PlannedMatch, Result, summarize
from league.records.unzip import unzipped

log = logging.getLogger(__name__)

STATUSES = frozenset(get_args(Status))
LARGEST = 1 << 28
"""the most bytes of an episode's JSON; SQLite and PostgreSQL store up to a billion"""


def checked(planned: PlannedMatch, episode: Episode) -> tuple[Result, bytes]:
    """Returns result and compressed JSON of a match that ended, or of a void match if its own cannot be stored."""
    try:
        return _packed(planned, episode)
    except Exception as error:  # noqa: BLE001  any fault belongs to this match, not to the run
        log.warning("match %s is void, as its record cannot be stored: %s", planned.match.id, error)
        return refused(planned, episode, error)


def pack_episode(episode: Episode, worker: str = "") -> PackedEpisode:
    """Summarise and compress an episode, so that `received` and the store only handle bytes.

    `worker` is the name for an episode that has none. An episode that cannot be stored becomes a void match.
    """
    if worker and not episode.worker:
        episode = replace(episode, worker=worker)
    plan = MatchPlan(episode.match, episode.game, episode.seed, episode.seats, episode.task)
    result, data = checked(PlannedMatch(0, 0, "", plan), episode)
    return PackedEpisode(episode.match, episode.status, episode.reason, _encoder.encode(result), data)


def received(planned: PlannedMatch, packed: PackedEpisode) -> tuple[Result, bytes]:
    """Returns the result and the compressed JSON of a packed episode, or of a void match if its summary is not sound.

    The text gate and the ranges are applied again, since another machine may have packed it. `arena verify` compares
    the summary with the episode.
    """
    try:
        return _received(planned, packed), packed.data
    except (msgspec.MsgspecError, ValueError) as error:
        log.warning("match %s is void, as its worker sent an unsound summary: %s", planned.match.id, error)
        return refused(planned, unknown(planned.match), error)


def refused(planned: PlannedMatch, episode: Episode, error: Exception) -> tuple[Result, bytes]:
    """Returns a void match in place of one whose record the store refuses."""
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
    """Returns whether a database failed because of the data, and not because it is unavailable."""
    return isinstance(error, OverflowError | UnicodeError) or isinstance(error.__cause__, DataError)


def unpacked(data: bytes) -> bytes:
    """Returns the JSON in a compressed column. Raises InputError for a damaged or too large one."""
    try:
        return unzipped(data, LARGEST)
    except ValueError as error:
        raise InputError(f"an episode in the store {error}") from None


def _received(planned: PlannedMatch, packed: PackedEpisode) -> Result:
    result, match = _summary.decode(packed.summary), planned.match
    seats = {seat.seat: seat.player for seat in result.seats}
    if (result.match, result.game, result.seed, seats) != (match.id, match.game, match.seed, match.seats):
        raise ValueError("it is of another match")
    if result.status not in STATUSES or len(packed.data) > LARGEST:
        raise ValueError(f"status {result.status:.20}, {len(packed.data):,} bytes")
    if not all(map(isfinite, (result.seconds, *(seat.score for seat in result.seats)))):
        raise ValueError("a number is not finite")
    texts = [result.reason, result.worker, *(seat.role for seat in result.seats)]
    if any(clean(text) != text for text in texts):
        raise ValueError("a text was not cleaned")
    played = tuple(replace(seat, ref=planned.refs.get(seat.player)) for seat in result.seats)
    return replace(result, index=planned.index, round=planned.round, pairing=planned.pairing, seats=played, seq=0)


def unknown(match: MatchPlan) -> Episode:
    """Returns an episode of which only the plan is known."""
    return Episode(match.id, match.game, match.seed, match.seats, {}, (), {}, "void", task=match.task)


def _packed(planned: PlannedMatch, episode: Episode) -> tuple[Result, bytes]:
    reason, worker = clean(episode.reason), clean(episode.worker)
    if (reason, worker) != (episode.reason, episode.worker):
        episode = replace(episode, reason=reason, worker=worker)
    text = encode(episode)
    if len(text) > LARGEST:
        raise ValueError(f"it has {len(text):,} bytes; at most {LARGEST:,} are stored")
    _check(episode, text)
    return summarize(planned, episode), zlib.compress(text, 1)


class _Decision(msgspec.Struct):
    """A `Decision` whose sample is skipped: its token ids take most of the time of decoding."""

    action: str | None
    category: Category = "ok"
    text: str | None = None
    reason: str = ""


class _Turn(msgspec.Struct):
    seat: str
    role: str
    phase: str
    player: str
    action: str
    attempts: tuple[_Decision, ...]
    latency: float = 0.0


class _Record(msgspec.Struct):
    """The parts of an `Episode` that players and games fill."""

    roles: dict[str, str]
    turns: tuple[_Turn, ...]
    returns: dict[str, float]
    reason: str = ""
    failure: tuple[_Decision, ...] = ()
    seconds: float = 0.0
    facts: dict[str, Any] = {}
    worker: str = ""


_record = msgspec.json.Decoder(_Record)
_encoder, _summary = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Result)


def _check(episode: Episode, text: bytes) -> None:
    """Raise an error if the JSON of an episode could not be decoded again: not a number, for example, becomes null."""
    _record.decode(text)
    attempts = chain(episode.failure, *(turn.attempts for turn in episode.turns))
    if not all(_is_sound(attempt.sample) for attempt in attempts if attempt.sample is not None):
        decode(text)


def _is_sound(sample: Sample) -> bool:
    """Returns whether the ids are integers and the probabilities finite; sums find out faster than decoding."""
    try:
        ids = sum(sample.prompt_ids) + sum(sample.completion_ids)
        ids += sum(sum(allowed) for allowed in sample.allowed or () if allowed is not None)
        ids += sum(sample.versions or ())
        return type(ids) is int and isfinite(sum(sample.logprobs) + sample.temperature + sample.top_p)
    except (TypeError, OverflowError):
        return False
