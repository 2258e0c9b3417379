"""What the league keeps of its matches, beside the episodes themselves."""

from __future__ import annotations

import hashlib

import msgspec

from arena.match import Episode, MatchPlan


class PlannedMatch(msgspec.Struct, frozen=True, gc=False):
    """A match in its run's plan. `index` is the plan order, from 0; ratings are folded in that order."""

    index: int
    round: int
    pairing: str
    """matches with the same pairing share a seed and differ only in who takes which seat"""
    match: MatchPlan


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """What one seat of a match came to."""

    seat: str
    role: str
    player: str
    score: float
    """the game's return"""
    forfeited: bool = False
    turns: int = 0
    tokens: int = 0
    """completion tokens, failed attempts included"""
    faults: dict[str, int] = {}
    """failed attempts by category (illegal, unparsable, ...)"""


class Result(msgspec.Struct, frozen=True, gc=False):
    """A match that ended: the line of the log that ratings and standings are made from."""

    index: int
    round: int
    pairing: str
    match: str
    game: str
    seed: int
    status: str
    """finished, forfeit, truncated or void"""
    reason: str
    seats: tuple[SeatResult, ...]
    seconds: float
    seq: int = 0
    """place in the run's log, 1, 2, ... in the order of commit; 0: not stored yet"""
    worker: str = ""
    """who played it: `Episode.worker`"""
    transcript: int = 0
    """the hash of all that was played (`transcript_of`); 0: unknown, as it is for a void match"""


def summarize(planned: PlannedMatch, episode: Episode) -> Result:
    """The log line of an episode."""
    counts: dict[str, list[int]] = {seat: [0, 0] for seat in episode.seats}
    faults: dict[str, dict[str, int]] = {seat: {} for seat in episode.seats}
    spent = [(t.seat, t.attempts) for t in episode.turns if not t.opening]
    if episode.forfeited_by:
        spent.append((episode.forfeited_by, episode.failure))
    for seat, attempts in spent:
        counts[seat][0] += 1
        for attempt in attempts:
            if attempt.sample is not None:
                counts[seat][1] += len(attempt.sample.completion_ids)
            if attempt.category != "ok":
                faults[seat][attempt.category] = faults[seat].get(attempt.category, 0) + 1
    seats = tuple(
        SeatResult(
            seat=seat,
            role=episode.roles[seat],
            player=player,
            score=episode.returns.get(seat, 0.0),
            forfeited=seat == episode.forfeited_by,
            turns=counts[seat][0],
            tokens=counts[seat][1],
            faults=faults[seat],
        )
        for seat, player in episode.seats.items()
    )
    return Result(
        index=planned.index,
        round=planned.round,
        pairing=planned.pairing,
        match=episode.match,
        game=episode.game,
        seed=episode.seed,
        status=episode.status,
        reason=episode.reason,
        seats=seats,
        seconds=episode.seconds,
        worker=episode.worker,
        transcript=transcript_of(episode),
    )


def transcript_of(episode: Episode) -> int:
    """A 63-bit hash of a match: game, task, who sat where, every action, how it ended and what it paid. 0 if void.

    The seed is no part of it: whether two matches with equal hashes are the same depends on whether the game has
    chance (`league.ratings.repeats`).
    """
    if episode.status == "void":
        return 0
    played = [(turn.seat, turn.action) for turn in episode.turns]
    ended = (episode.status, episode.forfeited_by, episode.returns)
    content = msgspec.json.encode((episode.game, episode.task, episode.seats, played, ended), order="sorted")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big") >> 1 or 1


__all__ = ["PlannedMatch", "Result", "SeatResult", "summarize", "transcript_of"]
