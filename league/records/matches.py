"""Planned matches and results, which the store keeps beside the episodes."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Annotated

import msgspec

from arena.match import Episode, MatchPlan
from league.records.player_ref import PlayerRef


class PlannedMatch(msgspec.Struct, frozen=True, gc=False):
    """A match in its run's plan. `index` is the plan order, from 0; ratings are folded in that order."""

    index: int
    round: int
    pairing: str
    """matches of a pairing share a seed and differ only in the seats of the players"""
    match: MatchPlan
    refs: Mapping[str, PlayerRef] = {}
    """player -> the snapshot or policy behind its name, for players of a training"""


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one seat of a match."""

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
    """failed attempts by category (illegal, unparsable, timeout, ...)"""
    prompt_tokens: int = 0
    void_phase: str = ""
    """the phase of the turn in which this seat made the match void; "" if it did not"""
    ref: PlayerRef | None = None
    """what stands behind the name of the player; None: a player of no training"""


Rank = Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
Ranks = tuple[tuple[Rank, ...], ...]
"""the rank of each side in each of the matches that are rated together, in plan order; 0 is best, equal ranks a draw"""


class Result(msgspec.Struct, frozen=True, gc=False):
    """The result of a match that ended, from which ratings and standings are computed."""

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
    """number in the order of commit: 1, 2, ...; 0: not stored yet"""
    worker: str = ""
    """the worker that played the match, as in `Episode.worker`"""
    transcript: int = 0
    """the hash of the match (`transcript_of`); 0: unknown, or a void match"""
    task: int = 0
    """the hash of its task and opening (`task_of`); 0: it has none, or they are unknown"""
    ranks: Ranks = ()
    """the outcome of the matches that this one completed: itself, or all that count of its pairing; (): it completed
    none, or was not stored"""


class ResultColumns(msgspec.Struct, frozen=True, gc=False):
    """What outcomes read of some results of one game, worker and status, column by column, in any order."""

    game: str
    worker: str
    status: str
    index: Sequence[int]
    seed: Sequence[int]
    transcript: Sequence[int]
    task: Sequence[int]
    pairing: Sequence[str]
    content: Sequence[str]
    """the JSON of the seats, then that of the ranks of each: equal texts are decoded once"""


def columns_of(results: Iterable[Result]) -> Iterator[ResultColumns]:
    """Yields results column by column."""
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.game, result.worker, result.status), []).append(result)
    for label, group in groups.items():
        rows = ((r.index, r.seed, r.transcript, r.task, r.pairing, to_json(r.seats) + to_json(r.ranks)) for r in group)
        yield ResultColumns(*label, *zip(*rows, strict=True))


def to_json(value: object) -> str:
    """Returns the text of seats or ranks."""
    return msgspec.json.encode(value).decode()


def summarize(planned: PlannedMatch, episode: Episode) -> Result:
    """Returns the result of an episode."""
    counts: dict[str, list[int]] = {seat: [0, 0, 0] for seat in episode.seats}
    faults: dict[str, dict[str, int]] = {seat: {} for seat in episode.seats}
    spent = [(t.seat, t.attempts) for t in episode.turns if not t.opening]
    if episode.forfeited_by or episode.failure:
        spent.append((episode.offender, episode.failure))
    for seat, attempts in spent:
        counts[seat][0] += 1
        for attempt in attempts:
            counts[seat][1] += attempt.written
            counts[seat][2] += attempt.read
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
            prompt_tokens=counts[seat][2],
            ref=planned.refs.get(player),
            void_phase=(episode.last_phase or "play") if seat == episode.voided_by else "",
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
        task=task_of(episode),
    )


CELL = 32
"""position of the bits of a transcript's hash that belong to its cell"""
_DETERMINED = 1
"""what was played, in the hash of a match of deterministic players"""


def transcript_of(episode: Episode) -> int:
    """Returns a 63-bit hash of a match, 0 if void: 31 bits for its cell, then 32 bits for what was played in it.

    The cell is the game, the task, the seats and the opening; then come every action, the end and the returns. The seed
    is not hashed: whether two matches with equal hashes are the same depends on whether the game has chance
    (`league.outcomes.units`). The cell alone determines a match of deterministic players.
    """
    if episode.status == "void":
        return 0
    opening = [(turn.seat, turn.action) for turn in episode.turns if turn.opening]
    cell = _hash((episode.game, episode.task, episode.seats, opening)) >> 1
    if episode.deterministic:
        return cell << CELL | _DETERMINED
    played = [(turn.seat, turn.action) for turn in episode.turns]
    ended = (episode.status, episode.forfeited_by, episode.returns)
    return (cell << CELL | _hash((played, ended))) or 1


def task_of(episode: Episode) -> int:
    """Returns a 32-bit hash of the game, the task that its facts name, and the opening; 0 without both. Matches with
    equal hashes share what this task is worth to each player, and are no independent evidence.
    """
    opening = [(turn.seat, turn.action) for turn in episode.turns if turn.opening]
    task = episode.facts.get("task")
    named = task if isinstance(task, str) else ""
    return _hash((episode.game, named, opening)) if named or opening else 0


def cell_of(transcript: int) -> int:
    """Returns the part of a transcript's hash that is the same for the same players, seats, task and opening."""
    return transcript >> CELL


def _hash(content: object) -> int:
    """Returns 32 bits."""
    encoded = msgspec.json.encode(content, order="sorted")
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=4).digest(), "big")


def of_known_games(results: Iterable[Result], games: Container[str]) -> list[Result]:
    """Returns the results up to the first of a game that is not among `games`: it joined after they were read."""
    return list(takewhile(lambda result: result.game in games, results))
