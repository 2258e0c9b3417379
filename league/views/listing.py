"""The runs of a store for `arena runs`, and the matches of a run that ended, with filters, for `arena matches`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import msgspec

from games import UnknownName
from games.naming import parse_name
from league.board.state import Status, status_now
from league.outcomes.outcome import DIGITS
from league.outcomes.sides import Side, score, sides
from league.records.game_info import GameInfo
from league.records.matches import Result
from league.records.run_spec import RunKind, RunSpec
from league.runs.game_ids import id_in_run
from league.store import Run, Store


class MatchFilter(msgspec.Struct, frozen=True):
    """The matches that are wanted; an empty field means all."""

    player: str = ""
    game: str = ""
    """an id, or one without parameters, which means all its variants"""
    role: str = ""
    """with `player` or `loser`, the role that this player has"""
    status: str = ""
    loser: str = ""
    shortest: int = 0
    """the smallest number of turns"""
    longest: int | None = None


class MatchRow(msgspec.Struct, frozen=True):
    """One match that ended."""

    index: int
    match: str
    """the id, which `arena replay` takes"""
    game: str
    status: str
    turns: int
    players: dict[str, str]
    """seat -> player"""
    roles: dict[str, str]
    """seat -> role"""
    scores: dict[str, float]
    """seat -> return"""
    losers: tuple[str, ...]
    """the players that lost this match: see `losers`"""
    seconds: float
    reason: str


def match_rows(store: Store, run: Run, criteria: MatchFilter) -> Iterator[MatchRow]:
    """Yields the matches that a filter lets pass, in plan order. Raises UnknownName for a name that the run lacks."""
    results = store.results_in_plan_order(run)
    if "(" in criteria.game:
        criteria = msgspec.structs.replace(criteria, game=id_in_run(run.spec.games, criteria.game))
    _check_names(run.spec, results, criteria)
    for result in results:
        lost = losers(result, run.spec.games.get(result.game))
        if _passes(result, lost, criteria):
            yield MatchRow(
                index=result.index,
                match=result.match,
                game=result.game,
                status=result.status,
                turns=sum(seat.turns for seat in result.seats),
                players={seat.seat: seat.player for seat in result.seats},
                roles={seat.seat: seat.role for seat in result.seats},
                scores={seat.seat: seat.score for seat in result.seats},
                losers=lost,
                seconds=result.seconds,
                reason=result.reason,
            )


def elsewhere(store: Store, run: Run) -> str:
    """If no match of a run has ended: `; learn.training has 96: add --run learn.training`, else ""."""
    if _ended(store, run):
        return ""
    counts = [(other, n) for other in reversed(store.runs()) if (n := _ended(store, other))]
    first = next((entry for entry in counts if entry[0].parent == run.name), next(iter(counts), None))
    return f"; {first[0].name} has {first[1]:,}: add --run {shlex.quote(first[0].name)}" if first else ""


def _ended(store: Store, run: Run) -> int:
    counts = store.counts(run)
    return counts.finished + counts.void


def losers(result: Result, info: GameInfo | None) -> tuple[str, ...]:
    """Returns the players of the sides that lost a match: those with a lower return than the best side, or a forfeit.

    Where the return of one match compares no players (general-sum, cooperative and unrated games, matches that were
    cut off), only a forfeit loses. A void match has no loser.
    """
    if result.status == "void" or info is None:
        return ()
    teams = sides(result, info)
    compared = info.rated and info.payoff in ("zero_sum", "constant_sum") and result.status != "truncated"
    best = max((round(score(side), DIGITS) for side in teams), default=0.0)
    lost = [side for side in teams if _forfeited(side) or (compared and round(score(side), DIGITS) < best)]
    return tuple(dict.fromkeys(entry.player for side in lost for entry in side))


def _forfeited(side: Side) -> bool:
    return any(entry.forfeited for entry in side)


def _passes(result: Result, lost: tuple[str, ...], criteria: MatchFilter) -> bool:
    turns = sum(seat.turns for seat in result.seats)
    who = criteria.player or criteria.loser
    return (
        (not criteria.game or criteria.game in _names_of(result.game))
        and criteria.status in ("", result.status)
        and criteria.shortest <= turns
        and (criteria.longest is None or turns <= criteria.longest)
        and (not criteria.loser or criteria.loser in lost)
        and (not criteria.player or any(seat.player == criteria.player for seat in result.seats))
        and (not criteria.role or any(seat.role == criteria.role and who in ("", seat.player) for seat in result.seats))
    )


def _names_of(game: str) -> tuple[str, str, str]:
    """Returns what may stand for a game: its id, that without parameters, and that without a version."""
    base = parse_name(game).base
    return game, base, re.sub(r"-v\d+$", "", base)


def _check_names(spec: RunSpec, results: list[Result], criteria: MatchFilter) -> None:
    """Raise UnknownName for a player, game or role that occurs nowhere in the run."""
    players = dict.fromkeys([*spec.plays, *(seat.player for r in results for seat in r.seats)])
    games = dict.fromkeys(name for id in spec.games for name in _names_of(id))
    roles = dict.fromkeys(seat.role for r in results for seat in r.seats)
    for kind, name, names in (
        ("player", criteria.player, players),
        ("player", criteria.loser, players),
        ("game", criteria.game, games),
        ("role", criteria.role, roles),
    ):
        if name and name not in names:
            raise UnknownName(f"{kind} of {spec.name}", name, names)


class RunRow(msgspec.Struct, frozen=True):
    """One run of a store."""

    name: str
    kind: RunKind
    status: Status
    planned: int
    """matches planned so far"""
    finished: int
    void: int
    games: tuple[str, ...]
    players: tuple[str, ...]
    """of a training, its anchors"""
    created: str
    """UTC, ISO 8601"""


def run_rows(store: Store) -> list[RunRow]:
    """Returns every run, newest first."""
    rows = []
    for run in store.runs():
        spec, counts = run.spec, store.counts(run)
        rows.append(
            RunRow(
                name=run.name,
                kind=run.kind,
                status=status_now(run, counts, played=store.played(run)),
                planned=counts.planned,
                finished=counts.finished,
                void=counts.void,
                games=tuple(spec.games),
                players=tuple(spec.plays),
                created=run.created,
            )
        )
    return rows[::-1]
