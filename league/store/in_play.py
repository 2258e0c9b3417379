"""The turns so far of matches that are being played, in their leases: whoever watches a run can follow them.

They are no part of the log: a new lease and the end of the match remove them, and a crash may lose the last second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, bindparam, select

from arena.match import Episode, Turn
from league.records.matches import PlannedMatch
from league.store import plans, schema
from league.store.dialect import UNREADABLE, DamagedRow, as_blob
from league.store.owners import is_dead

L, P = schema.leases.c, schema.plan.c
_PUBLISH = (
    schema.leases.update()
    .where(L.match == bindparam("of_match"), L.owner == bindparam("of_owner"))
    .values(turns=bindparam("new_turns"))
)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(tuple[Turn, ...])


class MatchInPlay(msgspec.Struct, frozen=True):
    """A match that is being played, and its turns so far."""

    planned: PlannedMatch
    turns: tuple[Turn, ...]

    def episode(self) -> Episode:
        """Returns the record of the match as far as it is played, without returns."""
        match, roles = self.planned.match, {turn.seat: turn.role for turn in self.turns}
        so_far = Episode(match.id, match.game, match.seed, match.seats, roles, self.turns, {}, "truncated")
        return replace(so_far, task=match.task, opening=match.opening)


def publish(connection: Connection, owner: str, turns: Mapping[str, Sequence[Turn]]) -> None:
    """Store the turns of matches that an owner leases, without the tokens of models."""
    rows = [
        {"of_match": match, "of_owner": owner, "new_turns": _encoder.encode([_short(turn) for turn in each])}
        for match, each in turns.items()
    ]
    connection.execute(_PUBLISH, rows)


def _short(turn: Turn) -> Turn:
    return replace(turn, attempts=tuple(replace(attempt, sample=None) for attempt in turn.attempts))


def read(connection: Connection, run: int, now: float, lease_seconds: float) -> list[MatchInPlay]:
    """Returns the matches with a live lease and published turns, those with the highest index first."""
    alive = (L.owner != "") & (L.until > now) & (L.until <= now + lease_seconds + plans.SLACK)
    query = select(*plans.COLUMNS, L.turns, L.owner).join_from(schema.leases, schema.plan, L.match == P.match)
    rows = connection.execute(query.where(L.run == run, alive, L.turns.is_not(None)).order_by(P.index.desc()))
    return [MatchInPlay(plans.planned(row), _turns(row[3], data)) for *row, data, owner in rows if not is_dead(owner)]


def _turns(match: str, data: object) -> tuple[Turn, ...]:
    try:
        return _decoder.decode(as_blob(data) or b"")
    except UNREADABLE as error:
        raise DamagedRow(f"turns of match {match}, which is being played", error) from None
